"""The demo shows a wish: it is kept once, with its reason."""

from pathlib import Path

import gateway
from gateway.cli.sessions.transcripts import ImportRequest, import_transcripts
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from tests.support.builders import get_operations, run_dream

SESSIONS = Path(gateway.__file__).parent / "demo_sessions"


def test_the_demo_keeps_a_wish_once_and_says_why(ports: Ports, tenant: str) -> None:
    import_transcripts(ports.db, ImportRequest(place=SESSIONS, tenant=tenant, store="default", quiet=True))
    dream = run_dream(ports, tenant, OfflineLlm())
    found = [op.operation for op in get_operations(ports, tenant, dream.id)]
    wishes = [one for one in found if "ISO date, always" in one.reason]
    assert [one.kind for one in wishes] == [OperationKind.GATHER]
    assert wishes[0].reason.startswith("From sessions of 2026-03-05 (correction)")
    assert OperationKind.INFER not in {one.kind for one in found}
