"""A database with less than one wishes for: one connection for everything, or no writes because it is a standby."""

from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.bootstrap import make_ports
from shared.core.dream.model import DreamState
from shared.core.errors import ServiceUnavailableError
from shared.services.dreams.explain import explain_store
from shared.services.operations.preview_undo import preview_undo
from shared.services.operations.undo import undo_dream
from shared.settings import Settings
from tests.integration.undo.undo_support import a_rich_store
from tests.support.builders import run_dream, write
from tests.support.servers import plain_url
from workers.phases import get_catalog


@pytest.fixture
def narrow_ports(fresh_settings: Settings) -> Iterator[Ports]:
    """A process with a single connection: a second transaction inside the first would wait for itself."""
    ports = make_ports(fresh_settings, pool_size=1)
    try:
        yield replace(ports, dispatch=RecordingDispatch())
    finally:
        ports.close()


def test_a_transaction_within_a_transaction_is_refused(narrow_ports: Ports) -> None:
    a_rich_store(narrow_ports, "acme")
    dream = run_dream(narrow_ports, "acme", OfflineLlm())
    assert dream.state is DreamState.COMPLETED, dream.reason
    assert explain_store(narrow_ports.db, "acme", "default", get_catalog).live_memories
    assert not preview_undo(narrow_ports.db, "acme", dream.id).refusal
    assert undo_dream(narrow_ports.db, "acme", dream.id, actor="ada").undone


@pytest.mark.own_database
def test_a_database_that_is_a_standby_by_now_says_so_and_the_same_call_succeeds_when_it_takes_writes_again(
    fresh_ports: Ports, fresh_settings: Settings
) -> None:
    batch = {"api/a.md": "# A\n\nTokens are signed.\n"}
    with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as owner:
        name = owner.info.dbname
        owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
        with pytest.raises(ServiceUnavailableError, match="read-only"):
            write(fresh_ports, "acme", batch)
        owner.execute("SET default_transaction_read_only = off")
        owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = off".encode())
        owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
            [name],
        )
    assert write(fresh_ports, "acme", batch).created == 1
