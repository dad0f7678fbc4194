"""Turn a model's updates into operations: each is checked by `shared/core/checks`, and one memory gets at most two operations.

What the checks confirm is applied if the model has passed its exam; what they doubt is proposed, apart from what is certain.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from shared.core.checks.updates import Cited, Finding, Outcome, Update, judge_update
from shared.core.dream.operations import Flag, Operation, OperationKind, Plan, Rewrite, Skip, Stated, paths_of
from shared.core.errors import UneditableFrontmatterError
from shared.core.memory import importance as scoring
from shared.core.memory.frontmatter import body_of, set_fields, split_frontmatter, with_body
from shared.core.memory.links import without_bare_paths
from shared.core.memory.model import Memory, MemoryKind, kind_of
from shared.core.memory.writers import Said, Writer
from shared.core.merging.confidence import LEAST_SURE, SURE, confidence_of
from shared.core.merging.loss_cap import get_loss_budget
from shared.core.questions.fingerprint import wording_fingerprint
from shared.core.reading.placed import Form, Placed
from shared.core.sessions.statement_text import Place, add_superseded, close_gap, supersede_statement
from shared.core.text.clip import clip
from shared.core.trust.inherit import Written, writer_of
from workers.phase.by_reference import Statements, UpdateView
from workers.phase.flags import decide_shown
from workers.phase.links import Link, add_links, plan_links
from workers.phase.shape import Surroundings
from workers.phases.revise import NAME
from workers.phases.revise.answer import ConflictItem, UpdateAnswer, UpdateItem
from workers.phases.revise.dates import plan_dates
from workers.phases.revise.merges import judge_merges, plan_merges

#: A reader finds so many in a night; more is no careful reader's list.
MAX_UPDATES, MAX_REPEATS, MAX_CONFLICTS, MAX_LINKS = 100, 50, 20, 40
#: The part of a memory's statements that is replaced without a person, and how many are so in any case.
_MOST_OF_MEMORY, _FEWEST_OF_MEMORY = 0.5, 2
#: The same of the store's: without a second reader, and in all.
_MOST_OF_STORE, _MOST_CONFIRMED, _FEWEST_OF_STORE = 0.1, 0.25, 10
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_QUOTED = 3
_MOST_QUOTED = 2_000


@dataclass(frozen=True, kw_only=True)
class Change:
    """One change of one statement, as it was judged."""

    name: str
    memory: Memory
    update: Update
    writer: Writer | None = None  # the least trusted of those who said what shows it
    since: str = ""
    confidence: float | None = None
    finding: Finding | None = None

    @property
    def placed(self) -> Placed:
        """Return the statement that is changed."""
        return self.update.old.placed

    @property
    def is_field(self) -> bool:
        """Tell whether it changes a field of the frontmatter."""
        return self.placed.form is Form.FIELD

    @property
    def why(self) -> str:
        """Return the sentence that tells the change."""
        if not self.update.by:
            return f"“{clip(self.placed.text)}” names a file that is gone: {', '.join(self.update.old.gone[:_QUOTED])}"
        shown = self.update.by[0]
        if self.update.is_repeat:
            return f"“{clip(self.placed.text)}” is said once: “{clip(shown.text)}” stays"
        return f"“{clip(self.placed.text)}” is no longer so: “{clip(shown.text)}” ({shown.path})"


@dataclass
class Judged:
    """The changes of an answer that passed or are doubted, and the refused ones."""

    changes: list[Change] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    #: By the path and number of each statement that is changed, those that show its change.
    shown_by: dict[tuple[str, int], set[tuple[str, int]]] = field(default_factory=dict)


def judge_answer(statements: Statements, answer: UpdateAnswer) -> Judged:
    """Check each update and repeat of an answer.

    A statement is changed once at most. What shows another one's change may be updated itself, unless the two show each other's;
    it does not go as a repeat.
    """
    judged = Judged()
    for number, item in enumerate(answer.updates[:MAX_UPDATES], 1):
        _judge_one(judged, _read(statements, f"update-{number}", item))
    for number, repeat in enumerate(answer.repeats[:MAX_REPEATS], 1):
        item = UpdateItem(old=repeat.drop, by=repeat.said_by, confidence=repeat.confidence)
        _judge_one(judged, _read(statements, f"repeat-{number}", item, is_repeat=True))
    judged.skips += _beyond("updates", answer.updates, MAX_UPDATES) + _beyond("repeats", answer.repeats, MAX_REPEATS)
    return judged


def _beyond(what: str, items: Sequence[object], cap: int) -> list[Skip]:
    return [Skip(code="cap", detail=f"{len(items)} {what}, more than {cap}")] if len(items) > cap else []


def _judge_one(judged: Judged, read: Change | Skip) -> None:
    if isinstance(read, Skip):
        judged.skips.append(read)
        return
    front = split_frontmatter(read.memory.content)
    place = (read.memory.path, read.placed.number)
    shown = {(one.path, one.placed.number) for one in read.update.by}
    is_needed = any(place in judged.shown_by[one] for one in shown & judged.shown_by.keys())
    if read.update.is_repeat:
        is_needed = bool(shown & judged.shown_by.keys()) or any(place in needed for needed in judged.shown_by.values())
    if place in judged.shown_by or is_needed:
        detail = f"{read.memory.path}: “{clip(read.placed.text)}” is changed, or shows another change, already"
        judged.skips.append(Skip(code="already_changed", detail=detail))
    elif read.finding is not None and read.finding.outcome is Outcome.REFUSE:
        detail = f"{read.memory.path}: “{clip(read.placed.text)}” stays: {read.finding.why}"
        judged.skips.append(Skip(code=read.finding.check.code, detail=detail))
    elif (front.raw and not front.is_valid) or not _is_field_editable(read):
        detail = f"{read.memory.path}: its frontmatter cannot be changed safely"
        judged.skips.append(Skip(code="uneditable_frontmatter", detail=detail))
    else:
        judged.changes.append(read)
        judged.shown_by[place] = shown


def _is_field_editable(change: Change) -> bool:
    try:
        return not change.is_field or bool(set_fields(change.memory.content, {change.placed.head: change.update.write}))
    except UneditableFrontmatterError:
        return False


def _read(statements: Statements, name: str, item: UpdateItem, *, is_repeat: bool = False) -> Change | Skip:
    found, others = statements.find(item.old), [statements.find(one) for one in item.by]
    unknown = [one for one, known in zip((item.old, *item.by), (found, *others), strict=True) if known is None]
    if found is None or unknown:
        return Skip(
            code="not_offered", detail=f"{name} of {item.old[:40]!r}: there is no statement {unknown[0][:40]!r}"
        )
    memory, old = found
    cited = tuple(one for _, one in filter(None, others) if one != old)
    wanted = item.write.strip()
    if old.placed.form is Form.FIELD:
        wanted = wanted.removeprefix(f"{old.placed.head}:").strip()  # as it is shown
    update = Update(old=old, by=cited, write=wanted, is_repeat=is_repeat)
    said = (
        writer_of(Written(one.content, one.writers), shown.text) for one, shown in filter(None, others) if shown != old
    )
    return Change(
        name=name, memory=memory, update=update, writer=min(said, key=lambda one: one.rank, default=None),
        since=item.since if _DAY.fullmatch(item.since) else "",
        confidence=confidence_of(item.confidence), finding=judge_update(update),
    )  # fmt: skip


def find_to_confirm(judged: Judged) -> tuple[Change, ...]:
    """Return the changes that a second reader is to look at."""
    return tuple(one for one in judged.changes if _needs_second_reader(one))


def _needs_second_reader(change: Change) -> bool:
    """Tell whether a second reader may settle what is in doubt: the wording, or a first reader who was not quite sure."""
    if change.finding is not None:
        return change.finding.outcome is Outcome.CONFIRM
    return change.confidence is not None and LEAST_SURE <= change.confidence < SURE


def plan_updates(view: UpdateView, answer: UpdateAnswer, confirmed: Collection[str], around: Surroundings) -> Plan:
    """Return the operations that follow from an answer.

    Args:
        view: what was shown.
        answer: what a model wants changed.
        confirmed: the names of the changes of which a second reader says that they lose nothing.
        around: the policy, the time, and whether the model may act.
    """
    statements = Statements(view)
    judged = judge_answer(statements, answer)
    doubts = _find_doubts(statements, view, judged, confirmed, around)
    links, dropped = _read_links(view, answer)
    merges, refused = judge_merges(statements, view, answer)
    written = {one.memory.path for one in judged.changes if not doubts[one.name]}
    loss = get_loss_budget(around.live_memories, around.already_retired, around.policy.safety)
    made = plan_merges(merges, written, confirmed, around, loss)
    merged = {path for one in made if isinstance(one, Operation) and not one.propose_only for path in paths_of(one)}
    operations: list[Operation] = []
    for memory in dict.fromkeys(one.memory for one in judged.changes):
        mine = [one for one in judged.changes if one.memory is memory]
        sure = [one for one in mine if not doubts[one.name]]
        if memory.path in merged:
            made.append(
                Skip(code="already_changed", detail=f"{memory.path} is merged; the next dream looks at it again")
            )
            continue
        # A proposal is recorded on the text before the certain changes; approving it plans it again.
        operations += [_operation(memory, [one], doubts[one.name], around) for one in mine if doubts[one.name]]
        if sure:
            operations.append(_with_links(_operation(memory, sure, "", around), links, view.live_paths))
    made += plan_dates(statements, answer.dates, {*written, *merged}, around)
    made += [_plan_conflict(statements, view.flagged, one) for one in answer.conflicts[:MAX_CONFLICTS]]
    made += plan_links(NAME, links, merged, view.live_paths, written)
    return Plan(
        operations=(*operations, *(one for one in made if isinstance(one, Operation))),
        skips=(*judged.skips, *refused, *dropped, *(one for one in made if isinstance(one, Skip))),
    )


def _find_doubts(
    statements: Statements, view: UpdateView, judged: Judged, confirmed: Collection[str], around: Surroundings
) -> dict[str, str]:
    """Return by its name why a person decides about a change, or an empty text."""
    doubts = {one.name: _find_doubt(one, confirmed, around) for one in judged.changes}
    every = sum(len(statements.read(memory)) for memory in view.memories)
    doubts |= _find_too_many([one for one in judged.changes if not doubts[one.name]], confirmed, every)
    for memory in dict.fromkeys(one.memory for one in judged.changes):
        sure = [one.name for one in judged.changes if one.memory is memory and not doubts[one.name]]
        if len(sure) > max(_FEWEST_OF_MEMORY, _MOST_OF_MEMORY * len(statements.read(memory))):
            doubts |= dict.fromkeys(sure, f"much of {memory.path} would be replaced")
    return doubts


def _with_links(operation: Operation, links: Sequence[Link], live_paths: frozenset[str]) -> Operation:
    """Return an update that also writes the links of its memory, since a memory is written once."""
    (rewrite,) = operation.changes
    assert isinstance(rewrite, Rewrite)
    groups = [[one.path for one in link.memories] for link in links]
    others = [path for paths in groups if rewrite.path in paths for path in paths if path != rewrite.path]
    try:
        content = add_links(rewrite.path, rewrite.content, others, live_paths) if others else rewrite.content
    except UneditableFrontmatterError:
        return operation
    return replace(operation, changes=(replace(rewrite, content=content),))


def _find_doubt(change: Change, confirmed: Collection[str], around: Surroundings) -> str:
    """Return why a person decides about a change, or an empty text."""
    is_settled = change.name in confirmed and _needs_second_reader(change)
    if change.finding is not None and not is_settled:
        return change.finding.why
    if change.confidence is not None and change.confidence < (LEAST_SURE if is_settled else SURE):
        return "its model is not sure"
    return around.find_reason_to_ask(None)


def _find_too_many(sure: Sequence[Change], confirmed: Collection[str], every: int) -> dict[str, str]:
    """Return by its name why a person decides about a change although nothing else speaks against it.

    In a night a careful reader replaces few statements. Of somewhat more, those that no second reader has confirmed wait, but for the
    surest; of many more all wait, as after the loss cap.
    """
    if len(sure) > max(_FEWEST_OF_STORE, _MOST_CONFIRMED * every):
        return {one.name: f"{len(sure)} of {every} statements would be replaced at once" for one in sure}
    alone = sorted((one for one in sure if one.name not in confirmed), key=lambda one: -(one.confidence or 0.0))
    most = max(_FEWEST_OF_STORE, int(_MOST_OF_STORE * every))
    why = f"{len(alone)} of {every} statements would be replaced at once, and others are surer"
    return {one.name: why for one in alone[most:]}


def _operation(memory: Memory, changes: Sequence[Change], doubt: str, around: Surroundings) -> Operation:
    content = with_body(memory.content, write_changes(body_of(memory.content), changes))
    content = set_fields(content, {one.placed.head: one.update.write for one in changes if one.is_field})
    rewrite = Rewrite(
        memory_id=memory.id, version=memory.version, path=memory.path, content=content,
        signals=scoring.updated(memory.signals, around.now), stays_dirty=True,
    )  # fmt: skip
    told = [one.why for one in changes[:_QUOTED]]
    told += [f"and {len(changes) - _QUOTED} more"] if len(changes) > _QUOTED else []
    known = [one.confidence for one in changes if one.confidence is not None]
    return Operation(
        kind=OperationKind.UPDATE,
        phase=NAME,
        reason="; ".join(told),
        changes=(rewrite,),
        confidence=min(known, default=None),
        needs_review=True,
        propose_only=doubt or None,
        said=tuple(Said(one.update.write, one.writer) for one in changes if one.update.write and one.writer),
    )


def write_changes(body: str, changes: Iterable[Change]) -> str:
    """Return a body with its changes made, from the last to the first, so that the places before stay where they are."""
    for change in sorted(changes, key=lambda one: -one.placed.start):
        if change.is_field:
            body = add_superseded(body, change.placed.text, _note_of(change))
            continue
        start, end, written = change.placed.start, change.placed.end, change.update.write
        if change.update.is_repeat:
            body = body[:start] + body[end:]
        elif _is_pointer(change):
            body = body[:start] + written + body[end:]
        else:
            body = supersede_statement(body, Place(start=start, end=end), written, _note_of(change))
        if not written:
            body = close_gap(body, start)
    return body


def _is_pointer(change: Change) -> bool:
    """Tell whether a statement only leads somewhere: a line of an index, or a path that is gone; it is not kept."""
    if change.update.old.gone and not change.update.by:
        return not without_bare_paths(change.placed.text).strip()
    return kind_of(change.memory.path) is MemoryKind.INDEX and "](" in change.placed.text


def _note_of(change: Change) -> str:
    """Return what stands behind a superseded statement: until when it was so, and which file shows that, or what is gone."""
    shown, old = change.update.by[0] if change.update.by else None, change.update.old
    if shown is None and old.gone:
        return f"{old.gone[0]} {f'went into {old.moved[0]}' if old.moved else 'is gone'}"
    where = f", see {shown.path}" if shown is not None and shown.path != change.memory.path else ""
    if change.since:
        return f"until {change.since}{where}"
    # When it was said is no later than when it changed: the value may have been another one for long.
    seen = f" on {shown.said_on.isoformat()}" if shown is not None and shown.said_on is not None else ""
    return f"no longer so{seen}{where}"


def _plan_conflict(statements: Statements, flagged: frozenset[str], item: ConflictItem) -> Operation | Skip:
    found = [statements.find(name) for name in dict.fromkeys(item.statements)]
    known = [one for one in found if one is not None]
    if len(known) < 2 or len(known) < len(found):
        return Skip(code="not_offered", detail=f"conflict of {', '.join(item.statements)[:80]!r}: needs two statements")
    (memory, _), *others = known
    stated = tuple(_stated(memory, one) for memory, one in known)
    digest, *digests = (one.fingerprint for one in stated)
    if decide_shown(flagged, digest, digests):
        return Skip(code="flagged_before", detail=f"{memory.path}: a person was asked which holds already")
    told = " or ".join(map(_quote, (one for _, one in known)))
    question = " ".join(item.question.split())[:_MOST_QUOTED]
    return Operation(
        kind=OperationKind.FLAG,
        phase=NAME,
        reason=f"Which holds? {told}{f': {question}' if question else ''}",
        changes=(
            Flag(
                memory_id=memory.id, version=memory.version, path=memory.path,
                about=tuple(dict.fromkeys(one.path for _, one in others if one.path != memory.path)),
                fingerprint=digest, about_fingerprints=tuple(digests),
                statements=stated,
            ),
        ),
        needs_review=True,
    )  # fmt: skip


def _stated(memory: Memory, one: Cited) -> Stated:
    said_on = one.said_on.isoformat() if one.said_on is not None else ""
    return Stated(memory_id=memory.id, path=memory.path, fingerprint=wording_fingerprint(one.text), said_on=said_on)


def _quote(one: Cited) -> str:
    """Return a statement as a person is asked about it: whole, unless it is as long as a page, with its place and day."""
    text = one.text if len(one.text) <= _MOST_QUOTED else f"{one.text[: _MOST_QUOTED - 1]}…"
    return f"“{' '.join(text.split())}” ({one.path}{f', said {one.said_on}' if one.said_on is not None else ''})"


def _read_links(view: UpdateView, answer: UpdateAnswer) -> tuple[list[Link], list[Skip]]:
    """Return the links that the model is sure of; another one is not worth a person's time."""
    known = {memory.path: memory for memory in (*view.memories, *view.listed)}
    links: list[Link] = []
    skips = _beyond("links", answer.links, MAX_LINKS)
    for item in answer.links[:MAX_LINKS]:
        memories = tuple(known[path] for path in dict.fromkeys(item.files) if path in known)
        if len(memories) < 2:
            skips.append(Skip(code="too_few_files", detail=f"link of fewer than two offered files: {item.reason[:80]}"))
        elif (sure := confidence_of(item.confidence)) is not None and sure < LEAST_SURE:
            skips.append(Skip(code="unsure_link", detail=f"{', '.join(item.files)[:200]}: the model is not sure"))
        else:
            links.append(Link(memories=memories, reason=item.reason, confidence=sure))
    return links, skips
