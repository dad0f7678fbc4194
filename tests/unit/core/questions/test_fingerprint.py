"""Laws of fingerprints: knowledge makes another question, and neither order, use nor upkeep does."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.policy.policy import Policy, PrunePolicy
from shared.core.policy.profiles import get_policy
from shared.core.questions.fingerprint import (
    AskingTerms,
    cluster_fingerprint,
    question_fingerprint,
    settings_of,
    text_fingerprint,
)
from shared.core.questions.question import Document, Question
from tests.unit.builders import memory
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.prune.answer import PruneAnswer

TERMS = AskingTerms(model="offline", prompts=("rules", "Prune."))
QUESTION = Question(
    phase="prune",
    key="candidates",
    documents=(
        Document(path="a.md", text="# A\n\nSigned.\n", role="candidate", facts=("untouched for 74 days",)),
        Document(path="b.md", text="# B\n\nSealed.\n", role="neighbour"),
    ),
    answer_type=PruneAnswer,
)
SAME = question_fingerprint(QUESTION, TERMS)
words = st.text(max_size=40)
documents = st.builds(Document, path=words, text=words, role=st.sampled_from(["candidate", "neighbour"]))


def with_documents(*changed: Document) -> Question:
    return replace(QUESTION, documents=changed)


@given(st.lists(documents, max_size=6), st.randoms(use_true_random=False), words)
def test_neither_the_order_of_documents_nor_the_place_in_a_dream_makes_another_question(
    found: list[Document], chance: random.Random, key: str
) -> None:
    shuffled = list(found)
    chance.shuffle(shuffled)
    again = replace(with_documents(*shuffled), key=key)
    assert question_fingerprint(again, TERMS) == question_fingerprint(with_documents(*found), TERMS)


@given(words, words)
def test_two_texts_have_one_fingerprint_only_when_they_say_the_same(one: str, other: str) -> None:
    prints = {text_fingerprint(memory("a.md", f"# A\n\n{text}")) for text in (one, other)}
    assert len(prints) == len({one, other})


def test_days_and_use_that_the_host_tells_make_no_other_question() -> None:
    first, second = QUESTION.documents
    later = with_documents(replace(first, facts=("untouched for 75 days",), at="2026-03-05"), second)
    assert question_fingerprint(later, TERMS) == SAME


def test_upkeep_in_a_frontmatter_makes_no_other_question_and_its_title_does() -> None:
    def ask(fields: str) -> str:
        text = f"---\n{fields}\n---\n# A\n\nSigned.\n"
        return question_fingerprint(with_documents(Document(path="a.md", text=text, role="candidate")), TERMS)

    assert ask("title: A\nimportance: 40\nupdatedAt: 2026-01-01") == ask("title: A\nimportance: 39\naccessCount: 7")
    assert ask("title: A") != ask("title: B")


def test_a_digest_in_another_order_of_importance_makes_no_other_question() -> None:
    one, other = (
        with_documents(Document(path="web/_index.md", text=text, role="summary"))
        for text in ("- A: signed\n- B: sealed", "- B: sealed\n- A: signed")
    )
    assert question_fingerprint(one, TERMS) == question_fingerprint(other, TERMS)


def test_counts_of_use_make_no_other_question() -> None:
    used = Document(path="used-together", text="- mail and walk: 3 session(s)", role="signal")
    assert question_fingerprint(with_documents(*QUESTION.documents, used), TERMS) == SAME


@pytest.mark.parametrize(
    "question",
    [
        with_documents(QUESTION.documents[0]),
        with_documents(replace(QUESTION.documents[0], text="# A\n\nNot signed.\n"), QUESTION.documents[1]),
        with_documents(replace(QUESTION.documents[0], path="c.md"), QUESTION.documents[1]),
        with_documents(replace(QUESTION.documents[0], role="neighbour"), QUESTION.documents[1]),
        replace(QUESTION, hints=("a.md -> b.md: overlap",)),
        replace(QUESTION, phase="consolidate"),
        replace(QUESTION, answer_type=ConsolidateAnswer),
    ],
)
def test_a_change_of_documents_or_instructions_makes_another_question(question: Question) -> None:
    assert question_fingerprint(question, TERMS) != SAME


@pytest.mark.parametrize(
    "terms",
    [
        replace(TERMS, model="another"),
        replace(TERMS, prompts=("rules", "Prune more.")),
        replace(TERMS, prompts=("other rules", "Prune.")),
        replace(TERMS, version=2),
        replace(TERMS, settings="{}"),
        replace(TERMS, facts_tell=True),
    ],
)
def test_a_model_a_prompt_a_version_or_a_setting_makes_another_question(terms: AskingTerms) -> None:
    assert question_fingerprint(QUESTION, terms) != SAME


def test_when_a_dream_may_begin_and_what_it_may_cost_change_no_question() -> None:
    cheap = {"gates.min_hours": 1, "budget.dream_seconds": 60, "change_gate.forced_days": 3, "index.max_lines": 50}
    changed = get_policy("default", cheap, Policy().autonomy)
    assert settings_of(changed) == settings_of(Policy())
    assert settings_of(Policy(prune=PrunePolicy(min_importance=40))) != settings_of(Policy())


@given(st.permutations(["a.md", "b.md", "c.md"]))
def test_a_cluster_is_the_same_in_any_order(paths: list[str]) -> None:
    assert cluster_fingerprint(memory(path, path) for path in paths) == cluster_fingerprint(
        memory(path, path) for path in sorted(paths)
    )
