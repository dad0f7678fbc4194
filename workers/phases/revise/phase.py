"""Revise: show a model the store by statements, and mend what it finds is no longer so, stands twice or cannot both hold.

Reads every live text. A store that fits into the budget (`show.tokens`) is shown whole; of a larger one what changed, then its
relatives by words and by meaning, and of the rest a table of contents. May want UPDATE, MERGE, TEMPORAL_UPDATE, CROSS_REFERENCE and FLAG, where the model
refers to statements by their names, so that it copies nothing. Asks a second reader about changes that the checks neither refuse
nor confirm. Never touches code, quotations, superseded statements or generated index lines. Prompts: prompt.md and, for
the second reader, workers/ask/confirm.md.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.core.dates.anchor import find_said_at
from shared.core.dream.operations import Plan, Skip
from shared.core.memory.doc_type import is_digest
from shared.core.memory.headline import summary_of, title_of
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import ROOT_INDEX, Memory, MemoryKind
from shared.core.merging.candidates import QUERY_WORDS, index_entries
from shared.core.policy.policy import BYTES_A_TOKEN
from shared.core.questions.question import Document, Question
from shared.core.reading.placed import name_document, render_placed
from shared.core.text.clip import clip
from shared.core.text.similarity import significant_words
from shared.ports.memories import TextLine
from workers.phase.by_reference import Statements, UpdateView, find_gone
from workers.phase.flags import find_flagged
from workers.phase.gathered import find_gathered
from workers.phase.index_cache import INDEX_CACHE
from workers.phase.second_question import confirm_question, find_confirmed
from workers.phase.shape import Answers, Consumed, EndedPhase, NothingToDo, Offered, Phase, PhaseContext, Surroundings
from workers.phases.revise import ENTRY, NAME
from workers.phases.revise.answer import UpdateAnswer
from workers.phases.revise.merges import judge_merges
from workers.phases.revise.plan import Change, find_to_confirm, judge_answer, plan_updates

_KEY = "store"
#: So many tokens of known memories are shown for one that changed, and at least so many.
_KNOWN_FOR_CHANGED, _LEAST_TOKENS = 1, 6_000
_RELATIVES = 8
#: A table of contents has at most this many rows.
_MOST_LISTED = 50
#: The facts about a file name at most this many files that are gone.
_MOST_GONE = 10
_NUMBERED = re.compile(r"\d+")
_FEWEST_OF_SERIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the question: what is shown whole, what is only listed, and how many memories are neither."""

    memories: tuple[Memory, ...]
    changed: tuple[str, ...]
    listed: tuple[Memory, ...] = ()
    series: frozenset[str] = frozenset()
    live_paths: frozenset[str] = frozenset()
    flagged: frozenset[str] = frozenset()
    unshown: int = 0

    @property
    def view(self) -> UpdateView:
        """Return what the plan decides by."""
        return UpdateView(
            memories=self.memories,
            listed=self.listed,
            series=self.series,
            live_paths=self.live_paths,
            flagged=self.flagged,
        )


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Choose what is shown."""
    if not context.has_model():
        return NothingToDo("only a model can tell which statements a later one changed")
    store = context.uow.memories(context.store.id)
    gathered = find_gathered(context)
    if not (gathered or store.find_changed()):
        return NothingToDo("no memory changed since the last dream")
    lines = {one.path: one for one in store.find_texts() if _is_shown(one)}
    changed = [path for path, one in lines.items() if one.is_dirty or path in gathered]
    if not changed:
        return NothingToDo("no memory that is knowledge changed since the last dream")
    shown = _choose_shown(context, lines, changed)
    rest = [path for path in lines if path not in set(shown)]
    listed = [path for path in rest if lines[path].path != ROOT_INDEX][:_MOST_LISTED]
    found = {one.path: one for one in store.find_live([lines[path].id for path in (*shown, *listed)])}
    return Inputs(
        memories=tuple(found[path] for path in shown if path in found),
        changed=tuple(path for path in changed if path in found),
        listed=tuple(found[path] for path in listed if path in found),
        series=find_series(lines),
        live_paths=frozenset(path for _, path in context.uow.catalog(context.store.id).find_paths("")),
        flagged=find_flagged(context),
        unshown=len(rest),
    )


def _is_shown(one: TextLine) -> bool:
    kind = kind_of_text(one.path, one.text)
    is_knowledge = kind in {MemoryKind.TOPIC, MemoryKind.LOG} or one.path == ROOT_INDEX
    return is_knowledge and not is_digest(one.text)


def find_series(paths: Mapping[str, object] | Sequence[str]) -> frozenset[str]:
    """Return the paths that differ from at least two others by numbers alone: the logs of days, numbered entries."""
    rows = Counter(_NUMBERED.sub("#", path) for path in paths)
    return frozenset(
        path for path in paths if "#" in (row := _NUMBERED.sub("#", path)) and rows[row] >= _FEWEST_OF_SERIES
    )


def _choose_shown(context: PhaseContext, lines: Mapping[str, TextLine], changed: Sequence[str]) -> list[str]:
    """Return the paths that are shown whole, within the budget of tokens: what changed, its relatives, then the rest."""
    sizes = {path: int(len(one.text.encode()) / BYTES_A_TOKEN) + 1 for path, one in lines.items()}
    new = sum(sizes[path] for path in changed)
    left = min(context.policy.show.tokens, max(_LEAST_TOKENS, (1 + _KNOWN_FOR_CHANGED) * new))
    shown: list[str] = []
    is_whole = sum(sizes.values()) <= left
    order = lines if is_whole else _rank(context, lines, changed)
    for path in order:
        if path not in shown and sizes[path] <= left:
            left -= sizes[path]
            shown.append(path)
    return sorted(shown)


def _rank(context: PhaseContext, lines: Mapping[str, TextLine], changed: Sequence[str]) -> Iterator[str]:
    """Yield what changed, the root index, then the relatives of what changed, the nearest of each first."""
    yield from changed
    yield from (path for path in lines if path == ROOT_INDEX)
    by_id = {one.id: path for path, one in lines.items()}
    alike = context.find_alike([lines[path].id for path in changed], _RELATIVES)
    # The same texts that consolidate searches, so that a large store is indexed once.
    texts = {path: one.text for path, one in lines.items() if kind_of_text(path, one.text) is MemoryKind.TOPIC}
    with INDEX_CACHE.borrow(context.store.id, index_entries(texts)) as index:
        ranked = [
            [
                *(by_id[one] for one in alike.get(lines[path].id, ()) if one in by_id),
                *(
                    found
                    for found, _ in index.search(
                        significant_words(f"{path} {lines[path].text}", QUERY_WORDS), _RELATIVES
                    )
                ),
            ]
            for path in changed
        ]
    for place in range(2 * _RELATIVES):
        yield from (found[place] for found in ranked if place < len(found))


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question over the statements."""
    changed = set(inputs.changed)
    documents = [
        Document(
            path=memory.path,
            text=render_placed(memory.content, name_document(number)),
            role="changed" if memory.path in changed else "known",
            at=_day_of(memory),
            facts=_tell_gone(memory, inputs.live_paths),
        )
        for number, memory in enumerate(inputs.memories)
    ]
    documents += [
        Document(path=memory.path, text=memory.content, role="listed", excerpt=_line_of(memory))
        for memory in inputs.listed
    ]
    return (
        Question(
            phase=NAME,
            key=_KEY,
            documents=tuple(documents),
            answer_type=UpdateAnswer,
            without_model=lambda _: UpdateAnswer(),  # no rule knows what is no longer so
        ),
    )


