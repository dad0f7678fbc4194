"""Plan the merges of an answer: files of one subject become one note, whose lines refer to their statements.

What a check doubts about one statement costs that statement alone: it stays beside what should have said it, unless a second reader
finds nothing lost. A merge waits for a person only if the notes may be about two subjects, or contradict each other.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from shared.core.checks.merges import LEFT_OUT_CHECKS, MOVED_CHECKS, SENTENCE_CHECKS, judge_merge
from shared.core.checks.updates import Check, Cited, Finding, Outcome, Update, find_telling, find_weightiest
from shared.core.dream.operations import Operation, OperationKind, Skip
from shared.core.errors import UneditableFrontmatterError
from shared.core.memory.frontmatter import MAX_CONTENT_CHARS, body_of, read_fields, split_frontmatter, strings_of
from shared.core.memory.headline import title_of
from shared.core.memory.model import ROOT_INDEX, Memory
from shared.core.merging.confidence import LEAST_SURE, confidence_of, is_unsure
from shared.core.merging.loss_cap import LossBudget
from shared.core.merging.specifics import find_missing_specifics
from shared.core.policy.policy import ALL_PROPOSED, NOT_EXAMINED, Verified
from shared.core.reading.arranged import Arrangement, LeftOut, Ref, Source, arrange, is_heading
from shared.core.reading.placed import STATED_FIELDS, Form, Placed
from shared.core.text.clip import clip
from workers.phase.merge_changes import merge_changes
from workers.phase.shape import Surroundings
from workers.phases.revise import NAME
from workers.phases.revise.answer import MergeItem, UpdateAnswer
from workers.phases.revise.statements import Statements, UpdateView

MAX_MERGES = 20
_MOST_FILES = 10
#: A second reader is shown notes with at most this many characters together; longer ones are a person's.
_MOST_SHOWN_CHARS = 30_000
#: A merge that leaves out at least this many statements, most of which have to stay, is none.
_FEWEST_LEFT_OUT = 4
_MOST_HEADING_CHARS = 200


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a merge in the form that its checks read: what is new, left out or moved, and what is said to say it."""

    update: Update
    checks: tuple[Check[Update], ...]


@dataclass(frozen=True, kw_only=True)
class JudgedMerge:
    """A merge with what the checks find: against the whole, and by name against what is left out, new or moved.

    `target` is the memory that stays.
    """

    name: str
    item: MergeItem
    memories: tuple[Memory, ...]
    arrangement: Arrangement
    target: Memory
    parts: Mapping[str, "Part"]
    findings: Mapping[str, Finding]
    whole: Finding | None = None

    @property
    def may_be_confirmed(self) -> bool:
        """Tell whether a second reader may settle what is in doubt about the notes as a whole."""
        sure = confidence_of(self.item.confidence)
        is_short = sum(len(memory.content) for memory in self.memories) <= _MOST_SHOWN_CHARS
        is_doubted = is_unsure(sure) if self.whole is None else self.whole.outcome is Outcome.CONFIRM
        return is_short and is_doubted and (sure is None or sure >= LEAST_SURE)

    @property
    def refused(self) -> frozenset[str]:
        """Return the names of what the checks refuse, whatever a second reader says."""
        return frozenset(name for name, one in self.findings.items() if one.outcome is not Outcome.CONFIRM)

    def find_refused(self, confirmed: Collection[str]) -> frozenset[str]:
        """Return the names of what does not count: what a check refuses, and what it doubts and no second reader confirms."""
        return self.refused | frozenset(name for name in self.findings if f"{self.name}/{name}" not in confirmed)


def judge_merges(
    statements: Statements, view: UpdateView, answer: UpdateAnswer
) -> tuple[list[JudgedMerge], list[Skip]]:
    """Check each merge of an answer; a memory is in one merge at most."""
    known = {memory.path: memory for memory in view.memories}
    judged: list[JudgedMerge] = []
    skips: list[Skip] = []
    taken: set[str] = set()
    if len(answer.merges) > MAX_MERGES:
        skips.append(Skip(code="cap", detail=f"{len(answer.merges)} merges, more than {MAX_MERGES}"))
    for number, item in enumerate(answer.merges[:MAX_MERGES], 1):
        memories = tuple(known[path] for path in dict.fromkeys(item.files) if path in known and path != ROOT_INDEX)
        names = ", ".join(item.files)[:300]
        if not 2 <= len(memories) <= _MOST_FILES:
            skips.append(
                Skip(code="too_few_files", detail=f"MERGE {names}: needs 2 to {_MOST_FILES} files that were shown")
            )
        elif sum(one.path in view.series for one in memories) > 1:
            skips.append(Skip(code="series", detail=f"MERGE {names}: they are entries of a series of days or numbers"))
        elif taken & {one.path for one in memories}:
            skips.append(Skip(code="already_changed", detail=f"MERGE {names}: one of them is merged already"))
        elif any((front := split_frontmatter(one.content)).raw and not front.is_valid for one in memories):
            skips.append(Skip(code="uneditable_frontmatter", detail=f"MERGE {names}: frontmatter that cannot be read"))
        else:
            found = _judge(statements, f"merge-{number}", item, memories)
            if found.whole is not None and found.whole.outcome is Outcome.REFUSE:
                skips.append(Skip(code=found.whole.check.code, detail=f"MERGE {names}: {found.whole.why}"))
            else:
                judged.append(found)
                taken |= {one.path for one in memories}
    return judged, skips


