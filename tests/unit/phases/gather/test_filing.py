"""A memory that a model or a rule names for a statement is used only when the statement is about it."""

from shared.core.dream.operations import Create, Plan, Rewrite
from shared.core.questions.question import Document, Question
from shared.core.search.bm25 import TextIndex, by_path
from shared.core.sessions.excerpts import Excerpt, ExcerptLine, render_excerpt
from shared.core.text.similarity import significant_words
from tests.unit.phases.gather.test_plan_gather import SAID_AT, excerpt, memory, plan, said
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.gather.groups import find_related
from workers.phases.gather.offline import decide_gathering

ANNA = memory(
    "people/anna.md", "# Anna\n\nAnna's favourite colour is purple. She chose it for the kitchen and for the bicycle.\n"
)
BEN = memory("people/ben.md", "# Ben\n\nBen's favourite colour is cyan. He chose it for the kitchen.\n")
RUN = memory(
    "api/tags.md", "# POST /v1/tags\n\nThe limit is 120 requests per minute. It needs the scope `tags:write`.\n"
)


def changed(made: Plan) -> list[tuple[str, str]]:
    """Return the effect of each operation, by path."""
    return [
        (change.type, change.path)
        for one in made.operations
        for change in one.changes
        if isinstance(change, Create | Rewrite)
    ]


def test_a_model_that_files_a_statement_with_a_sibling_gets_a_note_of_its_own_with_the_reason() -> None:
    where = excerpt("Remember: Carla's favourite colour is orange.")
    wrong = said(where, "Carla's favourite colour is orange.", "Carla's favourite colour is orange.", target=ANNA.path)
    made = plan([wrong], where, existing=(ANNA, BEN))
    assert changed(made) == [("create", "notes/carlas-favourite-colour-is-orange.md")]
    assert "another subject" in made.operations[0].reason
    assert not made.operations[0].needs_review


def test_a_model_may_not_correct_a_sibling_s_sentence() -> None:
    where = excerpt("No, the kitchen of Ben is yellow.")
    wrong = said(
        where, "No, the kitchen of Ben is yellow.", "The kitchen of Ben is yellow.", kind="correction", target=ANNA.path,
        replaces="She chose it for the kitchen and for the bicycle.",
    )  # fmt: skip
    assert [kind for kind, _ in changed(plan([wrong], where, existing=(ANNA, BEN)))] == ["create"]


def test_a_statement_whose_subject_was_named_before_goes_to_its_memory() -> None:
    where = excerpt("Let us go through what we know of Ben.", "Remember: he moved to Kiel in May.")
    right = said(where, "he moved to Kiel in May.", "He moved to Kiel in May.", target=BEN.path)
    assert changed(plan([right], where, existing=(ANNA, BEN))) == [("rewrite", BEN.path)]


def test_entries_of_a_log_do_not_name_what_their_neighbours_are_about() -> None:
    where = excerpt("09:00 Ben was here.", "10:00 He moved to Kiel in May.", role="log")
    wrong = said(where, "He moved to Kiel in May.", "He moved to Kiel in May.", kind="fact", target=BEN.path)
    made = plan([wrong], where, existing=(ANNA, BEN))
    assert (made.operations, [skip.code for skip in made.skips]) == ((), ["no_subject"])


def test_a_statement_that_two_pages_hold_already_is_not_written_again() -> None:
    twins = [
        memory(f"jobs/{k}.md", f"# {k}\n\nRuns the {k} job. Logs are kept for a week.\n") for k in ("mail", "feed")
    ]
    where = excerpt("Remember: Logs are kept for a week.")
    made = plan([said(where, "Logs are kept for a week.", "Logs are kept for a week.")], where, existing=tuple(twins))
    assert made.operations == ()
    assert [skip.code for skip in made.skips] == ["known_already"]


def _ask_rules(where: Excerpt, *existing: str) -> tuple[GatheredMemory, ...]:
    texts = {one.path: one.content for one in (ANNA, BEN, RUN)}
    piece = Document(path=where.path, text=render_excerpt(where), role="session", at="2026-03-04")
    known = [Document(path=path, text=texts[path], role="existing") for path in existing]
    question = Question(
        phase="gather", key="k", documents=(piece, *known), answer_type=GatherAnswer, without_model=decide_gathering
    )
    return decide_gathering(question).memories


def test_without_a_model_a_number_of_an_endpoint_that_was_not_named_replaces_none() -> None:
    [found] = _ask_rules(excerpt("Remember: The limit is 30 requests per minute."), RUN.path)
    assert (found.target, found.replaces) == (None, None)


def test_without_a_model_the_page_that_was_named_gets_what_its_sibling_says_in_the_same_words() -> None:
    line = "Remember: he chose it for the kitchen and for the bicycle."
    [found] = _ask_rules(excerpt("Let us go through Ben.", line), ANNA.path, BEN.path)
    assert found.target == BEN.path


def test_a_memory_that_the_lines_before_name_is_offered_although_the_statement_shares_no_word_with_it() -> None:
    index = TextIndex(by_path([(one.path, one.content) for one in (ANNA, BEN, RUN)]))
    known = {one.path: one for one in (ANNA, BEN, RUN)}
    lines = (
        ExcerptLine(position=1, event_id="e1", role="assistant", at=SAID_AT, text="Now to Ben."),
        ExcerptLine(
            position=2, event_id="e2", role="user", at=SAID_AT, text="Remember the scope is wide.", is_hit=True
        ),
    )
    where = Excerpt(session_id="sesn_1", lines=lines, reasons=())

    def find_near(text: str) -> list[str]:
        return [path for path, _ in index.search(significant_words(text, 60), 3)]

    assert find_related(where, find_near, known) == [RUN.path, BEN.path]
