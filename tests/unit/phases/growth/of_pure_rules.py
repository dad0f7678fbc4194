"""Call the rules of phases that read texts without asking anything, each with one hostile text."""

from collections.abc import Callable, Mapping, Sequence

from shared.core.dream.operations import OperationKind
from shared.core.evaluation.around_dream import Touched, searched
from shared.core.learning.feedback import RunOutcome, WorkflowRun
from shared.core.memory.model import INDEX_BEGIN, INDEX_END, Author
from shared.core.policy.policy import IndexPolicy, SkillsPolicy, WorkflowPolicy
from tests.unit.builders import NOW, head_of, memory
from tests.unit.core.growth.dressed import Entry, as_field, in_block, like
from workers.phase.merge_changes import find_refined_fields
from workers.phase.text_edits import MAX_EDITS, TextEdit, edit_body, join_by_edits
from workers.phases.consolidate.answer import ConsolidateAction
from workers.phases.consolidate.merge import (
    MergeDraft,
    plan_merge,
)
from workers.phases.consolidate.published_contract import read_memory_contract
from workers.phases.find_skill_gaps.plan import terms_of
from workers.phases.gather.episodes import find_episode
from workers.phases.index.handwritten import find_overflow, free_own_lines, room_of
from workers.phases.index.root import IndexView, frame_of, write_root
from workers.phases.learn_from_workflows.plan import find_failures, find_successes, kind_of_run
from workers.phases.recall_guard.plan import draw_probes


def _draft(text: str) -> MergeDraft:
    action = ConsolidateAction(type="MERGE", files=("a/one.md", "a/two.md"), merged_content=text)
    return MergeDraft.of((memory("a/one.md", text), memory("a/two.md", like(text))), action)


def _edits(text: str) -> list[TextEdit]:
    """As many edits as may be, each with other words of the text."""
    size = max(1, len(text) // MAX_EDITS)
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    dropped = [TextEdit(words=part, keep=parts[0]) for part in parts[::2]]
    return [*dropped, *(TextEdit(words=part, write=like(part), until="2026-03-04") for part in parts[1::2])]


def _index(text: str) -> IndexView:
    """An index by hand, and a generated one of a folder that was changed since."""
    indexes = {
        "MEMORY.md": memory("MEMORY.md", text),
        "a/_index.md": memory("a/_index.md", frame_of("A") + text, author=Author.AGENT),
    }
    heads = (head_of(memory("a/one.md", text)), head_of(memory("b/two.md", "# Two\n")))
    return IndexView(heads=heads, indexes=indexes, moved={}, policy=IndexPolicy(), written={"a/_index.md": "- a\n"})


def _runs(text: str) -> list[WorkflowRun]:
    """Runs as long as they may be, of which each has a part of the text."""
    parts = [text[start : start + 20_000] for start in range(0, len(text), 20_000)]
    return [
        WorkflowRun(
            id=f"r{number}",
            external_id="",
            description=part,
            steps=(part[:500],),
            outcome=outcome,
            classification=part[:200],
            error=part,
            skills=(),
            session="",
            occurred_at=NOW,
        )
        for number, part in enumerate(parts)
        for outcome in (RunOutcome.FAILURE, RunOutcome.SUCCESS)
    ]


def _touched(text: str) -> list[Touched]:
    before, after = memory("a.md", text), memory("b.md", f"{text} More.")
    return [Touched(operation_id="op", kind=OperationKind.MERGE, before=(before,), after=(after,))]


ENTRIES: Mapping[Callable[..., object], Sequence[Entry]] = {
    find_refined_fields: [
        lambda text: find_refined_fields(text, text, [text, *text[:8_000].split()[:400]]),
        lambda text: find_refined_fields(in_block(f"tags: [{text}]"), "topic", [text[:1_000]]),
    ],
    plan_merge: [
        lambda text: plan_merge(_draft(text), frozenset(), NOW),
        lambda text: plan_merge(_draft(as_field(text)), frozenset(), NOW),
    ],
    join_by_edits: [lambda text: join_by_edits(text, [like(text)], _edits(text))],
    edit_body: [lambda text: edit_body(text, _edits(text))],
    read_memory_contract: [
        lambda text: read_memory_contract(
            {"toSave": [{"content": text, "sourceIds": text.split()}], "toDelete": [text]}
        )
    ],
    terms_of: [lambda text: terms_of(text, SkillsPolicy())],
    find_episode: [lambda text: find_episode("fact", text)],
    room_of: [lambda text: room_of(IndexPolicy(), text)],
    find_overflow: [lambda text: find_overflow(text, (), IndexPolicy())],
    free_own_lines: [
        lambda text: free_own_lines(memory("MEMORY.md", f"{INDEX_BEGIN}\n{text}\n{INDEX_END}\n"), "", "", ()),
        lambda text: free_own_lines(memory("a/_index.md", frame_of("A") + text), text[:-9], frame_of("A"), ("x.md",)),
    ],
    write_root: [lambda text: write_root(_index(text), _index(text).heads, text, ())],
    kind_of_run: [lambda text: kind_of_run(_runs(text[:20_000])[0])],
    find_failures: [lambda text: find_failures(_runs(text), WorkflowPolicy())],
    find_successes: [lambda text: find_successes(_runs(text), WorkflowPolicy(), ["a"])],
    searched: [searched, lambda text: searched(as_field(text))],
    draw_probes: [lambda text: draw_probes(_touched(text)), lambda text: draw_probes(_touched(as_field(text)))],
}
