"""A fact that lasts stays without a model, whatever its age, its length and its language: an owner relies on it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from shared.core.dream.operations import Operation, OperationKind, Retire
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory, MemoryState
from shared.core.merging.statements import find_unsaid
from shared.core.questions.question import Question
from tests.support.laws import examples
from tests.unit.builders import memory
from tests.unit.phases.reading import around, context
from workers.phase.shape import NothingToDo
from workers.phases.prune.grounds import find_end, is_empty
from workers.phases.prune.phase import PHASE, Inputs

HALF_A_YEAR = 183.0


def noted(path: str, text: str) -> Memory:
    return memory(path, text, untouched_days=HALF_A_YEAR, importance=10)


def prune(*memories: Memory, live: int = 40) -> list[Operation]:
    """Return what prune does to a store without a model: `live` memories are in it, so that the loss cap keeps none."""
    inputs = PHASE.read(context(*memories, has_model=False))
    if isinstance(inputs, NothingToDo):
        return []
    assert isinstance(inputs, Inputs)
    answers = {one.key: decide(one) for one in PHASE.ask(inputs)}
    return list(PHASE.plan(inputs, answers, replace(around(live=live), is_by_rules=True)).operations)


def decide(question: Question) -> BaseModel:
    assert question.without_model is not None
    return question.without_model(question)


def archived(*memories: Memory) -> list[str]:
    changes = [change for one in prune(*memories) for change in one.changes]
    return [change.path for change in changes if isinstance(change, Retire)]


LASTING = {
    "an allergy": "The user is allergic to peanuts.\n",
    "a rule of one line": "Never restart the primary while a backup runs.\n",
    "who owns a service": "The platform team owns the billing service and is on call in even weeks.\n",
    "a preference": "prefers tea\n",
    "a preference in lower case without a stop": "user likes short answers",
    "a fact on a person": "the user's daughter plays the cello",
    "a rule that ends something": "we no longer use jenkins\n",
    "a rule that names what is done": "a task is done when the tests are green\n",
    "a task of one line": "# Call back\n\nCall them back about the question.\n",
    "one word": "vegetarian",
    "an allergy in German": "Der Nutzer verträgt keine Erdnüsse.\n",
    "a rule in French": "ne jamais redémarrer le serveur pendant une sauvegarde\n",
    "a preference in Spanish": "prefiere respuestas cortas\n",
    "an allergy in Chinese": "用户对花生过敏\n",
    "a preference in Japanese": "短い返事が好き\n",
    "who is on call in Russian": "дежурит команда платформы\n",
    "an allergy in Arabic": "المستخدم لديه حساسية من الفول السوداني\n",
    "only a title": "# no peanuts\n",
    "only a description": "---\ndescription: allergic to peanuts\n---\n",
    "only a sign": "👍\n",
}


@pytest.mark.parametrize("what", LASTING)
def test_a_lasting_fact_noted_half_a_year_ago_stays(what: str) -> None:
    assert archived(noted("facts/one.md", LASTING[what])) == []


def test_an_allergy_noted_half_a_year_ago_stays() -> None:
    assert archived(noted("notes/allergy.md", "The user is allergic to peanuts.")) == []


def test_a_store_of_half_a_year_ago_keeps_all_its_facts() -> None:
    assert archived(*(noted(f"facts/{n}.md", text) for n, text in enumerate(LASTING.values()))) == []


NOT_ABOUT_THE_NOTE = {
    "a thing that is deprecated": "# APIs\n\nThe old API is deprecated. Call v2.\n",
    "a title": "# Payment API (deprecated)\n\nIt answers with XML.\n",
    "the status of a task": "Status: done\n\nThe door code hangs in the kitchen.\n",
    "one of several tasks": "- Paint the fence. Status: done\n- Call the plumber. Status: open\n",
    "a quoted sentence": 'Ben says "This note is obsolete." at times.\n',
    "a quoted line": "> This note is obsolete.\n\nSo it began.\n",
    "a fence": "```\nThis note is obsolete.\n```\n",
    "what to write elsewhere": "Put this above old pages:\n\nThis note is obsolete.\n",
    "a cell of a table": "| page | banner |\n|---|---|\n| a | This note is obsolete. |\n",
    "an item of a list": "- This note is obsolete.\n- The gate opens at dawn.\n",
    "an item to do": "- [ ] This note can be deleted.\n",
    "a section": "The gate opens at dawn.\n\n## Hinges\n\nThis note is obsolete.\n",
    "a section under the note": "This note is obsolete.\n\n## Gate\n\nIt opens at dawn.\n",
    "a condition": "This note is obsolete if the gate goes. It opens at dawn.\n",
    "a purpose": "This note is no longer needed for staging.\n",
    "a later day": "This note can be deleted after the move.\n",
    "a day to come": "This note is superseded by gate.md as of May.\n",
    "another fact after a comma": "This note is obsolete, the user is allergic to nuts.\n",
    "another fact after a dash": "This note is outdated \u2013 the gate opens at dawn.\n",
    "a question": "This note is obsolete? Ask Ada.\n",
    "a part": "This note is outdated, except for the port.\n",
    "what still holds": "This note is obsolete. The port is still right.\n",
    "what is so now": "This note is obsolete: the port is now another.\n",
    "another page": "This page is obsolete; people log in elsewhere.\n",
    "a document of the world": "The contract is no longer valid.\n",
    "how it was": "This note was obsolete.\n",
}


@pytest.mark.parametrize("what", NOT_ABOUT_THE_NOTE)
def test_words_that_are_not_about_the_whole_note_archive_nothing(what: str) -> None:
    assert archived(noted("notes/gate.md", NOT_ABOUT_THE_NOTE[what])) == []


@pytest.mark.parametrize(
    "text",
    [
        "This note is obsolete.\n",
        "# Old gate\n\nThis note is obsolete: the gate was taken down in spring.\n",
        "# Old gate\n\nIt hung by the river. This note is no longer needed.\n",
        "**This memory is superseded by gate.md.**\n\nThe gate hung by the river.\n",
        "The gate hung by the river.\n\nThis note can safely be deleted.\n",
        "",
        "  \n\n",
    ],
)
def test_a_note_that_says_that_it_is_over_or_that_is_empty_is_archived_and_waits_for_a_look(text: str) -> None:
    (operation,) = prune(noted("notes/gate.md", text))
    assert (operation.kind, operation.propose_only, operation.needs_review) == (OperationKind.ARCHIVE, None, True)


GATE = "# Gate\n\nThe gate by the river opens at dawn. Its key hangs in the mill.\n"


def test_a_note_of_which_another_says_all_gives_way_to_it_as_its_successor() -> None:
    fuller = memory("places/gate.md", f"{GATE}The hinges were oiled by Ada.\n")
    (operation,) = prune(noted("places/gate-old.md", GATE), fuller)
    (change,) = operation.changes
    assert isinstance(change, Retire)
    assert (operation.kind, operation.propose_only) == (OperationKind.ARCHIVE, None)
    assert (change.path, change.state, change.successor_id) == (
        "places/gate-old.md",
        MemoryState.SUPERSEDED,
        fuller.id,
    )


@pytest.mark.parametrize(
    ("path", "text", "other_path", "other"),
    [
        ("places/gate-old.md", GATE, "places/gate.md", GATE.replace("dawn", "dusk") + "Ada oils it.\n"),
        ("places/gate-old.md", GATE + "Ask Ada.\n", "places/gate.md", GATE),
        ("clients/ann/food.md", "Allergic to peanuts.\n", "clients/bob/food.md", "Allergic to peanuts. Likes rice.\n"),
        ("plants/fern/watering.md", GATE, "plants/palm/watering.md", GATE + "Ada oils it.\n"),
        ("sites/north.md", f"# Site north\n{GATE[6:]}", "sites/south.md", f"# Site south\n{GATE[6:]}Ada oils it.\n"),
        ("places/gate-old.md", f"---\nsummary: Ask Ada first.\n---\n{GATE}", "places/gate.md", GATE),
        ("places/gate-old.md", GATE, "places/gate.md", "# Gate\n\n## Superseded\n\n" + GATE[8:]),
    ],
)
def test_a_note_that_says_more_or_of_something_else_is_not_archived_for_another(
    path: str, text: str, other_path: str, other: str
) -> None:
    applied = [one for one in prune(noted(path, text), memory(other_path, other)) if one.propose_only is None]
    assert OperationKind.ARCHIVE not in {one.kind for one in applied}


def test_of_two_old_notes_that_say_the_same_one_stays() -> None:
    both = [noted("places/gate.md", GATE), noted("places/gate-old.md", GATE)]
    assert len(archived(*both)) < 2


_TEXTS = st.lists(
    st.sampled_from([*LASTING.values(), *NOT_ABOUT_THE_NOTE.values(), GATE, "This note is obsolete.\n", ""])
    | st.text(max_size=120),
    min_size=1,
    max_size=6,
)


@examples(200)
@given(_TEXTS, _TEXTS)
def test_without_a_model_a_memory_goes_only_if_it_is_over_or_empty_or_another_live_one_says_all_of_it(
    old: list[str], fresh: list[str]
) -> None:
    memories = [noted(f"old/{n}.md", text) for n, text in enumerate(old)]
    memories += [memory(f"fresh/{n}.md", text) for n, text in enumerate(fresh)]
    by_path = {one.path: one for one in memories}
    gone = {
        change.path: change
        for one in prune(*memories)
        for change in one.changes
        if isinstance(change, Retire) and one.propose_only is None
    }
    live = {one.id: one for path, one in by_path.items() if path not in gone}
    for path, change in gone.items():
        text = by_path[path].content
        successor = live.get(change.successor_id or "")
        is_held = successor is not None and not find_unsaid(successor.content, [text])
        assert is_held or is_empty(text) or find_end(text) is not None
        assert is_held or change.successor_id is None
        assert not body_of(text).strip() or is_held or "obsolete" in text
