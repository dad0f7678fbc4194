"""Several people in one session: what each says of themselves keeps the name, beside what the others say."""

from datetime import timedelta

import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.memory.model import Author
from shared.core.memory.writers import Rank
from shared.core.questions.question import Question
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent
from shared.core.trust.inherit import Written, writer_of
from shared.services.operations.review import approve_operation
from shared.services.sessions.ingest import ImportTarget, import_session_items
from tests.integration.sessions.test_later_value_wins import holds_now
from tests.integration.sessions.test_sessions_become_memory import live
from tests.support.builders import a_store, get_operations, run_dream, take_picture, write
from tests.support.session_builders import SAID_AT
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.gather.answer import GatherAnswer, GatheredMemory

_LIKES, _LIKES_NOT = "I like green tea in the morning", "I don't like green tea in the morning"
_TEA, _NO_TEA = f"Remember that {_LIKES}.", f"Remember that {_LIKES_NOT}."
_PORT = "the staging API listens on port"


def speak(ports: Ports, tenant: str, *said: tuple[str, str], session: str = "s1", day: int = 0) -> None:
    """Import what people said in one session, a minute apart."""
    a_store(ports, tenant)
    events = [
        FoundEvent(
            line=number, session=session, event_id=f"{session}e{number}", kind=EventKind.USER, role=who, text=text,
            at=SAID_AT + timedelta(days=day, minutes=number),
        )
        for number, (who, text) in enumerate(said, 1)
    ]  # fmt: skip
    import_session_items(ports.db, ImportTarget(tenant_id=tenant, store="default", source="plain"), events)


def supersedes(ports: Ports, tenant: str) -> bool:
    return any("## Superseded" in text for text in live(ports, tenant).values())


def test_the_opposite_wishes_of_two_people_stand_beside_each_other(ports: Ports, tenant: str) -> None:
    speak(ports, tenant, ("Ann", _TEA), ("Bob", _NO_TEA))
    run_dream(ports, tenant, OfflineLlm())
    assert f"{_LIKES} (Ann)." in holds_now(ports, tenant)
    assert f"{_LIKES_NOT} (Bob)." in holds_now(ports, tenant)
    assert not supersedes(ports, tenant)


@pytest.mark.parametrize("words", [_NO_TEA, f"No, {_LIKES_NOT}."])
def test_a_later_session_takes_nothing_back_that_another_person_said_of_themselves(
    ports: Ports, tenant: str, words: str
) -> None:
    speak(ports, tenant, ("Ann", _TEA))
    run_dream(ports, tenant, OfflineLlm())
    speak(ports, tenant, ("Bob", words), session="s2", day=1)
    run_dream(ports, tenant, OfflineLlm())
    assert f"{_LIKES} (Ann)." in holds_now(ports, tenant)
    assert f"{_LIKES_NOT} (Bob)." in holds_now(ports, tenant)
    assert not supersedes(ports, tenant)


@pytest.mark.parametrize("with_dream_between", [False, True])
def test_people_take_back_what_they_said_themselves(ports: Ports, tenant: str, *, with_dream_between: bool) -> None:
    green, black = (f"Remember that I drink {tea} tea in the morning." for tea in ("green", "black"))
    speak(ports, tenant, ("Bob", black))
    if with_dream_between:
        run_dream(ports, tenant, OfflineLlm())
    speak(ports, tenant, ("Ann", green), ("Bob", "No, I drink white tea in the morning."), session="s2", day=1)
    run_dream(ports, tenant, OfflineLlm())
    drinks = [
        f"I drink {tea} tea in the morning ({who})."
        for tea, who in (("green", "Ann"), ("white", "Bob"), ("black", "Bob"))
    ]
    assert [one in holds_now(ports, tenant) for one in drinks] == [True, True, False]
    assert supersedes(ports, tenant)


def test_a_fact_of_the_project_is_corrected_by_any_of_them_and_has_no_name(ports: Ports, tenant: str) -> None:
    speak(ports, tenant, ("Ann", f"Remember that {_PORT} 8443."), ("Bob", f"No, {_PORT} 9443."))
    run_dream(ports, tenant, OfflineLlm())
    holds = holds_now(ports, tenant)
    assert ["8443" in holds, "9443" in holds, "(" in holds] == [False, True, False]


def test_a_models_words_that_name_the_person_stay_as_they_are(ports: Ports, tenant: str) -> None:
    def answer(question: Question) -> GatherAnswer | None:
        pieces = [one for one in question.documents if one.role == "session" and question.phase == "gather"]
        if not pieces:
            return None
        assert "user (Ann)" in pieces[0].text
        given = {"kind": "save", "window": pieces[0].path, "confidence": 0.9}
        worded = {_TEA: "Ann likes green tea in the morning.", _NO_TEA: f"{_LIKES_NOT}."}
        return GatherAnswer(
            memories=tuple(
                GatheredMemory.model_validate(given | {"quote": q, "statement": s}) for q, s in worded.items()
            )
        )

    speak(ports, tenant, ("Ann", _TEA), ("Bob", _NO_TEA))
    run_dream(ports, tenant, ScriptedLlm(answer))
    holds = holds_now(ports, tenant)
    assert "Ann likes green tea in the morning." in holds
    assert f"{_LIKES_NOT} (Bob)." in holds


def test_a_statement_stays_its_speakers_through_a_merge(ports: Ports, tenant: str) -> None:
    locks, opens = "The keeper locks the boats of the club at eight in the evening.", "The boat house opens at seven."
    speak(ports, tenant, ("Ann", f"Remember: {locks}"), ("Bob", "Good morning, Ann."))
    run_dream(ports, tenant, OfflineLlm())
    [gathered] = live(ports, tenant)
    write(ports, tenant, {"notes/boats.md": f"# The boats of the club\n\n{locks}\n{opens}\n"}, author=Author.AGENT)

    def merge(question: Question) -> ConsolidateAnswer | None:
        paths = (gathered, "notes/boats.md")
        if question.phase != "consolidate" or not set(paths) <= {one.path for one in question.documents}:
            return None
        made = {"type": "MERGE", "files": paths, "output_file": paths[0], "confidence": 1.0, "reason": "the same boats"}
        text = f"# The boats of the club\n\n- {locks}\n- {opens}\n"
        return ConsolidateAnswer.model_validate({"actions": [made | {"merged_content": text}]})

    dream = run_dream(ports, tenant, ScriptedLlm(merge))
    [merged] = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind == "MERGE"]
    if merged.state == "proposed":
        approve_operation(ports.db, ports.ids, tenant, merged.id, actor="nadia")
    [memory] = [one for one in take_picture(ports, tenant).memories.values() if one.path == gathered]
    written = Written(memory.content, memory.writers)
    said, noted = writer_of(written, locks), writer_of(written, opens)
    assert (said.rank, said.who, noted.rank) == (Rank.USER, "Ann", Rank.AGENT)
