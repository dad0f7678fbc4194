"""Call each rule that answers a question without a model, with documents that hold one hostile text."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from pydantic import BaseModel

from shared.core.merging.calls import Part
from shared.core.policy.policy import GatherPolicy
from shared.core.questions.question import Document, Question
from shared.core.text.markdown import Block, BlockKind, read_sections
from shared.core.text.wording import wording_of
from tests.unit.core.growth.dressed import in_block, like
from workers.offline.join_texts import merge_bodies
from workers.offline.lines import read_lines
from workers.offline.outline import Outline, add_block, extend_unit, open_with
from workers.offline.phrases import blames, is_worth_keeping, state_plainly, title_statement
from workers.phases.consolidate.offline import decide_consolidation, decide_parts
from workers.phases.digest.offline import decide_digest
from workers.phases.gather.answer import GatheredMemory
from workers.phases.gather.offline import decide_gathering, keep_latest
from workers.phases.gather.placement import IS_NOTED
from workers.phases.gather.targets import is_one_claim
from workers.phases.infer_preferences.offline import decide_preferences
from workers.phases.learn_from_workflows.offline import decide_workflows
from workers.phases.merge_skills.offline import decide_skill_merges
from workers.phases.prune.offline import decide_archiving, decide_pruning
from workers.phases.repair_skills.offline import decide_skill_repairs

Entry = Callable[[str], object]
_POLICY = GatherPolicy()


def _outline(text: str) -> object:
    sections = read_sections(text)
    grown = add_block(sections[0], Block(kind=BlockKind.PROSE, units=(text,)))
    return Outline((open_with(grown, Block(kind=BlockKind.PROSE, units=(text,))), *sections[1:])).sections()


def _grow(text: str) -> object:
    section = max(read_sections(text), key=lambda one: len(one.blocks))
    last = section.blocks[-1].units[-1] if section.blocks and section.blocks[-1].units else text
    longer = (f"{last} It goes on.", f"{last}\n\nIt goes on.")
    return [extend_unit(section, {wording_of(last)}, text) for text in longer]


def _ask(decide: Callable[[Question], BaseModel], *documents: Document) -> BaseModel:
    question = Question(phase="p", key="k", documents=documents, answer_type=BaseModel)
    return decide(question)


def _doc(path: str, text: str, role: str, *facts: str) -> Document:
    return Document(path=path, text=text, role=role, at="2026-03-01", facts=facts)


def _twins(text: str, role: str) -> list[Document]:
    """Two documents that say nearly the same."""
    return [_doc("a/one.md", text, role), _doc("a/two.md", f"{text} And more.", role)]


def _many(text: str, role: str) -> list[Document]:
    """Twenty documents of which each has a part of the text."""
    size = max(1, len(text) // 20)
    return [_doc(f"a/{n}.md", text[n * size : (n + 1) * size], role) for n in range(20)]


def _session(text: str, mark: str = "*", role: str = "user") -> str:
    """Return the text as lines of a session, each a hit, cut as a question cuts what it shows."""
    lines = [text[start : start + _POLICY.line_chars] for start in range(0, len(text), _POLICY.line_chars)]
    shown = (line.replace("\n", "\n  ") for line in lines[: _POLICY.payload_cap_chars // _POLICY.line_chars])
    return "\n".join(f"[{number}]{mark} {role} 2026-03-01T10:00: {line}" for number, line in enumerate(shown))


def _stated(text: str) -> list[GatheredMemory]:
    return [
        GatheredMemory(kind="correction", statement=part, window="w", quote=part, title="t")
        for part in text[:60_000].split("\n")[:100]
    ]


def _runs(text: str) -> str:
    """Return what a group of workflow runs shows, with the text as steps and errors."""
    parts = [text[start : start + 1_000] for start in range(0, min(len(text), 100_000), 1_000)]
    return "\n\n".join(f"2026-03-01 {part[:500]}\n1. {part}\n2. {part}\nended with: {part}" for part in parts)


_PARTS = (Part(changed=("a/one.md",), related=("a/two.md",)), Part(changed=("a/two.md",), related=()))
ENTRIES: Mapping[Callable[..., object], Sequence[Entry]] = {
    decide_consolidation: [
        lambda text: _ask(decide_consolidation, *_twins(text[:100_000], "changed")),
        lambda text: _ask(decide_consolidation, *_many(text[:200_000], "changed")),
        lambda text: _ask(decide_consolidation, *_twins(in_block(text), "changed")),
    ],
    decide_parts: [lambda text: _ask(partial(decide_parts, _PARTS), *_twins(text[:100_000], "changed"))],
    decide_digest: [lambda text: _ask(decide_digest, *_twins(text, "memory"))],
    decide_gathering: [
        lambda text: _ask(decide_gathering, _doc("w", _session(text), "session"), *_twins(text[:60_000], "existing")),
        lambda text: _ask(
            decide_gathering, _doc("w", _session(text), "session", IS_NOTED), *_twins(text[:60_000], "existing")
        ),
    ],
    keep_latest: [lambda text: keep_latest(_stated(text))],
    is_one_claim: [lambda text: is_one_claim(text, like(text))],
    decide_preferences: [
        lambda text: _ask(decide_preferences, _doc("w", _session(text), "session")),
        lambda text: _ask(
            decide_preferences, *(_doc(f"f{n}", text[:20_000], "feedback", "correction") for n in range(3))
        ),
    ],
    decide_workflows: [
        lambda text: _ask(
            decide_workflows, _doc("failures/1", _runs(text), "failures", f"classification {text[:200]}")
        ),
        lambda text: _ask(decide_workflows, _doc("successes/1", _runs(text), "successes")),
        lambda text: _ask(
            decide_workflows, _doc("successes/1", text, "successes"), _doc("failures/1", text, "failures")
        ),
    ],
    decide_skill_merges: [
        lambda text: _ask(decide_skill_merges, *_twins(text[:60_000], "skill")),
        lambda text: _ask(decide_skill_merges, *_many(text[:60_000], "skill"), _doc("used-together", text, "signal")),
    ],
    decide_archiving: [
        lambda text: decide_archiving(_doc("a.md", text, "candidate"), _twins(text, "neighbour")),
    ],
    decide_pruning: [
        lambda text: _ask(decide_pruning, _doc("a.md", text, "candidate"), *_twins(text, "neighbour")),
        lambda text: _ask(decide_pruning, *_many(text[:60_000], "candidate"), *_many(text[:60_000], "neighbour")),
    ],
    decide_skill_repairs: [
        lambda text: _ask(decide_skill_repairs, _doc("a", text, "skill", f"2026-03-01 correction: {text[:500]}")),
    ],
    # Reflection is shown the first 300 characters of each memory.
    merge_bodies: [lambda text: merge_bodies(text, [like(text), text[::-1]])],
    Outline: [_outline],
    add_block: [_outline],
    extend_unit: [_grow],
    open_with: [_outline],
    read_lines: [lambda text: list(read_lines(text)), lambda text: list(read_lines(_session(text)))],
    blames: [blames, lambda text: blames(f"you {text}")],
    state_plainly: [state_plainly, lambda text: state_plainly(f"remember that {text}")],
    title_statement: [title_statement],
    is_worth_keeping: [lambda text: [is_worth_keeping(kind, text) for kind in ("decision", "correction")]],
}
