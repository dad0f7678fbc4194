"""An evaluation in plain words: what the terminal, the HTML file and the console show of its report."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

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
_HELD_OFF_BY_A_PIN = frozenset(
    {OperationKind.ARCHIVE, OperationKind.ARCHIVE_STALE, OperationKind.RETIRE, OperationKind.MERGE}
)
_NONE = "none found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One of the three numbers, before and after, for an agent that searches; `note` has the same for one that opens files."""

    label: str
    before: str
    after: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One reader and one kind of questions."""

    reader: str
    kind: str
    questions: int
    found: str
    change: str
    tokens: str
    outdated: str
    repeated: str
    word: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A question whose answer was found only before, or only after; `before` and `after` name what was read.

    Of an answer that was lost, `keeps` are the commands that each would keep the next dream from doing that.
    """

    reader: str
    query: str
    answer: str
    before: str
    after: str
    because: tuple[str, ...]
    keeps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """The effect of one phase on one reader; `command` turns off a phase that harms."""

    name: str
    reader: str
    change: str
    word: str
    tone: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationView:
    """One page.

    Attributes:
        notes: what a reader has to know, in sentences.
        gone: (path, statement) of what nothing says any more; `gone_more` counts those that are not listed.
        terms: the hash of what decides, stored before anything was measured.
    """

    id: str
    where: str
    word: str
    tone: str
    sentence: str
    figures: tuple[Figure, ...]
    rows: tuple[Row, ...]
    worst: tuple[Changed, ...]
    best: tuple[Changed, ...]
    phases: tuple[Phase, ...]
    gone: tuple[tuple[str, str], ...]
    gone_more: int
    reworded: tuple[tuple[str, str, str], ...]
    reworded_count: int
    notes: tuple[str, ...]
    terms: str

    @property
    def harmful(self) -> tuple[Phase, ...]:
        """Return the phases that harm, each once."""
        return tuple({one.name: one for one in self.phases if one.command}.values())


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
    reworded = tuple((path, said, now) for path, said, now in report.get("reworded", ()))
    return EvaluationView(
        id=evaluation.id,
        where=where,
        word=word,
        tone=TONES[word],
        sentence=report["sentence"],
        figures=tuple(_figures(deciding, report["gone_count"])),
        rows=tuple(_row(one, words if one["kind"] == terms["kind"] else {}) for one in report["comparisons"]),
        worst=tuple(replace(_changed(one), keeps=tuple(_keeps(one, where))) for one in report["worst"]),
        best=tuple(map(_changed, report["best"])),
        phases=tuple(_phase(one, where) for one in report["phases"]),
        gone=gone,
        gone_more=report["gone_count"] - len(gone),
        reworded=reworded,
        reworded_count=report.get("reworded_count", len(reworded)),
        notes=tuple(_notes(report, evaluation)),
        terms=evaluation.terms,
    )


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
    before, after = one["before"], one["after"]
    return Row(
        reader=READERS[Reader(one["reader"])],
        kind=ABOUT[ProbeKind(one["kind"])],
        questions=one["interval"]["n"],
        found=f"{_share(before)} → {_share(after)}",
        change=_points(one["interval"]),
        tokens=_say_tokens(one),
        outdated=f"{before['stale']:,} → {after['stale']:,}",
        repeated=f"{before['twice']:,} → {after['twice']:,}",
        word=word or "shown beside it",
        tone=TONES[word] if word else "over",
    )


def _changed(one: Mapping[str, Any]) -> Changed:
    return Changed(
        reader=READERS[Reader(one["reader"])],
        query=one["query"],
        answer=one["answer"].removeprefix("- "),
        before=_say_paths(one["before"]),
        after=_say_paths(one["after"]),
        because=tuple(_say_operation(touch) for touch in one["operations"]),
    )


def _say_operation(touch: Mapping[str, Any]) -> str:
    return f"{touch['kind']} by {touch['phase']}: {_say_paths(touch['paths'])}"


def _keeps(one: Mapping[str, Any], where: str) -> Iterator[str]:
    """Yield what would keep the operations from happening that lost an answer: the pin of a memory, or a phase that is off."""
    touches = one["operations"]
    hidden = {path for touch in touches if touch["kind"] in _HELD_OFF_BY_A_PIN for path in touch["paths"]}
    for path in [path for path in one["before"] if path in hidden][:1]:
        tenant, _, store = where.partition("/")
        yield f"{COMMAND} memory pin {tenant} {shlex.quote(path)} --store {store}"
    phases = dict.fromkeys(touch["phase"] for touch in touches)
    yield from (
        f"{COMMAND} stores set {where} --set phases.{one}=false" for one in phases if one in get_phases().switches
    )


def _say_paths(paths: Sequence[str]) -> str:
    listed = ", ".join(paths[:_SHOWN_PATHS]) or "nothing"
    return f"{listed} and {len(paths) - _SHOWN_PATHS} more" if len(paths) > _SHOWN_PATHS else listed


def _phase(one: Mapping[str, Any], where: str) -> Phase:
    word = Word(one["word"])
    return Phase(
        name=one["phase"],
        reader=READERS[Reader(one["reader"])],
        change=_points(one),
        word=word,
        tone=TONES[word],
        command=f"{COMMAND} stores set {where} --set {one['setting']}" if word is Word.HARMS else "",
    )


def _notes(report: Mapping[str, Any], evaluation: Evaluation) -> Iterator[str]:
    yield from report.get("notes", ())
    yield f"So many questions show a difference of {100 * report['visible']:.1f} points or more; a smaller one would stay hidden."
    start = report["tokens_at_start"]
    if any(start):
        yield f"A coding agent loads {start[0]:,.0f} tokens of the index before the first question; afterwards {start[1]:,.0f}."
    orphans = report["orphans"]
    if any(orphans):
        yield f"Memories that no index names: {orphans[0]:,} before, {orphans[1]:,} after."
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


def _tokens(one: Mapping[str, Any], side: str) -> str:
    """Return the tokens for each answer; there is no such number where nothing was found."""
    return f"{one[side]['tokens']:,.0f}" if _share_of(one[side]) else _NONE


def _say_tokens(one: Mapping[str, Any]) -> str:
    before, after = _tokens(one, "before"), _tokens(one, "after")
    return before if before == after == _NONE else f"{before} → {after}"


def _points(one: Mapping[str, Any]) -> str:
    return f"{100 * one['mean']:+.1f} points ({100 * one['low']:+.1f} to {100 * one['high']:+.1f})"
