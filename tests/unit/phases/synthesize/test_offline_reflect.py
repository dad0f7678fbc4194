"""Reflection without a model: only plain contradictions are shown to a person, nothing is invented."""

from shared.core.questions.question import Document, Question
from workers.phases.synthesize.answer import ReflectAnswer
from workers.phases.synthesize.offline_reflection import decide_reflection


def ask(*texts: str) -> ReflectAnswer:
    documents = tuple(Document(path=f"n/{n}.md", text=text, role="memory") for n, text in enumerate(texts))
    return decide_reflection(Question(phase="synthesize", key="r", documents=documents, answer_type=ReflectAnswer))


def test_two_texts_that_differ_in_a_number_only_are_flagged_once() -> None:
    (flag,) = ask(
        "The nightly backup of the shop database is kept for 30 days in the vault.",
        "The nightly backup of the shop database is kept for 90 days in the vault.",
        "The kitchen radio plays jazz whenever its left knob is turned.",
    ).flags
    assert (flag.file, flag.about) == ("n/0.md", ("n/1.md",))


def test_nothing_is_invented_over_memories_that_agree() -> None:
    assert (
        ask("The kitchen radio plays jazz.", "The office plant needs water on Mondays.", "Tea is in the jar.")
        == ReflectAnswer()
    )