def _tell_gone(memory: Memory, live_paths: frozenset[str]) -> tuple[str, ...]:
    gone = find_gone(memory.content, live_paths)
    return (f"names files that are gone: {', '.join(gone[:_MOST_GONE])}",) if gone else ()


def _day_of(memory: Memory) -> str:
    said_at = find_said_at(memory)
    return said_at.date().isoformat() if said_at is not None else ""


def _line_of(memory: Memory) -> str:
    return clip(f"{title_of(memory.path, memory.content)}: {summary_of(memory.content)}")


def confirm(inputs: Inputs, answers: Answers) -> tuple[Question, ...]:
    """Ask a second reader about the changes that the checks do not confirm, all in one question."""
    answer = answers.get(_KEY)
    if not isinstance(answer, UpdateAnswer):
        return ()
    statements = Statements(inputs.view)
    doubted = find_to_confirm(judge_answer(statements, answer))
    merges, _ = judge_merges(statements, inputs.view, answer)
    return confirm_question(
        NAME,
        [*((one.name, _tell(one)) for one in doubted), *(told for one in merges for told in one.merge.find_doubted())],
    )


def _tell(change: Change) -> str:
    """Return a change as the second reader sees it, without the first one's reasons."""
    where = " > ".join((change.memory.path, *(one.lstrip("# ") for one in change.placed.under)))
    lines = [f"before ({where}): {change.placed.text}"]
    role = "stays" if change.update.is_repeat else "shows the change"
    for one in change.update.by:
        above = " > ".join((one.path, *(heading.lstrip("# ") for heading in one.placed.under)))
        lines.append(f"{role} ({above}{f', {one.said_on}' if one.said_on else ''}): {one.text}")
    lines.append(f"after: {_tell_after(change)}")
    return "\n".join(lines)


def _tell_after(change: Change) -> str:
    if change.update.is_repeat:
        return "nothing; the statement is left out"
    return change.update.write or "nothing; the statement moves to the superseded part"


def offer(inputs: Inputs) -> Offered:
    """Offer the paths of what was shown whole, so that later phases need not ask about it again."""
    return Offered(shown=frozenset(memory.path for memory in inputs.memories))


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn the answer into operations under every check."""
    answer = answers.get(_KEY)
    if not isinstance(answer, UpdateAnswer):
        return Plan(skips=(Skip(code="no_answer", detail=f"{NAME}: the model gave no usable answer"),))
    planned = plan_updates(inputs.view, answer, find_confirmed(answers), around)
    if not inputs.unshown:
        return planned
    detail = f"{inputs.unshown} memories were not shown by statements, {len(inputs.listed)} of them by their titles"
    return Plan(operations=planned.operations, skips=(*planned.skips, Skip(code="not_shown", detail=detail)))


def consume(ended: EndedPhase[Inputs]) -> Consumed:
    """Leave what changed in the changed set if its question has no answer: the next dream asks again."""
    if ended.inputs is None or ended.is_through or _KEY in ended.find_answered():
        return Consumed()
    changed = set(ended.inputs.changed)
    return Consumed(unread=frozenset(memory.id for memory in ended.inputs.memories if memory.path in changed))


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    confirm=confirm,
    plan=plan,
    offer=offer,
    consume=consume,
    keeps_inputs=True,
    makes_vectors=True,
    needs_exam=True,
)
