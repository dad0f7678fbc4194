"""The demo's memories: the offline model finds every kind of decision in them, and none that would embarrass."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from shared.adapters.llm.offline import OfflineLlm
from shared.core.memory.frontmatter import read_fields, split_frontmatter
from shared.core.memory.model import domain_of
from shared.core.memory.paths import check_memory_path
from shared.core.merging.specifics import find_missing_specifics
from shared.core.questions.question import Document, Question
from shared.ports.llm import LlmRequest
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.consolidate.offline import decide_consolidation
from workers.phases.prune.answer import PruneAnswer, PruneDecision
from workers.phases.prune.offline import decide_pruning

TREE = Path(__file__).parents[3] / "gateway" / "demo_tenant"
RULES: dict[str, Callable[[Question], BaseModel]] = {
    "consolidate": decide_consolidation,
    "prune": decide_pruning,
}
STALE_BEFORE = "2025-09"
CONTRADICTION = {"billing/label-refunds.md", "billing/refund-window.md"}
AnyAnswer = TypeVar("AnyAnswer", bound=BaseModel)


@cache
def read_tree() -> dict[str, str]:
    files = sorted(TREE.rglob("*.md"))
    return {file.relative_to(TREE).as_posix(): file.read_text(encoding="utf-8") for file in files}


def updated_on(text: str) -> str:
    return str(read_fields(text).get("updatedAt", ""))[:10]


def is_stale(text: str) -> bool:
    fields = read_fields(text)
    return fields.get("maturity") == "draft" and "" < updated_on(text) < STALE_BEFORE


def ask(phase: str, documents: list[Document], answer_type: type[AnyAnswer], *hints: str) -> AnyAnswer:
    question = Question(
        phase=phase,
        key=phase,
        documents=tuple(documents),
        answer_type=answer_type,
        hints=hints,
        without_model=RULES[phase],
    )
    request = LlmRequest(question=question, prefix="", instructions="", max_output_tokens=1_000, timeout_seconds=1)
    answer = OfflineLlm().decide(request).answer
    assert isinstance(answer, answer_type)
    return answer


def consolidate(domain: str) -> tuple[ConsolidateAction, ...]:
    documents = [
        Document(path=path, text=text, role="changed" if domain_of(path) == domain else "related", at=updated_on(text))
        for path, text in read_tree().items()
    ]
    return ask("consolidate", documents, ConsolidateAnswer).actions


@cache
def consolidate_all() -> tuple[ConsolidateAction, ...]:
    return tuple(
        action for domain in sorted({domain_of(path) for path in read_tree()}) for action in consolidate(domain)
    )


@cache
def prune() -> dict[str, PruneDecision]:
    documents = [
        Document(path=path, text=text, role="candidate" if is_stale(text) else "neighbour")
        for path, text in read_tree().items()
    ]
    return {decision.file: decision for decision in ask("prune", documents, PruneAnswer).decisions}


def of_type(kind: str) -> list[ConsolidateAction]:
    return [action for action in consolidate_all() if action.type == kind]


def test_the_tree_holds_about_forty_memories_in_five_domains_with_safe_paths_and_valid_frontmatter() -> None:
    tree = read_tree()
    assert 35 <= len(tree) <= 50
    assert len({domain_of(path) for path in tree}) == 5
    for path, text in tree.items():
        assert check_memory_path(path) == path
        assert split_frontmatter(text).is_valid, path
    assert sum(not text.startswith("---") for text in tree.values()) >= 3
    assert sum(read_fields(text).get("maturity") == "core" for text in tree.values()) >= 1


def test_duplicates_are_merged_within_a_domain_and_across_two() -> None:
    merges = {frozenset(action.files) for action in of_type("MERGE")}
    assert merges >= {
        frozenset({"api/rate-limits.md", "api/throttling.md"}),
        frozenset({"billing/failed-payments.md", "billing/dunning.md"}),
        frozenset({"operations/label-printer-outage.md", "support/label-printer-offline.md"}),
        frozenset({"security/sso-login.md", "security/single-sign-on.md"}),
    }


def test_no_merge_loses_a_specific_or_says_a_heading_twice() -> None:
    for action in of_type("MERGE"):
        content = action.merged_content or ""
        assert find_missing_specifics(content, [read_tree()[path] for path in action.files]) == ()
        headings = [line for line in content.splitlines() if line.startswith("#")]
        assert len(headings) == len(set(headings))


def test_the_two_refund_windows_stay_apart() -> None:
    assert not [action for action in of_type("MERGE") if CONTRADICTION & set(action.files)]


def test_most_notes_are_left_alone() -> None:
    skipped = {path for action in of_type("SKIP") for path in action.files}
    assert {"support/tone-of-voice.md", "billing/tax-rounding.md", "operations/deploy-freeze.md"} <= skipped


def test_of_the_stale_drafts_only_the_obsolete_one_is_archived() -> None:
    assert {path: decision.decision for path, decision in prune().items()} == {
        "operations/old-staging-cluster.md": "ARCHIVE"
    }
