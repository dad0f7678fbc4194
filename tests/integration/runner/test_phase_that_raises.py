"""A phase that raises: the dream has the reason, the log only says where, because an error may quote a memory."""

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from shared.all_ports import Ports
from shared.core.dream.model import PhaseState
from shared.core.errors import StatementCutError
from tests.support.builders import write
from workers.dream.begin import begin_dream
from workers.phase.shape import PhaseContext
from workers.phase.work import PhaseKey
from workers.phases import PHASES
from workers.runner.run import run_phase

_SECRET = "The vault in Malmo opens with 7781"


def _fail(_context: PhaseContext) -> None:
    raise ValueError(_SECRET)


def test_the_log_of_a_phase_that_raises_says_where_and_quotes_nothing(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"ops/vault.md": f"# Vault\n\n{_SECRET}\n"})
    dream_id = begin_dream(ports, tenant, "default", force=True, dream_id=None)
    assert dream_id is not None
    key = PhaseKey(tenant_id=tenant, dream_id=dream_id, epoch=1, phase="orient")
    with capture_logs() as lines:
        assert run_phase(ports, replace(PHASES[0], read=_fail), key), "the later phases still run"
    (failed,) = [line for line in lines if line["event"] == "phase_failed"]
    assert failed["error"] == "ValueError"
    assert any("_fail" in place for place in failed["where"])
    assert failed.keys() >= {"tenant_id", "store", "dream_id", "phase", "epoch"}
    assert _SECRET not in str(lines)
    with ports.db.transaction(tenant) as uow:
        (run,) = uow.phases.find_all(dream_id)
    assert (run.state, run.reason) == (PhaseState.FAILED, f"ValueError: {_SECRET}")


def test_a_phase_whose_statement_the_database_cut_fails_and_the_dream_goes_on(ports: Ports, tenant: str) -> None:
    def cut(_: PhaseContext) -> None:
        raise StatementCutError

    write(ports, tenant, {"ops/vault.md": "# Vault\n"})
    dream_id = begin_dream(ports, tenant, "default", force=True, dream_id=None)
    assert dream_id is not None
    key = PhaseKey(tenant_id=tenant, dream_id=dream_id, epoch=1, phase="orient")
    assert run_phase(ports, replace(PHASES[0], read=cut), key), "another worker would take as long"
    with ports.db.transaction(tenant) as uow:
        (run,) = uow.phases.find_all(dream_id)
    assert (run.state, run.reason) == (PhaseState.FAILED, str(StatementCutError()))


def test_an_error_of_the_database_does_not_quote_what_was_to_be_written(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"ops/vault.md": "# Vault\n"})
    with ports.db.transaction(tenant) as uow, pytest.raises(Exception) as caught, uow.savepoint():  # noqa: PT011 - any
        uow.memories(uow.stores.get("default").id).find_by_path(f"{_SECRET}\x00")
    assert _SECRET not in str(caught.value)
