"""A store that is too large for one look is shown to a model in parts, dream by dream, and every memory of it once."""

from collections import Counter

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from tests.support.builders import a_store, get_store, run_dream, write

_TOPICS = ("tides", "violins", "glaciers", "looms", "orchids", "harbours", "kilns", "ledgers", "meteors", "trams")
NOTES = {
    f"{topic}/facts.md": f"# {topic}\n\n"
    + "".join(f"{topic.capitalize()} number {n} lies in room {n}.\n\n" for n in range(60))
    for topic in _TOPICS
}


def test_what_did_not_fit_into_a_look_is_shown_by_the_next_dreams_and_then_there_is_rest(
    ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant, overrides={"show.tokens": 4_000})
    write(ports, tenant, NOTES)
    shown: Counter[str] = Counter()
    waiting = []
    for _ in NOTES:
        model = ScriptedLlm()
        dream = run_dream(ports, tenant, model)
        asked = [one.question for one in model.requests if one.question.phase == "revise"]
        shown.update(one.path for question in asked for one in question.documents if one.role != "listed")
        waiting.append(get_store(ports, tenant).waiting_changes)
        assert dream.finished_at is not None
        if not waiting[-1]:
            break
    assert set(shown) >= set(NOTES)
    assert waiting == sorted(waiting, reverse=True)
    assert waiting[-1] == 0
    after = ScriptedLlm()
    run_dream(ports, tenant, after)
    assert not [one for one in after.requests if one.question.phase == "revise"]
