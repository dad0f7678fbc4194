"""Revise: show a model the store by statements, and mend what it finds is no longer so, stands twice or cannot both hold.

Reads every live text. A store that fits into the budget (`show.tokens`) is shown whole; of a larger one what changed, then its
relatives by words and by meaning, and of the rest a table of contents, at which an answer may look once: what it names is opened, and
it is asked once more. May want UPDATE, MERGE, TEMPORAL_UPDATE, CROSS_REFERENCE and FLAG, where the model refers to statements by
their names, so that it copies nothing. Asks a second reader about changes that the checks neither refuse
nor confirm. Never touches code, quotations, superseded statements or generated index lines. Prompts: prompt.md and, for
the second reader, workers/ask/confirm.md.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shared.core.dream.operations import Plan, Skip
from shared.core.memory.headline import summary_of, title_of
from shared.core.memory.links import find_links, list_targets, name_target
from shared.core.memory.model import ROOT_INDEX, Memory
from shared.core.merging.candidates import QUERY_WORDS
from shared.core.questions.question import Document, Question
from shared.core.reading.placed import Form, render_placed
from shared.core.text.clip import clip
from shared.core.text.similarity import significant_words
from shared.ports.memories import TextLine
from workers.phase.by_reference import Statements, UpdateView, find_gone
from workers.phase.flags import find_flagged, tell_decided
from workers.phase.second_question import confirm_question, find_confirmed
from workers.phase.shape import Answers, Consumed, EndedPhase, NothingToDo, Offered, Phase, PhaseContext, Surroundings
from workers.phase.this_dream import find_gathered
from workers.phases.revise import ENTRY, NAME
from workers.phases.revise.answer import UpdateAnswer
from workers.phases.revise.days import tell_days
from workers.phases.revise.look import Look, count_tokens, find_lines, open_wanted, search_lines
from workers.phases.revise.merges import judge_merges
from workers.phases.revise.plan import Change, find_to_confirm, judge_answer, plan_updates

_KEY, _LOOK_KEY = "store", "store/look"
#: So many tokens of known memories are shown for one that changed, and at least so many.
_KNOWN_FOR_CHANGED, _LEAST_TOKENS = 1, 6_000
_RELATIVES = 8
#: Of the budget of a store that does not fit, the part that is kept for a look.
_KEPT_FOR_LOOK = 1 / 6
#: A table of contents has at most this many rows.
_MOST_LISTED = 50
#: The facts about a file name at most this many files that are gone.
_MOST_GONE = 10
_NUMBERED = re.compile(r"\d+")
_FEWEST_OF_SERIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the questions: what is shown whole, what is only listed, and how many memories are not shown whole.

    `waiting` has the ids of those that changed and fit into no question of this dream: the next one shows them. An answer may look at
    what is listed: `look` is what it is shown then, within `look_tokens`.
    """

    memories: tuple[Memory, ...]
    changed: tuple[str, ...]
    listed: tuple[Memory, ...] = ()
    series: frozenset[str] = frozenset()
    live_paths: frozenset[str] = frozenset()
    moved: Mapping[str, str] = field(default_factory=dict)
    flagged: frozenset[str] = frozenset()
    #: By path, what waits for a person or was refused: a model is told of it.
    decided: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unshown: int = 0
    waiting: frozenset[str] = frozenset()
    look_tokens: int = 0
    look: Look | None = None

    @property
    def view(self) -> UpdateView:
        """Return what the plan decides by."""
        return UpdateView(
            memories=self.memories + (self.look.opened if self.look is not None else ()),
            listed=self.listed,
            series=self.series,
            live_paths=self.live_paths,
            moved=self.moved,
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
    lines = find_lines(context)
    changed = [path for path, one in lines.items() if one.is_dirty or path in gathered]
    if not changed:
        return NothingToDo("no memory that is knowledge changed since the last dream")
    shown, rest, left = _choose_shown(context, lines, changed)
    listed = [path for path in rest if path != ROOT_INDEX][:_MOST_LISTED]
    live = dict(context.uow.catalog(context.store.id).find_paths(""))
    found = {one.path: one for one in store.find_live([lines[path].id for path in (*shown, *listed)])}
    memories = tuple(found[path] for path in shown if path in found)
    return Inputs(
        memories=memories,
        changed=tuple(path for path in changed if path in found),
        listed=tuple(found[path] for path in listed if path in found),
        series=find_series(lines),
        live_paths=frozenset(live.values()),
        moved={path: live[to] for path, to in store.find_moves() if to in live},
        flagged=find_flagged(context),
        decided=tell_decided(context, memories),
        unshown=len(rest),
        waiting=frozenset(lines[path].id for path in set(changed) & {*rest} if _fits(context, lines[path])),
        look_tokens=left,
    )


def find_series(paths: Mapping[str, object] | Sequence[str]) -> frozenset[str]:
    """Return the paths that differ from at least two others by numbers alone: the logs of days, numbered entries."""
    rows = Counter(_NUMBERED.sub("#", path) for path in paths)
    return frozenset(
        path for path in paths if "#" in (row := _NUMBERED.sub("#", path)) and rows[row] >= _FEWEST_OF_SERIES
    )


def _fits(context: PhaseContext, line: TextLine) -> bool:
    """Tell whether a memory alone fits beside a look: a longer one is never shown whole."""
    return count_tokens(line.text) <= int(context.policy.show.tokens * (1 - _KEPT_FOR_LOOK))


def _choose_shown(
    context: PhaseContext, lines: Mapping[str, TextLine], changed: Sequence[str]
) -> tuple[list[str], list[str], int]:
    """Return the paths that are shown whole, within the budget of tokens, the rest, and the tokens of a look.

    First comes what changed, then its relatives, then the rest.
    """
    sizes = {path: count_tokens(one.text) for path, one in lines.items()}
    most = max(_LEAST_TOKENS, (1 + _KNOWN_FOR_CHANGED) * sum(sizes[path] for path in changed))
    left = min(context.policy.show.tokens, most)
    if sum(sizes.values()) <= left:
        return sorted(lines), [], 0
    left = min(left, int(context.policy.show.tokens * (1 - _KEPT_FOR_LOOK)))
    shown: list[str] = []
    ranked = tuple(dict.fromkeys(_rank(context, lines, changed)))
    for path in ranked:
        if sizes[path] <= left:
            left -= sizes[path]
            shown.append(path)
    known = set(shown)
    rest = [path for path in dict.fromkeys((*ranked, *lines)) if path not in known]
    return sorted(shown), rest, min(most, context.policy.show.tokens - sum(sizes[path] for path in shown))


def _rank(context: PhaseContext, lines: Mapping[str, TextLine], changed: Sequence[str]) -> Iterator[str]:
    """Yield what changed, the root index, then the relatives of what changed, the nearest of each first."""
    yield from changed
    yield from (path for path in lines if path == ROOT_INDEX)
    by_id = {one.id: path for path, one in lines.items()}
    alike = context.find_alike([lines[path].id for path in changed], _RELATIVES)
    queries = [significant_words(f"{path} {lines[path].text}", QUERY_WORDS) for path in changed]
    found = search_lines(context, lines, queries, _RELATIVES)
    ranked = [
        [*(by_id[one] for one in alike.get(lines[path].id, ()) if one in by_id), *near]
        for path, near in zip(changed, found, strict=True)
    ]
    for place in range(2 * _RELATIVES):
        yield from (near[place] for near in ranked if place < len(near))


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question over the statements."""
    statements = Statements(inputs.view)
    documents = [_document(inputs, statements, memory) for memory in inputs.memories]
    documents += [
        Document(path=memory.path, text=memory.content, role="listed", excerpt=_line_of(memory))
        for memory in inputs.listed
    ]
    return (_question(_KEY, documents),)


def look(context: PhaseContext, inputs: Inputs, answers: Answers) -> Inputs:
    """Open what the answer wants to see, as far as the budget reaches; a store that is shown whole has nothing to open."""
    answer = answers.get(_KEY)
    wish = answer.look if isinstance(answer, UpdateAnswer) else None
    if inputs.look is not None or wish is None or not (wish.files or wish.search) or not inputs.unshown:
        return inputs
    return replace(inputs, look=open_wanted(context, inputs.view, wish, inputs.changed, inputs.look_tokens))


def repair(inputs: Inputs, answers: Answers) -> tuple[Question, ...]:
    """Ask once more, over what a look opened and what makes it wanted; every statement keeps its name."""
    if inputs.look is None or not inputs.look.opened or _LOOK_KEY in answers:
        return ()
    seen = {*inputs.look.again, *(memory.path for memory in inputs.look.opened)}
    statements = Statements(inputs.view)
    documents = [_document(inputs, statements, memory) for memory in inputs.view.memories if memory.path in seen]
    return (_question(_LOOK_KEY, documents),)


def _question(key: str, documents: Sequence[Document]) -> Question:
    return Question(
        phase=NAME,
        key=key,
        documents=tuple(documents),
        answer_type=UpdateAnswer,
        without_model=lambda _: UpdateAnswer(),  # no rule knows what is no longer so
    )


def _document(inputs: Inputs, statements: Statements, memory: Memory) -> Document:
    known = "changed" if memory.path in inputs.changed else "known"
    opened = inputs.look.opened if inputs.look is not None else ()
    at, said = tell_days(statements, memory)
    return Document(
        path=memory.path,
        text=render_placed(memory.content, statements.letters[memory.path], statements.read(memory)),
        role="opened" if memory in opened else known,
        at=at,
        facts=(
            *said,
            *_tell_gone(statements, memory),
            *_tell_unlinked(statements, memory),
            *inputs.decided.get(memory.path, ()),
        ),
    )


def _tell_gone(statements: Statements, memory: Memory) -> tuple[str, ...]:
    """Return the fact that tells which files that are gone its statements name, as far as these may be changed."""
    moved, live_paths = statements.view.moved, statements.view.live_paths
    texts = (one.text for one in statements.read(memory) if one.form is not Form.WHOLE)
    gone = list(dict.fromkeys(path for text in texts for path in find_gone(text, live_paths)))[:_MOST_GONE]
    told = (f"{path} (its text is in {moved[path]})" if path in moved else path for path in gone)
    return (f"names files that are gone: {', '.join(told)}",) if gone else ()


def _tell_unlinked(statements: Statements, memory: Memory) -> tuple[str, ...]:
    """Return the fact that tells which `[[names]]` in its statements no memory has; such a note may be still to be written."""
    texts = (one.text for one in statements.read(memory) if one.form is not Form.WHOLE and "[[" in one.text)
    links = dict.fromkeys(link for text in texts for link in find_links(memory.path, text).links if link.is_wiki)
    live_paths = statements.view.live_paths
    keys = live_paths | {name_target(path.rpartition("/")[2]) for path in live_paths} if links else live_paths
    missing = [link.target for link in links if keys.isdisjoint(list_targets(memory.path, link))][:_MOST_GONE]
    return (f"links to notes that are not there: {', '.join(f'[[{one}]]' for one in missing)}",) if missing else ()


def _line_of(memory: Memory) -> str:
    return clip(f"{title_of(memory.path, memory.content)}: {summary_of(memory.content)}")


def confirm(inputs: Inputs, answers: Answers) -> tuple[Question, ...]:
    """Ask a second reader about the changes that the checks do not confirm, all in one question."""
    answer = _join(answers)
    if answer is None:
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
    answer = _join(answers)
    if answer is None:
        return Plan(skips=(Skip(code="no_answer", detail=f"{NAME}: the model gave no usable answer"),))
    planned = plan_updates(inputs.view, answer, find_confirmed(answers), around)
    if not inputs.unshown:
        return planned
    looked, again = inputs.look or Look(), answers.get(_LOOK_KEY)
    titles = f"{len(inputs.listed)} of them by their titles alone"
    detail = f"{inputs.unshown} memories were not shown statement by statement, {titles}"
    if inputs.waiting:
        detail += f"; the next dream is shown the {len(inputs.waiting)} of them that changed"
    skips = [Skip(code="not_shown", detail=f"{detail}; a look opened {len(looked.opened)}")]
    if looked.unopened:
        detail = f"{looked.unopened} memories that a look wanted were too many, or did not fit into show.tokens"
        skips.append(Skip(code="unopened", detail=detail))
    if looked.unknown:
        skips.append(Skip(code="not_offered", detail=f"look: {looked.unknown} of its files were not listed"))
    if isinstance(again, UpdateAnswer) and again.look is not None:
        skips.append(Skip(code="looked_before", detail="look: the answer after a look wanted another one"))
    counts = {"opened": len(looked.opened), "unopened": looked.unopened}
    return replace(planned, skips=(*planned.skips, *skips), counts={name: n for name, n in counts.items() if n})


def _join(answers: Answers) -> UpdateAnswer | None:
    """Return the answer with that to the question after a look; None without a usable one."""
    first, second = answers.get(_KEY), answers.get(_LOOK_KEY)
    if not isinstance(first, UpdateAnswer):
        return None
    return first.joined_with(second) if isinstance(second, UpdateAnswer) else first


def consume(ended: EndedPhase[Inputs]) -> Consumed:
    """Leave in the changed set what changed and was not shown or has no answer: the next dream asks about it."""
    if ended.inputs is None:
        return Consumed()
    waiting = ended.inputs.waiting
    left = Consumed(unread=waiting, waiting_changes=len(waiting))
    if ended.is_through:
        return left
    looked = ended.inputs.look
    wanted = {_KEY} if looked is None or not looked.opened else {_KEY, _LOOK_KEY}
    if wanted <= ended.find_answered():
        return left
    changed = set(ended.inputs.changed)
    return replace(left, unread=waiting | {memory.id for memory in ended.inputs.memories if memory.path in changed})


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    asks=lambda _: True,  # writing the question reads every statement
    look=look,
    repair=repair,
    confirm=confirm,
    plan=plan,
    offer=offer,
    consume=consume,
    keeps_inputs=True,
    makes_vectors=True,
    needs_exam=True,
)
