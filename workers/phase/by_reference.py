"""Find the statements that a model names, with what the host knows of each, and judge what it wants of them in a merge, part by part."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shared.core.checks.merges import LEFT_OUT_CHECKS, MOVED_CHECKS, SENTENCE_CHECKS
from shared.core.checks.updates import Check, Cited, Finding, Outcome, Update, find_telling, find_weightiest
from shared.core.memory.frontmatter import body_of
from shared.core.memory.headline import title_of
from shared.core.memory.model import Memory
from shared.core.merging.confidence import LEAST_SURE, is_unsure
from shared.core.reading.arranged import Arrangement, LeftOut, Ref, Source, arrange, is_heading
from shared.core.reading.placed import Form, Placed, name_document, read_placed
from shared.core.reading.said import SaidDays, read_said_days
from workers.phase.shape import Surroundings

#: A path of a file in a folder, as a text names it.
_PATH = re.compile(r"(?<![\w./-])(?:[\w.-]{1,80}/){1,8}[\w.-]{1,80}\.md(?![\w/-])")
#: A path with one of these is a pattern of names, such as `logs/YYYY-MM-DD.md`.
_PLACEHOLDER = re.compile(r"(?<![a-z])(?:yyyy|xxx+|nnn+)(?![a-z])", re.IGNORECASE)
_MOST_HEADING_CHARS = _MOST_FIRST_CHARS = 200
#: A second reader is shown memories with at most this many characters together; longer ones are a person's.
MOST_SHOWN_CHARS = 30_000
#: A merge that leaves out at least this many statements, most of which have to stay, is none.
_FEWEST_LEFT_OUT = 4
_NAMED = re.compile(r"\s*\[?([a-z]{1,4})(\d{1,5})\]?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateView:
    """The facts that the plan decides by.

    Attributes:
        memories: the memories that were shown by statements, in the order of their letters.
        listed: those that were only listed, which may be linked.
        series: paths of files that are one of a row of dated or numbered ones.
        live_paths: of all live memories.
        moved: by the path of a memory that was merged away, that of the one that holds its text.
        flagged: what a person was asked already.
    """

    memories: tuple[Memory, ...]
    listed: tuple[Memory, ...] = ()
    series: frozenset[str] = frozenset()
    live_paths: frozenset[str] = frozenset()
    moved: Mapping[str, str] = field(default_factory=dict)
    flagged: frozenset[str] = frozenset()


class Statements:
    """Finds statements by their names."""

    def __init__(self, view: UpdateView) -> None:
        self.view = view
        self._by_letters = {name_document(number): memory for number, memory in enumerate(view.memories)}
        #: The letters of each memory, by its path.
        self.letters: Mapping[str, str] = {memory.path: letters for letters, memory in self._by_letters.items()}
        self._read: dict[str, tuple[Placed, ...]] = {}
        self._days: dict[str, SaidDays] = {}

    def find(self, name: str) -> tuple[Memory, Cited] | None:
        """Return the memory and the statement with this name; None if there is none."""
        found = _NAMED.fullmatch(name.lower())
        memory = self._by_letters.get(found[1]) if found else None
        if found is None or memory is None:
            return None
        placed, number = self.read(memory), int(found[2])
        if not 1 <= number <= len(placed):
            return None
        return memory, self.cite(memory, placed[number - 1])

    def read(self, memory: Memory) -> tuple[Placed, ...]:
        """Return the statements of a memory."""
        if memory.path not in self._read:
            self._read[memory.path] = read_placed(memory.content)
        return self._read[memory.path]

    def _about(self, memory: Memory) -> str:
        """Return what a memory says of itself: its description, its title, and its first statement."""
        placed = self.read(memory)
        fields = [one.text for one in placed if one.form is Form.FIELD]
        first = [text[:_MOST_FIRST_CHARS] for one in placed[:1] for text in (*one.under, one.text)]
        return "\n".join((*fields, *first))

    def read_days(self, memory: Memory) -> SaidDays:
        """Return what tells the days of a memory's statements."""
        if memory.path not in self._days:
            self._days[memory.path] = read_said_days(memory.path, memory.content)
        return self._days[memory.path]

    def cite(self, memory: Memory, placed: Placed) -> Cited:
        """Return a statement of a memory with what the host knows of it."""
        gone = find_gone(placed.text, self.view.live_paths)
        return Cited(
            path=memory.path,
            placed=placed,
            title=title_of(memory.path, memory.content),
            about=self._about(memory),
            said_on=self.read_days(memory).find_day(placed),
            is_series=memory.path in self.view.series,
            gone=gone,
            moved=tuple(self.view.moved[path] for path in gone if path in self.view.moved),
        )


