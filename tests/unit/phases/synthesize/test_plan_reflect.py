"""Reflection: SwarmClaw's published second tier, with ids that are checked."""

from typing import Any

import pytest
from pydantic import ValidationError

from shared.core.dream.operations import Create, Flag, OperationKind, Plan
from shared.core.memory.frontmatter import build_frontmatter, read_fields
from shared.core.memory.model import Tier
from shared.core.policy.policy import ReflectPolicy
from shared.core.questions.fingerprint import text_fingerprint
from tests.unit.builders import NOW, codes, memory
from workers.phases.synthesize.answer import ReflectAnswer
from workers.phases.synthesize.reflection import ReflectView, plan_reflection, reflect_question

ONE = memory("api/retry.md", "# Retry\n\nCalls are retried with backoff.\n")
TWO = memory("ops/queue.md", "# Queue\n\nJobs are retried with backoff.\n")
TOP = memory("top.md", "# Top\n\nRetries helped twice.\n")
INSIGHT = {
    "title": "Retries with backoff",
    "content": "Calls and jobs are retried with backoff, so a new client should be, too.",
    "sourceIds": [ONE.path, TWO.path],
    "confidence": 0.9,
}


def plan(flagged: frozenset[str] = frozenset(), existing: tuple[tuple[str, str], ...] = (), **answer: Any) -> Plan:
    return plan_of(answer, flagged, existing)


def plan_of(
    answer: dict[str, Any], flagged: frozenset[str] = frozenset(), existing: tuple[tuple[str, str], ...] = ()
) -> Plan:
    view = ReflectView(
        offered={m.path: m for m in (ONE, TWO, TOP)},
        existing=existing,
        live_paths=frozenset({ONE.path, TWO.path, TOP.path, "api/taken.md"}),
        flagged=flagged,
        policy=ReflectPolicy(),
        review_below_confidence=0.7,
        now=NOW,
    )
    return plan_reflection(view, ReflectAnswer.model_validate(answer))


def written(found: Plan) -> Create:
    (operation,) = found.operations
    (change,) = operation.changes
    assert isinstance(change, Create)
    return change


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("insights", "consolidated_insight"),
        ("consolidations", "consolidated_insight"),
        ("reflections", "dream_reflection"),
    ],
)
def test_it_is_written_in_the_durable_tier_with_origin_dream_and_its_category(name: str, category: str) -> None:
    create = written(plan_of({name: [INSIGHT]}))
    fields = read_fields(create.content)
    assert create.signals.tier is Tier.DURABLE
    assert (fields["origin"], fields["category"]) == ("dream", category)
    assert fields["sources"] == [ONE.path, TWO.path]
    assert create.path == "api/retries-with-backoff.md"


def test_the_sources_stay_as_they_are() -> None:
    (operation,) = plan(insights=[INSIGHT]).operations
    assert operation.kind is OperationKind.CREATE
    assert len(operation.changes) == 1


def test_sources_that_were_not_offered_do_not_count() -> None:
    foreign = INSIGHT | {"sourceIds": [ONE.path, "mem_of_another_store"]}
    found = plan(insights=[foreign], reflections=[INSIGHT | {"sources": []}])
    assert found.operations == ()
    assert codes(found) == ["not_offered", "not_offered"]


def test_no_more_than_the_published_numbers_are_written() -> None:
    insights = [
        INSIGHT | {"title": f"Insight {n}", "content": f"Word{n} word{n}{n} unlike others {n * 7}."} for n in range(7)
    ]
    reflections = [
        INSIGHT | {"title": f"Pattern {n}", "content": f"Other{n} more{n}{n} again {n * 3}."} for n in range(4)
    ]
    found = plan(insights=insights, reflections=reflections)
    assert len(found.operations) == 5 + 3
    assert codes(found) == ["cap", "cap"]


def test_an_insight_of_an_earlier_dream_is_not_repeated() -> None:
    found = plan(existing=(("api/old.md", str(INSIGHT["content"])),), insights=[INSIGHT], reflections=[])
    assert codes(found) == ["known_insight"]


def test_a_path_that_is_taken_is_never_overwritten() -> None:
    assert codes(plan(insights=[INSIGHT | {"title": "Taken"}])) == ["name_taken"]


def test_a_text_that_no_source_supports_is_shown_to_a_person() -> None:
    (operation,) = plan(insights=[INSIGHT | {"content": "Retries began with release 4.2.1."}]).operations
    assert operation.needs_review
    assert "4.2.1" in operation.reason


def test_a_conclusion_may_name_its_sources_by_their_paths() -> None:
    (operation,) = plan(insights=[INSIGHT | {"content": f"{INSIGHT['content']} See {ONE.path} and RETRY."}]).operations
    assert "not in its sources" not in operation.reason
    assert operation.propose_only is None


def test_a_flag_changes_nothing_and_asks_a_person() -> None:
    (operation,) = plan(flags=[{"memoryId": ONE.path, "about": [TWO.path, "x"], "reason": "old"}]).operations
    (change,) = operation.changes
    assert operation.kind is OperationKind.FLAG
    assert operation.needs_review
    assert isinstance(change, Flag)
    assert change.about == (TWO.path,)


def test_a_flag_on_a_memory_of_another_agent_is_refused() -> None:
    found = plan(flags=[{"id": "mem_of_another_agent", "reason": "old"}])
    assert found.operations == ()
    assert codes(found) == ["not_offered"]


def test_a_memory_is_flagged_once_while_it_says_the_same() -> None:
    found = plan(flagged=frozenset({text_fingerprint(ONE)}), flags=[{"file": ONE.path}])
    assert codes(found) == ["flagged_before"]


def test_an_empty_answer_is_a_good_answer() -> None:
    assert plan() == Plan()


@pytest.mark.parametrize("garbage", ["no", {"insights": "many"}, {"flags": [{"reason": "no file"}]}])
def test_garbage_is_refused(garbage: object) -> None:
    with pytest.raises(ValidationError):
        ReflectAnswer.model_validate(garbage)


@pytest.mark.parametrize("content", ["…", "...", "# Retries with backoff\n", "Retries, with backoff."])
def test_an_insight_that_says_nothing_beyond_its_title_is_refused(content: str) -> None:
    found = plan(insights=[INSIGHT | {"content": content}])
    assert codes(found) == ["no_content"]
    assert found.operations == ()


def test_a_frontmatter_longer_than_the_preview_leaves_the_statements_to_be_shown() -> None:
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
    assert [document.text for document in reflect_question(kept, 300).documents] == [
        "# Backups\n\nBackups of the shop run at night.",
        "# Backups\n\nThe vault takes the backups of the shop.",
    ]
