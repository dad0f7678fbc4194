"""An evaluation in plain words: what the terminal, the HTML file and the console show of its report."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from gateway.phases import get_phases
from shared.core.dream.operations import OperationKind
from shared.core.dream.recall import ABOUT, ProbeKind
from shared.core.evaluation.model import Evaluation
from shared.core.evaluation.readers import Reader
from shared.core.evaluation.verdict import Word
from shared.program import COMMAND

READERS = {Reader.SEARCH: "An agent that searches", Reader.FILES: "An agent that opens files"}
#: What each verdict is like, by the tones of the console.
TONES = {Word.HELPS: "good", Word.NO_DIFFERENCE: "over", Word.HARMS: "bad", Word.TOO_LITTLE: "wait"}

_SHOWN_PATHS = 3
#: A pinned memory is neither archived nor merged into another one.
_ARCHIVES = frozenset({OperationKind.ARCHIVE, OperationKind.ARCHIVE_STALE})
_HELD_OFF_BY_A_PIN = _ARCHIVES | {OperationKind.RETIRE, OperationKind.MERGE}
_NONE = "none found"
_LEAST_P = 0.001
_REWRITTEN = {
    "superseded": ("Superseded by a newer statement, and not asked for: is it so?", "now"),
    "reworded": ("Left out, because another statement says the same: is it so?", "stays"),
}
_COUNTED = {"orphans": "Memories that no index names", "copied": "Lines that stand in more than one memory"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One of the three numbers, before and after, for an agent that searches; `note` has the same for one that opens files."""

    label: str
    before: str
    after: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One reader and one kind of questions.

    Attributes:
        first: what was found among the first 1, 5 and 10 texts.
        chance: answers lost and gained, and the exact probability of so uneven a split by chance.
    """

    reader: str
    kind: str
    questions: int
    found: str
    change: str
    first: str
    chance: str
    tokens: str
    bytes: str
    outdated: str
    repeated: str
    word: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to keep a dream from doing something: its command, and where the console has it, as an address within the tenant."""

    said: str
    command: str
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A question whose answer was found only before, or only after; `before` and `after` tell where, or what was read in vain.

    A fact of a memory is its own `title`, since it is asked for with words that are no sentence; `beside` has those words, or of other
    questions what was looked for, with a label. Of an answer that was lost, `keeps` are the ways of which each would keep the next dream
    from doing that.
    """

    reader: str
    kind: str
    title: str
    beside: tuple[str, str]
    before: str
    after: str
    because: tuple[str, ...]
    keeps: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """The effect of one phase on one reader; `off` turns off a phase that harms."""

    name: str
    reader: str
    change: str
    word: str
    tone: str
    off: Way | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """Statements that others stand for now: the path, the statement, and what is said now, of the first of so many."""

    title: str
    mark: str
    rows: tuple[tuple[str, str, str], ...]
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationView:
    """One page.

    Attributes:
        warnings: what went otherwise than ordered, in sentences; `notes` has what else a reader has to know.
        own: what an agent that searches finds of the owner's questions, as a sentence; empty where these decide, or there are none.
        idle_phases: phases without which the same answers are found.
        gone: (path, statement) of what nothing says any more; `gone_more` counts those that are not listed.
        rewritten: what other statements stand for now, for a person to judge; nothing that is empty.
        terms: the hash of what decides, stored before anything was measured.
    """

    id: str
    where: str
    word: str
    tone: str
    sentence: str
    own: str
    figures: tuple[Figure, ...]
    rows: tuple[Row, ...]
    worst: tuple[Changed, ...]
    best: tuple[Changed, ...]
    phases: tuple[Phase, ...]
    idle_phases: tuple[str, ...]
    gone: tuple[tuple[str, str], ...]
    gone_more: int
    rewritten: tuple[Rewritten, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    terms: str

    @property
    def harmful(self) -> tuple[Phase, ...]:
        """Return the phases that harm, each once."""
        return tuple({one.name: one for one in self.phases if one.off}.values())


def view_evaluation(tenant: str, evaluation: Evaluation) -> EvaluationView | None:
    """Return the page of an evaluation; None if it has no report."""
    report = evaluation.report
    if report is None:
        return None
    verdict, where = report["verdict"], f"{tenant}/{evaluation.store}"
    word, terms = Word(verdict["word"]), verdict["terms"]
    deciding = {one["reader"]: one for one in report["comparisons"] if one["kind"] == terms["kind"]}
    words = {reader: Word(said) for reader, said in verdict["by_reader"]}
    gone = tuple((path, said) for path, said in report["gone"])
    idle = tuple(_find_idle(report["phases"]))
    return EvaluationView(
        id=evaluation.id,
        where=where,
        word=word,
        tone=TONES[word],
        sentence=report["sentence"],
        own=_say_own(report["comparisons"]) if terms["kind"] != ProbeKind.OWN else "",
        figures=tuple(_figures(deciding, report["gone_count"])),
        rows=tuple(_row(one, words if one["kind"] == terms["kind"] else {}) for one in report["comparisons"]),
        worst=tuple(replace(_changed(one, report), keeps=tuple(_keeps(one, where))) for one in report["worst"]),
        best=tuple(_changed(one, report) for one in report["best"]),
        phases=tuple(_phase(one, where) for one in report["phases"] if one["phase"] not in idle),
        idle_phases=idle,
        gone=gone,
        gone_more=report["gone_count"] - len(gone),
        rewritten=tuple(one for name in _REWRITTEN if (one := _rewritten(name, report)).rows),
        warnings=tuple(dict.fromkeys(report.get("notes", ()))),
        notes=tuple(_notes(report, evaluation, where)),
        terms=evaluation.terms,
    )


def _say_own(comparisons: Sequence[Mapping[str, Any]]) -> str:
    for one in comparisons:
        if one["kind"] == ProbeKind.OWN and one["reader"] == Reader.SEARCH:
            before, after, number = _found(one, "before"), _found(one, "after"), one["interval"]["n"]
            than = "as before" if before == after else f"{before} before"
            return f"Your own questions, which are too few to decide: {after} of {number:,} found, {than}."
    return ""


def _rewritten(name: str, report: Mapping[str, Any]) -> Rewritten:
    rows = tuple((path, said, now) for path, said, now in report.get(name, ()))
    title, mark = _REWRITTEN[name]
    return Rewritten(title=title, mark=mark, rows=rows, number=report.get(f"{name}_count", len(rows)))


def _figures(deciding: Mapping[str, Mapping[str, Any]], gone: int) -> Iterator[Figure]:
    search, files = deciding.get(Reader.SEARCH), deciding.get(Reader.FILES)
    if search is not None:
        beside = "" if files is None else "by opening files: "
        was = "" if files is None else f"{beside}{_found(files, 'before')} → {_found(files, 'after')}"
        yield Figure(
            label=f"answers found, of {search['interval']['n']:,}",
            before=_found(search, "before"),
            after=_found(search, "after"),
            note=was,
        )
        read = "" if files is None else f"{beside}{_say_tokens(files)}"
        yield Figure(
            label="tokens read for each answer",
            before=_tokens(search, "before"),
            after=_tokens(search, "after"),
            note=read,
        )
    yield Figure(label="statements gone", before="0", after=f"{gone:,}", note="said by no memory any more")


def _row(one: Mapping[str, Any], words: Mapping[str, Word]) -> Row:
    word = words.get(one["reader"])
    before, after, interval = one["before"], one["after"], one["interval"]
    return Row(
        reader=READERS[Reader(one["reader"])],
        kind=ABOUT[ProbeKind(one["kind"])],
        questions=interval["n"],
        found=f"{_share(before)} → {_share(after)}",
        change=_points(interval),
        first=f"{_firsts(before)} → {_firsts(after)} %",
        chance=f"{interval['lost']:,} and {interval['gained']:,}, {_say_p(interval)}",
        tokens=_say_tokens(one),
        bytes=_say_tokens(one, "bytes"),
        outdated=f"{before['stale']:,} → {after['stale']:,}",
        repeated=f"{before['twice']:,} → {after['twice']:,}",
        word=word or "does not decide",
        tone=TONES[word] if word else "over",
    )


def _changed(one: Mapping[str, Any], report: Mapping[str, Any]) -> Changed:
    rank_before, rank_after = report.get("ranks", {}).get(one["key"], {}).get(one["reader"], (None, None))
    archived = {path for touch in one["operations"] if touch["kind"] in _ARCHIVES for path in touch["paths"]}
    query, answer = one["query"], one["answer"].removeprefix("- ")
    is_fact = one.get("kind") == ProbeKind.PAIR
    return Changed(
        reader=READERS[Reader(one["reader"])],
        kind=ABOUT[ProbeKind(one["kind"])] if one.get("kind") else "",
        title=answer if is_fact else query,
        beside=("Asked with", query) if is_fact else ("Looked for", answer),
        before=_say_read(one["before"], rank_before),
        after=_say_read([f"{path} (archived)" if path in archived else path for path in one["after"]], rank_after),
        because=tuple(_say_operation(touch) for touch in one["operations"]),
    )


def _say_read(paths: Sequence[str], rank: int | None) -> str:
    """Return where an answer was found, or what was read in vain; place 0 is the index, which is always read."""
    if rank is None or len(paths) < rank:
        return f"not found in {_say_paths(paths)}" if paths else "not found: nothing was read"
    return f"found in {paths[max(rank, 1) - 1]}" + (f", text {rank} of {len(paths)}" if rank else "")


def _say_operation(touch: Mapping[str, Any]) -> str:
    return f"{touch['kind']} by {touch['phase']}: {_say_paths(touch['paths'])}"


def _keeps(one: Mapping[str, Any], where: str) -> Iterator[Way]:
    """Yield what would keep the operations from happening that lost an answer: the pin of a memory, or a phase that is off."""
    touches = one["operations"]
    hidden = {path for touch in touches if touch["kind"] in _HELD_OFF_BY_A_PIN for path in touch["paths"]}
    for path in [path for path in one["before"] if path in hidden][:1]:
        tenant, _, store = where.partition("/")
        command = f"{COMMAND} memory pin {tenant} {shlex.quote(path)} --store {store}"
        yield Way(said=f"Pin {path}", command=command, link=f"/stores/{store}/memories?{urlencode({'q': path})}")
    phases = dict.fromkeys(touch["phase"] for touch in touches)
    yield from (_turn_off(phase, where) for phase in phases if phase in get_phases().switches)


def _turn_off(phase: str, where: str) -> Way:
    setting, store = f"phases.{phase}=false", where.partition("/")[2]
    return Way(
        said=f"Turn {phase} off",
        command=f"{COMMAND} stores set {where} --set {setting}",
        link=f"/settings/stores/{store}/change?{setting}",
    )


def _say_paths(paths: Sequence[str]) -> str:
    listed = ", ".join(paths[:_SHOWN_PATHS]) or "nothing"
    return f"{listed} and {len(paths) - _SHOWN_PATHS} more" if len(paths) > _SHOWN_PATHS else listed


def _phase(one: Mapping[str, Any], where: str) -> Phase:
    word = Word(one["word"])
    return Phase(
        name=one["phase"],
        reader=READERS[Reader(one["reader"])],
        change=f"{_points(one)}, {_say_p(one)}",
        word=word,
        tone=TONES[word],
        off=_turn_off(one["phase"], where) if word is Word.HARMS else None,
    )


def _find_idle(phases: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    moved = {one["phase"] for one in phases if one["low"] or one["high"]}
    yield from dict.fromkeys(one["phase"] for one in phases if one["phase"] not in moved)


def _notes(report: Mapping[str, Any], evaluation: Evaluation, where: str) -> Iterator[str]:
    if Word(report["verdict"]["word"]) is Word.TOO_LITTLE:
        yield f"More questions tell more. Keep your own: {COMMAND} probes set {where} FILE (docs/evaluate.md)."
    yield f"Questions like these show a difference of {100 * report['visible']:.1f} points of 100, or more, in four evaluations of five; a smaller one may stay hidden."
    start, size = report["tokens_at_start"], report.get("bytes_at_start", (0, 0))
    yield f"Before the first question, a coding agent loads {start[0]:,.0f} tokens of the index ({size[0]:,} bytes) before the dream, {start[1]:,.0f} ({size[1]:,}) after it."
    for name, label in _COUNTED.items():
        before, after = report.get(name, (0, 0))
        yield f"{label}: {before:,} before, {after:,} after."
    if report["drift"]:
        yield f"Found after each dream in a row: {_say_shares(report['drift'])}."
    if evaluation.cost_usd:
        yield f"The dreams of this evaluation cost ${evaluation.cost_usd:,.2f}."


def _say_shares(shares: Sequence[float]) -> str:
    return ", ".join(f"{100 * one:.1f} %" for one in shares)


def _found(one: Mapping[str, Any], side: str) -> str:
    return f"{round(_share_of(one[side]) * one['interval']['n']):,}"


def _share(side: Mapping[str, Any]) -> str:
    return f"{100 * _share_of(side):.1f} %"


def _share_of(side: Mapping[str, Any]) -> float:
    """Return the share that was found at all: among as many texts as the reader reads. JSON has the numbers as texts."""
    at: Mapping[str, float] = side["at"]
    return at[max(at, key=int)]


def _firsts(side: Mapping[str, Any]) -> str:
    return " · ".join(f"{100 * share:.0f}" for _, share in sorted(side["at"].items(), key=lambda pair: int(pair[0])))


def _tokens(one: Mapping[str, Any], side: str, unit: str = "tokens") -> str:
    """Return the tokens, or bytes, for each answer; there is no such number where nothing was found."""
    return f"{one[side].get(unit, 0):,.0f}" if _share_of(one[side]) else _NONE


def _say_tokens(one: Mapping[str, Any], unit: str = "tokens") -> str:
    before, after = _tokens(one, "before", unit), _tokens(one, "after", unit)
    return before if before == after == _NONE else f"{before} → {after}"


def _say_p(one: Mapping[str, Any]) -> str:
    return f"p {one['p']:.2g}" if one["p"] >= _LEAST_P else f"p < {_LEAST_P}"


def _points(one: Mapping[str, Any]) -> str:
    return f"{100 * one['mean']:+.1f} points ({100 * one['low']:+.1f} to {100 * one['high']:+.1f})"