def _judge(statements: Statements, name: str, item: MergeItem, memories: tuple[Memory, ...]) -> JudgedMerge:
    sources = tuple(
        Source(
            statements.letters[one.path],
            body_of(one.content),
            tuple(placed for placed in statements.read(one) if placed.form is not Form.FIELD),
        )
        for one in memories
    )
    target = next((one for one in memories if one.path == item.into), memories[0])
    judge = _Judge(statements, {statements.letters[one.path]: one for one in memories}, target)
    arrangement = arrange(sources, "\n".join(_with_known_headings(item.lines, memories, target)))
    parts = dict(judge.find_parts(arrangement))
    found = {key: find_weightiest(one.checks, one.update) for key, one in parts.items()}
    return JudgedMerge(
        name=name, item=item, memories=memories, arrangement=arrangement, target=target, parts=parts,
        findings={key: one for key, one in found.items() if one is not None},
        whole=judge_merge(memories),
    )  # fmt: skip


def _with_known_headings(lines: Sequence[str], memories: Sequence[Memory], target: Memory) -> list[str]:
    """Return the lines under a title that one of the notes has, and without headings in words that no note has.

    An invented heading could say anything.
    """
    known = {_heading_of(one) for one in memories} - {""}
    words = find_telling(" ".join(f"{one.path} {one.content}" for one in memories))
    rest = [
        line
        for line in lines
        if not line.startswith("# ") and (not is_heading(line) or find_telling(line[:_MOST_HEADING_CHARS]) <= words)
    ]
    title = next((line for line in lines if line.startswith("# ") and line.strip() in known), _heading_of(target))
    return [title, *rest] if title else rest


def _heading_of(memory: Memory) -> str:
    return next((line.strip() for line in body_of(memory.content).splitlines() if line.startswith("# ")), "")


@dataclass(frozen=True)
class _Judge:
    """Puts each part of an arrangement in the form that the checks read."""

    statements: Statements
    memories: Mapping[str, Memory]
    target: Memory

    def find_parts(self, arrangement: Arrangement) -> Iterator[tuple[str, Part]]:
        """Yield what is new, left out or moved, by its name."""
        above = arrangement.find_above()
        for sentence in arrangement.sentences:
            cited = [self._cite(arrangement, ref) for ref in sentence.cites]
            yield sentence.name, Part(Update(old=cited[0], by=tuple(cited[1:]), write=sentence.text), SENTENCE_CHECKS)
        for one in arrangement.left_out:
            old, said_by = self._cite(arrangement, one.ref), self._said_by(arrangement, one, above)
            yield one.name, Part(Update(old=old, by=said_by, is_repeat=True), LEFT_OUT_CHECKS)
        for ref, chain in above.items():
            if not isinstance(ref, str) and chain != arrangement.find_own(ref):
                old = self._cite(arrangement, ref)
                new = replace(old, path=self.target.path, title=title_of(self.target.path, self.target.content))
                new = replace(new, placed=replace(old.placed, under=_with(arrangement.title, chain)))
                yield f"{ref[0]}{ref[1]}", Part(Update(old=old, by=(new,), is_repeat=True), MOVED_CHECKS)

    def _cite(self, arrangement: Arrangement, ref: Ref) -> Cited:
        return self.statements.cite(self.memories[ref[0]], arrangement.find(ref))

    def _said_by(
        self, arrangement: Arrangement, one: LeftOut, above: Mapping[Ref | str, tuple[str, ...]]
    ) -> tuple[Cited, ...]:
        """Return what says a statement that is left out, under the headings that it has in the merged note."""
        if one.sentence is not None:
            placed = Placed(
                number=0,
                text=one.sentence.text,
                start=0,
                end=0,
                under=_with(arrangement.title, above.get(one.sentence.name, ())),
                form=Form.PROSE,
            )
            return (Cited(path=self.target.path, placed=placed, title=title_of(self.target.path, self.target.content)),)
        cited = ((self._cite(arrangement, ref), above[ref]) for ref in one.by if ref in above)
        title = arrangement.title
        return tuple(replace(old, placed=replace(old.placed, under=_with(title, chain))) for old, chain in cited)


def _with(title: str, chain: tuple[str, ...]) -> tuple[str, ...]:
    return (title, *chain) if title else chain


