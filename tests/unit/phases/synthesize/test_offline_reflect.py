"""Reflection without a model: only plain contradictions are shown to a person, nothing is invented."""

from shared.core.memory.frontmatter import build_frontmatter
from shared.core.questions.question import Document, Question
from tests.unit.builders import memory
from workers.phases.synthesize.answer import ReflectAnswer
from workers.phases.synthesize.offline_reflection import decide_reflection
from workers.phases.synthesize.reflection import reflect_question


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


def test_a_frontmatter_longer_than_the_preview_is_never_quoted_as_a_statement() -> None:
    kept = [
        memory(
            f"ops/{n}.md",
            build_frontmatter(
                {"title": "Backups", "createdAt": f"2026-03-0{n}T10:00:00Z", "sources": [f"session {'x' * 300}"]},
                f"{text}\n",
            ),
        )
        for n, text in enumerate(("Backups of the shop run at night.", "The vault takes the backups of the shop."), 1)
    ]
    question = reflect_question(kept, 300)
    assert [document.text for document in question.documents] == [
        "# Backups\n\nBackups of the shop run at night.",
        "# Backups\n\nThe vault takes the backups of the shop.",
    ]
    assert decide_reflection(question) == ReflectAnswer()


def test_when_two_pages_were_last_updated_is_no_contradiction() -> None:
    page = "# Backups\n\n**Last updated:** {day}\n\nThe nightly backup of the shop database is kept in the vault for 30 days.\n"
    assert ask(page.format(day="2026-03-04"), page.format(day="2026-05-06")) == ReflectAnswer()


def test_two_long_pages_that_begin_alike_are_not_taken_for_two_versions_of_one_text() -> None:
    head = "# Lifting\n\nThis page is for every crew of the harbour. Loops: [{id: again, from: %d, to: 2, at most: 5 times}]\n\n"
    texts = (
        head % 6 + "The crane lifts crates while the yard is lit. " * 10,
        head % 7 + "Ropes are dried on the long beam over the door. " * 10,
    )
    kept = [memory(f"ops/{n}.md", text) for n, text in enumerate(texts)]
    assert decide_reflection(reflect_question(kept, 120)) == ReflectAnswer()


def test_pages_about_two_things_are_not_flagged_against_each_other() -> None:
    page = "# {host}\n\n{host} runs the jobs of the shop. The jobs of {host} begin at {hour} and end before the shop opens.\n"
    kestrel, heron = page.format(host="Kestrel", hour="2:00"), page.format(host="Heron", hour="4:30")
    assert ask(kestrel, heron) == ReflectAnswer()
