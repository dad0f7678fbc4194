"""A dream in the profile of ByteRover applies, flags or only proposes the answers of its model."""

from collections.abc import Sequence
from datetime import datetime

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import Maturity, Memory, MemoryState, Signals
from shared.core.questions.question import Question
from shared.services.memories.write import NewText
from tests.support.builders import LONG_AGO, a_store, get_operations, run_dream, take_picture, texts, write
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.prune.answer import PruneAnswer, PruneDecision
from workers.phases.synthesize.answer import SynthesisDraft, SynthesizeAnswer

APPLIED = (OperationState.APPLIED, ReviewState.NONE)
FLAGGED = (OperationState.APPLIED, ReviewState.PENDING)
PROPOSED = (OperationState.PROPOSED, ReviewState.PENDING)

OUTAGE = "# 2026-11-10\n\nMalmo lost power yesterday. The fair is on 18 December.\n"
NOTES = {
    "ops/outage.md": OUTAGE,
    "shop/fonts.md": "# Fonts\n\nThe shop loads its fonts from the content network.\n",
    "shop/images.md": "# Images\n\nPictures of the shop are resized by a worker at night.\n",
}


def dream_over(ports: Ports, tenant: str, notes: Sequence[NewText], answer: BaseModel) -> Dream:
    """A dream over these notes, whose model gave this answer."""

    def say(question: Question) -> BaseModel | None:
        return answer if question.answer_type is type(answer) else None

    a_store(ports, tenant, profile="byterover")
    write(ports, tenant, list(notes))
    return run_dream(ports, tenant, ScriptedLlm(say))


def end_of(ports: Ports, tenant: str, dream: Dream, kind: OperationKind) -> tuple[OperationState, ReviewState]:
    """The state and the review of a dream's operation of a kind."""
    (found,) = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is kind]
    return found.state, found.review


def get_end(ports: Ports, tenant: str, kind: OperationKind, answer: BaseModel) -> tuple[OperationState, ReviewState]:
    return end_of(ports, tenant, dream_over(ports, tenant, texts(NOTES), answer), kind)


def live(ports: Ports, tenant: str) -> dict[str, Memory]:
    return {one.path: one for one in take_picture(ports, tenant).memories.values() if one.state is MemoryState.LIVE}


@pytest.mark.parametrize(
    ("said", "instead", "confidence", "end"),
    [
        ("yesterday", "yesterday (2026-11-09)", 0.9, APPLIED),
        ("yesterday", "yesterday (2026-11-09)", None, FLAGGED),
        ("yesterday", "yesterday (2026-11-09)", 0.6, PROPOSED),
        ("18 December", "18 December 2026", 0.9, APPLIED),
        ("lost power", "lost and regained power", 0.9, PROPOSED),
    ],
)
def test_a_temporal_update_is_applied_if_it_only_adds_dates_that_the_host_can_check_and_else_proposed(
    ports: Ports,
    tenant: str,
    said: str,
    instead: str,
    confidence: float | None,
    end: tuple[OperationState, ReviewState],
) -> None:
    action = ConsolidateAction(
        type="TEMPORAL_UPDATE",
        files=("ops/outage.md",),
        updated_content=OUTAGE.replace(said, instead),
        confidence=confidence,
    )
    answer = ConsolidateAnswer(actions=(action,))
    assert get_end(ports, tenant, OperationKind.TEMPORAL_UPDATE, answer) == end


@pytest.mark.parametrize(("confidence", "end"), [(0.9, APPLIED), (None, FLAGGED), (0.6, PROPOSED)])
def test_a_synthesis_of_which_its_model_is_unsure_is_only_proposed(
    ports: Ports, tenant: str, confidence: float | None, end: tuple[OperationState, ReviewState]
) -> None:
    draft = SynthesisDraft(
        title="The shop and its fonts",
        content="The shop loads its fonts from the content network.",
        summary="The shop loads its fonts from the content network.",
        sources=("shop/_index.md", "ops/_index.md"),
        confidence=confidence,
    )
    answer = SynthesizeAnswer(syntheses=(draft,))
    assert get_end(ports, tenant, OperationKind.CREATE, answer) == end


def test_a_synthesis_has_the_published_fields_in_the_published_order(ports: Ports, tenant: str) -> None:
    draft = SynthesisDraft(
        title="The shop and its fonts",
        content="The shop loads its fonts from the content network.",
        summary="The shop loads its fonts from the content network.",
        tags=("Shop Pages",),
        keywords=("fonts",),
        sources=("shop/_index.md", "ops/_index.md"),
        confidence=0.9,
    )
    dream = dream_over(ports, tenant, texts(NOTES), SynthesizeAnswer(syntheses=(draft,)))
    (made,) = [one for path, one in live(ports, tenant).items() if path not in NOTES and "ynthes" in one.content[:99]]
    fields = read_fields(made.content)
    assert list(fields) == [
        "title", "type", "confidence", "sources", "synthesized_at", "summary", "tags", "related", "keywords",
        "createdAt", "updatedAt",
    ]  # fmt: skip
    assert (fields["title"], fields["type"], fields["confidence"]) == (draft.title, "synthesis", 0.9)
    assert (fields["sources"], fields["tags"], fields["keywords"]) == ([*draft.sources], ["shop-pages"], ["fonts"])
    assert dream.finished_at is not None
    assert dream.created_at.replace(microsecond=0) <= datetime.fromisoformat(str(fields["synthesized_at"]))
    assert datetime.fromisoformat(str(fields["synthesized_at"])) <= dream.finished_at


TWINS = {
    "ops/rota.md": "---\ntitle: Rota\ncreatedAt: 2026-01-02\n---\n# Rota\n\nThe rota of the harbour changes on Mondays.\n",
    "ops/rota-2.md": "# Rota\n\nThe rota of the harbour changes on Mondays. Runa keeps it.\n",
}


