"""The demo shows a preference: it is inferred from its sessions, with its reason."""

from pathlib import Path

import gateway
from gateway.cli.sessions.transcripts import ImportRequest, import_transcripts
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from tests.support.builders import get_operations, run_dream

SESSIONS = Path(gateway.__file__).parent / "demo_sessions"


def test_the_demo_infers_a_preference_and_says_why(ports: Ports, tenant: str) -> None:
    import_transcripts(ports.db, ImportRequest(place=SESSIONS, tenant=tenant, store="default", quiet=True))
    dream = run_dream(ports, tenant, OfflineLlm())
    (inferred,) = [
        op.operation for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.INFER
    ]
    assert inferred.reason.startswith("Said once, very irritated, on 2026-03-05")