def find_doubted(judged: Sequence[JudgedMerge]) -> Iterator[tuple[str, str]]:
    """Yield the parts of merges that a second reader is to look at: a name, and the text that tells it."""
    for one in judged:
        if one.may_be_confirmed:
            notes = [f"before ({memory.path}):\n{body_of(memory.content).strip()}" for memory in one.memories]
            # Each doubt about a statement is a change of its own: here everything doubtful stays.
            wanted = one.arrangement.compose(one.find_refused(())).strip()
            told = "\n\n".join([*notes, f"after (one note in their place, {one.target.path}):\n{wanted}"])
            yield f"{one.name}/whole", told
        for name, found in one.findings.items():
            if found.outcome is Outcome.CONFIRM:
                yield f"{one.name}/{name}", _tell(one.parts[name])


def _tell(part: Part) -> str:
    update = part.update
    if part.checks is SENTENCE_CHECKS:
        before, stays, after = [update.old, *update.by], [], f"one sentence in their place: {update.write}"
    else:
        before, stays = [update.old], list(update.by)
        after = "it stands there" if part.checks is MOVED_CHECKS else "the first is left out"
    lines = [f"before ({_where(one)}): {one.text}" for one in before]
    lines += [f"stays ({_where(one)}): {one.text}" for one in stays]
    return "\n".join([*lines, f"after: {after}"])


def _where(one: Cited) -> str:
    return " > ".join((one.path, *(heading.lstrip("# ") for heading in one.placed.under)))


def plan_merges(
    judged: Sequence[JudgedMerge],
    written: Collection[str],
    confirmed: Collection[str],
    around: Surroundings,
    loss: LossBudget,
) -> list[Operation | Skip]:
    """Return an operation for each merge.

    Args:
        judged: the merges that no check refuses.
        written: the paths of memories that another operation of the phase writes.
        confirmed: the names of the parts of which a second reader says that they lose nothing.
        around: the policy, the time, and whether the model may act.
        loss: how many memories may be retired.
    """
    found: list[Operation | Skip] = []
    for one in judged:
        names = ", ".join(memory.path for memory in one.memories)
        if any(memory.path in written for memory in one.memories):
            found.append(Skip(code="already_changed", detail=f"MERGE {names}: a statement of them is changed first"))
            continue
        doubt = _find_doubt(one, confirmed, around)
        left = loss.take(len(one.memories) - 1)
        if not doubt and left is None:
            doubt = f"loss cap: this dream may retire {loss.allowed} memories and has retired {loss.used} (safety.loss_cap_share)"
        planned = _operation(one, confirmed, doubt, around)
        if isinstance(planned, Operation) and not doubt and left is not None:
            loss = left
        found.append(planned)
    return found


def _find_doubt(one: JudgedMerge, confirmed: Collection[str], around: Surroundings) -> str:
    """Return why a person decides about a merge, or an empty text."""
    is_settled = one.may_be_confirmed and f"{one.name}/whole" in confirmed
    if one.whole is not None and not is_settled:
        return one.whole.why
    if is_unsure(one.item.confidence) and not is_settled:
        return "its model is not sure"
    refused = one.find_refused(confirmed)
    kept = [out for out in one.arrangement.left_out if out.name in refused]
    if len(one.arrangement.left_out) >= _FEWEST_LEFT_OUT and 2 * len(kept) > len(one.arrangement.left_out):
        return f"{len(kept)} of {len(one.arrangement.left_out)} statements that it leaves out would have to stay"
    if around.policy.merge.verified is Verified.PROPOSE:
        return ALL_PROPOSED
    return "" if around.has_passed else NOT_EXAMINED


def _operation(one: JudgedMerge, confirmed: Collection[str], doubt: str, around: Surroundings) -> Operation | Skip:
    names = ", ".join(memory.path for memory in one.memories)
    begin = "\n" * body_of(one.target.content).startswith("\n")
    body = begin + _with_described(one.arrangement.compose(one.find_refused(confirmed)) + "\n", one)
    if len(body) > MAX_CONTENT_CHARS:
        return Skip(code="too_large", detail=f"MERGE {names}: the merged text has {len(body):,} characters")
    try:
        changes = merge_changes(one.memories, one.target.path, body, around.now)
    except UneditableFrontmatterError as error:
        return Skip(code="uneditable_frontmatter", detail=f"MERGE {names}: {error}")
    return Operation(
        kind=OperationKind.MERGE,
        phase=NAME,
        reason=clip(one.item.reason) or f"Merge {names}",
        changes=changes,
        confidence=confidence_of(one.item.confidence),
        needs_review=True,
        propose_only=doubt or None,
    )


def _with_described(body: str, one: JudgedMerge) -> str:
    """Return the body with what only the frontmatter of a note that goes tells, at its end."""
    for memory in one.memories:
        fields = {} if memory is one.target else read_fields(memory.content)
        for text in (" ".join(strings_of(fields.get(name))) for name in STATED_FIELDS):
            if text and find_missing_specifics(f"{split_frontmatter(one.target.content).raw}\n{body}", [text]):
                body = f"{body.rstrip()}\n\n{text}\n"
    return body
