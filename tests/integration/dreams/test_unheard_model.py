"""A model that never answers: the dream is an error, its store is quarantined after three, and a redrive goes on."""

from collections.abc import Sequence

import pytest

from gateway.cli.dreams.status import status_lines
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.core.dream.summary import render_summary
from shared.core.errors import ConflictError
from shared.ports.llm import LlmOutcome, LlmReply, LlmUsage
from shared.services.dreams.explain import explain_store
from shared.services.dreams.redrive import redrive_dream
from shared.services.operations.undo import undo_dream
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_visitor
from tests.integration.gates.gate_support import start
from tests.support.builders import get_dream, get_store, run_dream, take_picture, write
from workers.phases import get_catalog

NOTES = {f"web/{n}.md": f"# Note\n\nThe gardener cut the apple tree on visit {n}.\n" for n in ("a", "b", "c")}

SAID = "The model server answered 401 (AuthenticationError): invalid x-api-key"


def dream_unheard(ports: Ports, tenant: str, outcome: LlmOutcome = LlmOutcome.FAILED) -> Dream:
    return run_dream(ports, tenant, ScriptedLlm(lambda _: outcome))


@pytest.mark.parametrize("outcome", [LlmOutcome.FAILED, LlmOutcome.TIMED_OUT])
def test_a_dream_whose_model_never_answered_is_an_error_and_consumes_nothing(
    ports: Ports, tenant: str, outcome: LlmOutcome
) -> None:
    write(ports, tenant, NOTES)
    waiting = get_store(ports, tenant).curations
    ended = dream_unheard(ports, tenant, outcome)
    assert (ended.state, ended.has_failed) == (DreamState.ERROR, True)
    assert ended.reason.startswith(f"no answer from the model (model_{outcome} ")
    assert ended.reason.endswith(f"): scripted: {outcome}"), "what the model's server said"
    assert get_store(ports, tenant).curations == waiting


@pytest.mark.parametrize("answers", [[LlmOutcome.FAILED, LlmOutcome.UNPARSABLE], [LlmOutcome.FAILED, None]])
def test_one_answer_makes_it_partial_also_a_useless_one(
    ports: Ports, tenant: str, answers: Sequence[LlmOutcome | None]
) -> None:
    write(ports, tenant, NOTES)
    left = list(answers)
    ended = run_dream(ports, tenant, ScriptedLlm(lambda _: left.pop(0) if left else LlmOutcome.FAILED))
    assert ended.state is DreamState.PARTIAL


def test_three_in_a_row_quarantine_the_store_and_a_redrive_after_the_mending_goes_on(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    failed = [dream_unheard(ports, tenant) for _ in range(3)]
    verdict = start(ports, tenant, force=True).verdict
    assert verdict.gate == "quarantine"
    assert verdict.reason.startswith("Quarantined after 3 failed dreams (no answer from the model")
    redriven = redrive_dream(ports.db, tenant, failed[-1].id, actor="test")
    assert redriven.dream is not None
    assert run_dream(ports, tenant, dream_id=redriven.dream.id).state is DreamState.COMPLETED


def count_quarantined(ports: Ports) -> float:
    """Return the gauge of quarantined stores, from which the metric, the alert, the overview and the doctor read."""
    [found] = [gauge.value for gauge in ports.db.sweeps.measure() if gauge.name == "slowwave_quarantined_stores"]
    return found


def test_a_dream_that_is_asked_for_right_after_the_third_failure_is_refused_by_the_quarantine(
    fresh_ports: Ports, tenant: str
) -> None:
    write(fresh_ports, tenant, NOTES)
    seen = []
    for _ in range(3):
        failed = dream_unheard(fresh_ports, tenant)
        store = get_store(fresh_ports, tenant)
        seen.append((store.is_quarantined, count_quarantined(fresh_ports)))
    assert seen == [(False, 0), (False, 0), (True, 1)]
    assert store.last_verdict is not None
    assert store.last_verdict.reason.startswith("Quarantined after 3 failed dreams (no answer from the model")
    redriven = redrive_dream(fresh_ports.db, tenant, failed.id, actor="test")
    assert redriven.dream is not None
    assert (get_store(fresh_ports, tenant).is_quarantined, count_quarantined(fresh_ports)) == (False, 0)


def test_a_failed_dream_that_wrote_something_can_be_undone_and_one_that_wrote_nothing_cannot(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, NOTES)
    before = take_picture(ports, tenant)
    first, second = dream_unheard(ports, tenant), dream_unheard(ports, tenant)
    assert undo_dream(ports.db, tenant, first.id, actor="test").undone > 0, "the index"
    assert take_picture(ports, tenant) == before
    assert get_dream(ports, tenant, first.id).state is DreamState.UNDONE
    with pytest.raises(ConflictError, match="Cannot undo dream with status: error"):
        undo_dream(ports.db, tenant, second.id, actor="test")


def refuse_all_but(answered: int) -> ScriptedLlm:
    """A model whose server answers the given number of questions and refuses the others, which costs nothing."""
    asked = iter(range(answered))
    refused = LlmReply(outcome=LlmOutcome.FAILED, model="scripted", usage=LlmUsage(), detail=SAID)
    return ScriptedLlm(lambda _: refused if next(asked, None) is None else None)


@pytest.mark.parametrize("answered", [0, 1])
def test_the_error_of_the_models_server_is_shown_wherever_the_dream_is(
    ports: Ports, tenant: str, answered: int
) -> None:
    write(ports, tenant, NOTES | {f"api/{name.removeprefix('web/')}": text for name, text in NOTES.items()})
    ended = run_dream(ports, tenant, refuse_all_but(answered))
    assert ended.state is (DreamState.PARTIAL if answered else DreamState.ERROR)
    api, browser = a_client(an_app(ports)), a_visitor(ports, tenant)
    status = api.get("/api/stores/default/status", headers=bearer(a_token(ports, tenant)))
    shown = {
        "dreams show": render_summary(ended),
        "status": "\n".join(
            line.plain for line in status_lines(explain_store(ports.db, tenant, "default", get_catalog))
        ),
        "the API": status.json()["problem"]["reason"],
        "the console's store": browser.get(f"/console/t/{tenant}/stores/default").text,
        "the console's dream": browser.get(f"/console/t/{tenant}/dreams/{ended.id}").text,
    }
    assert [place for place, text in shown.items() if SAID not in text] == []


def test_status_forgets_a_failed_dream_when_the_next_one_got_through(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    dream_unheard(ports, tenant)
    run_dream(ports, tenant)
    assert explain_store(ports.db, tenant, "default", get_catalog).problem is None