def a_merge() -> ConsolidateAnswer:
    action = ConsolidateAction(type="MERGE", files=tuple(TWINS), output_file="ops/rota.md", edits=(), confidence=0.9)
    return ConsolidateAnswer(actions=(action,))


def test_a_merge_is_applied_waits_for_a_review_and_says_when_and_from_what_it_was_made(
    ports: Ports, tenant: str
) -> None:
    dream = dream_over(ports, tenant, texts(TWINS), a_merge())
    assert end_of(ports, tenant, dream, OperationKind.MERGE) == FLAGGED
    kept = live(ports, tenant)
    merged = kept["ops/rota.md"]
    assert "ops/rota-2.md" not in kept
    assert "Runa keeps it." in merged.content
    fields = read_fields(merged.content)
    assert list(fields)[:2] == ["title", "createdAt"], "the order of fields is kept"
    assert fields["consolidated_from"] == ["ops/rota-2.md"]
    assert dream.finished_at is not None
    at = datetime.fromisoformat(str(fields["consolidated_at"]))
    assert dream.created_at.replace(microsecond=0) <= at <= dream.finished_at


def test_a_merge_of_files_that_may_contradict_each_other_is_only_proposed(ports: Ports, tenant: str) -> None:
    other = TWINS | {"ops/rota-2.md": "# Rota\n\nThe rota of the harbour does not change on Mondays.\n"}
    dream = dream_over(ports, tenant, texts(other), a_merge())
    assert end_of(ports, tenant, dream, OperationKind.MERGE) == PROPOSED
    assert {path: one.content for path, one in live(ports, tenant).items() if path in other} == other


@pytest.mark.parametrize(("maturity", "end"), [("validated", APPLIED), ("core", FLAGGED)])
def test_a_cross_reference_is_applied_and_waits_for_a_review_only_where_a_file_is_core(
    ports: Ports, tenant: str, maturity: str, end: tuple[OperationState, ReviewState]
) -> None:
    notes = texts(NOTES, signals=Signals(maturity=Maturity(maturity)))
    link = ConsolidateAction(type="CROSS_REFERENCE", files=("shop/fonts.md", "shop/images.md"), confidence=0.5)
    dream = dream_over(ports, tenant, notes, ConsolidateAnswer(actions=(link,)))
    assert end_of(ports, tenant, dream, OperationKind.CROSS_REFERENCE) == end
    assert read_fields(live(ports, tenant)["shop/fonts.md"].content)["related"] == ["shop/images.md"]


def test_a_skip_changes_nothing_and_is_told(ports: Ports, tenant: str) -> None:
    skip = ConsolidateAction(type="SKIP", files=("shop/fonts.md", "shop/images.md"), reason="They are unrelated.")
    dream = dream_over(ports, tenant, texts(NOTES), ConsolidateAnswer(actions=(skip,)))
    assert {one.operation.kind for one in get_operations(ports, tenant, dream.id)} <= {OperationKind.INDEX}
    assert dream.summary is not None
    assert dream.summary.reasons["left_alone"] == 2, "the model said so of both domains"


OLD = {"ops/old.md": "# Old rota\n\nThis note is obsolete: the old rota ended.\n", "ops/rota.md": TWINS["ops/rota.md"]}


def test_keep_is_applied_without_a_review_and_starts_the_clock_of_staleness_again(ports: Ports, tenant: str) -> None:
    keep = PruneAnswer(decisions=(PruneDecision(file="ops/old.md", decision="KEEP", reason="It is still used."),))
    dream = dream_over(ports, tenant, texts(OLD, at=LONG_AGO), keep)
    assert end_of(ports, tenant, dream, OperationKind.KEEP) == APPLIED
    kept = live(ports, tenant)["ops/old.md"]
    assert kept.content == OLD["ops/old.md"]
    assert kept.touched_at >= dream.created_at


def test_an_archive_is_applied_waits_for_a_review_and_leaves_a_stub(ports: Ports, tenant: str) -> None:
    over = PruneDecision(
        file="ops/old.md", decision="ARCHIVE", reason="It says so.", ground="over", quote="This note is obsolete",
        stub="the old rota", confidence=0.9,
    )  # fmt: skip
    dream = dream_over(ports, tenant, texts(OLD, at=LONG_AGO), PruneAnswer(decisions=(over,)))
    assert end_of(ports, tenant, dream, OperationKind.ARCHIVE) == FLAGGED
    (gone,) = [one for one in take_picture(ports, tenant).memories.values() if one.path == "ops/old.md"]
    assert gone.state is MemoryState.ARCHIVED
    assert "old rota" in (gone.stub or "")


def test_merge_into_waits_for_the_next_dream_which_shows_the_source_and_clears_it(ports: Ports, tenant: str) -> None:
    into = PruneDecision(file="ops/old.md", decision="MERGE_INTO", merge_target="ops/rota.md", reason="Half of it.")
    first = dream_over(ports, tenant, texts(OLD, at=LONG_AGO), PruneAnswer(decisions=(into,)))
    assert end_of(ports, tenant, first, OperationKind.SUGGEST_MERGE) == APPLIED
    assert len(take_picture(ports, tenant).merges) == 1
    second = ScriptedLlm()
    run_dream(ports, tenant, second)
    (asked,) = [one.question for one in second.requests if one.question.answer_type is ConsolidateAnswer]
    assert "ops/old.md" in {one.path for one in asked.documents if one.role == "changed"}
    assert any("ops/old.md" in hint for hint in asked.hints)
    assert take_picture(ports, tenant).merges == []