def find_gone(text: str, live_paths: frozenset[str]) -> tuple[str, ...]:
    """Return the files that a text names, in a folder of the store, and that are not there.

    A path in a folder that the store does not have names something else, such as a file of a repository.
    """
    named = dict.fromkeys(found[0].removeprefix("./") for found in _PATH.finditer(text)) if ".md" in text else {}
    missing = [path for path in named if path not in live_paths and not _PLACEHOLDER.search(path)]
    if not missing:
        return ()
    folders = {path.rpartition("/")[0] for path in live_paths}
    return tuple(path for path in missing if path.rpartition("/")[0] in folders)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a merge in the form that its checks read: what is new, left out or moved, and what is said to say it."""

    update: Update
    checks: tuple[Check[Update], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A merge that a model wants. `name` is for its second reader, and `target` is the one of the memories that stays."""

    name: str
    memories: tuple[Memory, ...]
    target: Memory
    confidence: float | None


@dataclass(frozen=True, kw_only=True)
class ArrangedMerge:
    """Memories that become one, line by line, with what the checks find against the whole and, by name, against its parts."""

    wanted: Wanted
    arrangement: Arrangement
    parts: Mapping[str, Part]
    findings: Mapping[str, Finding]
    whole: Finding | None

    @property
    def may_be_confirmed(self) -> bool:
        """Tell whether a second reader may settle what is in doubt about the memories as a whole."""
        sure = self.wanted.confidence
        is_short = sum(len(memory.content) for memory in self.wanted.memories) <= MOST_SHOWN_CHARS
        is_doubted = is_unsure(sure) if self.whole is None else self.whole.outcome is Outcome.CONFIRM
        return is_short and is_doubted and (sure is None or sure >= LEAST_SURE)

    def find_refused(self, confirmed: Collection[str]) -> frozenset[str]:
        """Return the names of what does not count: what a check refuses, and what it doubts and no second reader confirms."""
        return frozenset(
            name
            for name, one in self.findings.items()
            if one.outcome is not Outcome.CONFIRM or f"{self.wanted.name}/{name}" not in confirmed
        )

    def compose(self, confirmed: Collection[str]) -> str:
        """Return the body of the merged text, where what is in doubt stays unless a second reader confirmed it."""
        return self.arrangement.compose(self.find_refused(confirmed))

    def find_doubted(self) -> Iterator[tuple[str, str]]:
        """Yield what a second reader is to look at: a name, and the text that tells it."""
        if self.may_be_confirmed:
            # Each doubt about a statement is a change of its own: here everything doubtful stays.
            yield f"{self.wanted.name}/whole", tell_whole(self.wanted.memories, self.compose(()))
        for name, found in self.findings.items():
            if found.outcome is Outcome.CONFIRM:
                yield f"{self.wanted.name}/{name}", _tell(self.parts[name])

    def find_doubt(self, confirmed: Collection[str], around: Surroundings) -> str:
        """Return why a person decides about the merge, or an empty text.

        Args:
            confirmed: the names of the parts of which a second reader says that they lose nothing.
            around: the policy, and whether the model may act.
        """
        is_settled = self.may_be_confirmed and f"{self.wanted.name}/whole" in confirmed
        if self.whole is not None and not is_settled:
            return self.whole.why
        if is_unsure(self.wanted.confidence) and not is_settled:
            return "its model is not sure"
        refused, left_out = self.find_refused(confirmed), self.arrangement.left_out
        kept = [out for out in left_out if out.name in refused]
        if len(left_out) >= _FEWEST_LEFT_OUT and 2 * len(kept) > len(left_out):
            return f"{len(kept)} of {len(left_out)} statements that it leaves out would have to stay"
        return around.find_reason_to_ask(None)


def tell_whole(memories: Sequence[Memory], body: str) -> str:
    """Return a merge as its second reader sees it: the notes that go into it, and the one that stands afterwards."""
    notes = [f"before ({memory.path}):\n{body_of(memory.content).strip()}" for memory in memories]
    return "\n\n".join([*notes, f"after (one note in their place):\n{body.strip()}"])


def arrange_merge(statements: Statements, wanted: Wanted, lines: Sequence[str], whole: Finding | None) -> ArrangedMerge:
    """Return memories as the lines of a model arrange them, judged statement by statement.

    Args:
        statements: finds what the lines name.
        wanted: what becomes one.
        lines: the plan, in the form that `shared.core.reading.arranged` reads.
        whole: what a check found against the memories as a whole.
    """
    sources = tuple(
        Source(
            statements.letters[one.path],
            body_of(one.content),
            tuple(placed for placed in statements.read(one) if placed.form is not Form.FIELD),
        )
        for one in wanted.memories
    )
    judge = _Judge(statements, {statements.letters[one.path]: one for one in wanted.memories}, wanted.target)
    known = _with_known_headings(lines, wanted.memories, wanted.target)
    arrangement = arrange(sources, "\n".join(known))
    parts = dict(judge.find_parts(arrangement))
    found = {key: find_weightiest(one.checks, one.update) for key, one in parts.items()}
    findings = {key: one for key, one in found.items() if one is not None}
    return ArrangedMerge(wanted=wanted, arrangement=arrangement, parts=parts, findings=findings, whole=whole)


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
