"""The report of an evaluation: a verdict as a sentence, three numbers, and the probes behind them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from shared.core.dream.recall import ProbeKind
from shared.core.evaluation.intervals import Paired, compare, holm, smallest_visible
from shared.core.evaluation.measure import Comparison, Measured, compare_measured, without_superseded
from shared.core.evaluation.probes import Probe
from shared.core.evaluation.readers import CHARS_PER_TOKEN, Found, Reader
from shared.core.evaluation.verdict import Terms, Verdict, Word, judge
from shared.core.memory.model import ROOT_INDEX

_SHOWN = 10
_SHOWN_GONE = 20
_QUOTE_CHARS = 300
_SENTENCES = {
    Word.HELPS: "Dreaming helps this store",
    Word.NO_DIFFERENCE: "Dreaming makes no difference to this store",
    Word.HARMS: "Dreaming harms this store",
    Word.TOO_LITTLE: "There is too little data to tell whether dreaming helps this store",
}
_SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """An operation of the dream that was measured, and the paths before and after it."""

    operation_id: str
    kind: str
    phase: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedProbe:
    """A probe that one reader found only before, or only after.

    Attributes:
        key: of the probe.
        answer: the statement that was looked for.
        before: the paths that were read before the dream; `after` those after it.
        operations: those that touched what it was drawn from or found in.
    """

    key: str
    kind: ProbeKind
    reader: Reader
    query: str
    answer: str
    is_found: bool
    before: tuple[str, ...]
    after: tuple[str, ...]
    operations: tuple[Touch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEffect:
    """The effect of one phase: the dream with it, less the dream without it.

    Attributes:
        p: the exact probability of such a difference by chance, adjusted for the number of phases and readers (Holm).
        setting: what turns the phase off.
    """

    phase: str
    reader: Reader
    mean: float
    low: float
    high: float
    p: float
    word: Word
    setting: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that one evaluation says; `as_json` is what is stored and sent.

    Attributes:
        ranks: of the owner's probes and of those in `worst` and `best`, by key and reader: the rank before and after, as in `Found`.
    """

    verdict: Verdict
    sentence: str
    comparisons: tuple[Comparison, ...]
    visible: float
    tokens_at_start: tuple[float, float]
    bytes_at_start: tuple[int, int]
    orphans: tuple[int, int]
    copied: tuple[int, int]
    gone: tuple[tuple[str, str], ...]
    gone_count: int
    reworded: tuple[tuple[str, str, str], ...]
    reworded_count: int
    superseded: tuple[tuple[str, str, str], ...]
    superseded_count: int
    worst: tuple[ChangedProbe, ...]
    best: tuple[ChangedProbe, ...]
    ranks: Mapping[str, Mapping[Reader, tuple[int | None, int | None]]]
    phases: tuple[PhaseEffect, ...] = ()
    drift: tuple[float, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain JSON values."""
        return {name: _plain(value) for name, value in asdict(self).items()}


def _plain(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return round(value, 4) if isinstance(value, float) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """A dream that was measured beside the one that is judged: the store dreamt without one phase."""

    phase: str
    measured: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The measurements around a dream.

    Attributes:
        before: the store as it was.
        after: the store after the (last) dream.
        gone: (path, statement) of what nothing says any more.
        reworded: (path, statement, what is said now) of what a rewrite left out since another statement says the same.
        superseded: (path, statement, what is said now) of what memories list as superseded since; it is asked for no more.
        touched: the operations of the dream, to name the one behind each probe that changed.
        ablations: the store dreamt without one phase each.
        drift: the store after each dream of several.
    """

    before: Measured
    after: Measured
    gone: Sequence[tuple[str, str]] = ()
    reworded: Sequence[tuple[str, str, str]] = ()
    superseded: Sequence[tuple[str, str, str]] = ()
    touched: Sequence[Touch] = ()
    ablations: Sequence[Ablation] = ()
    drift: Sequence[Measured] = ()


def build_report(probes: Sequence[Probe], outcome: Outcome, terms: Terms) -> Report:
    """Judge a dream by all probes that were asked, of every kind, under terms that were fixed before anything was measured."""
    before, after, gone = outcome.before, outcome.after, outcome.gone
    probes = without_superseded(probes, outcome.superseded)
    comparisons = compare_measured(probes, before, after)
    verdict = judge(comparisons, terms)
    if gone:
        verdict = Verdict(word=Word.HARMS, by_reader=verdict.by_reader, terms=terms)
    mine = [one for one in probes if one.kind is terms.kind]
    rows = _pair(mine, before.found[Reader.SEARCH], after.found[Reader.SEARCH])
    changed = list(_find_changed(probes, before, after, outcome.touched))
    worst = tuple([one for one in changed if not one.is_found][:_SHOWN])
    best = tuple([one for one in changed if one.is_found][:_SHOWN])
    shown = {one.key for one in (*worst, *best)} | {one.key for one in probes if one.kind is ProbeKind.OWN}
    return Report(
        verdict=verdict,
        sentence=say_verdict(verdict, comparisons, len(gone)),
        comparisons=comparisons,
        visible=smallest_visible(rows),
        tokens_at_start=(before.chars_at_start / CHARS_PER_TOKEN, after.chars_at_start / CHARS_PER_TOKEN),
        bytes_at_start=(before.bytes_at_start, after.bytes_at_start),
        orphans=(len(before.orphans), len(after.orphans)),
        copied=(before.copied, after.copied),
        gone=tuple((path, said[:_QUOTE_CHARS]) for path, said in gone[:_SHOWN_GONE]),
        gone_count=len(gone),
        reworded=_clip(outcome.reworded),
        reworded_count=len(outcome.reworded),
        superseded=_clip(outcome.superseded),
        superseded_count=len(outcome.superseded),
        worst=worst,
        best=best,
        ranks={
            key: {reader: (before.found[reader][key].rank, after.found[reader][key].rank) for reader in Reader}
            for key in sorted(shown)
        },
        phases=_find_effects(mine, after, outcome.ablations, terms),
        drift=tuple(_share_found(mine, one) for one in outcome.drift),
    )


def _clip(told: Sequence[tuple[str, str, str]]) -> tuple[tuple[str, str, str], ...]:
    return tuple((path, said[:_QUOTE_CHARS], now[:_QUOTE_CHARS]) for path, said, now in told[:_SHOWN_GONE])


def say_verdict(verdict: Verdict, comparisons: Sequence[Comparison], gone: int) -> str:
    """Return the verdict in one sentence that a person who is no engineer understands."""
    said = _SENTENCES[verdict.word]
    mine = {one.reader: one for one in comparisons if one.kind is verdict.terms.kind}
    search = mine.get(Reader.SEARCH)
    asked, terms = 0 if search is None else search.interval.n, verdict.terms
    parts = [f"{gone:,} {'statement is' if gone == 1 else 'statements are'} gone"] if gone else []
    if asked >= terms.fewest:
        parts = [*(f"{_reads(reader)} {_say_change(one)}" for reader, one in mine.items()), *parts]
    elif asked:
        parts.append(
            f"{asked} {'question' if asked == 1 else 'questions'} could be asked, and {terms.fewest} are needed to tell what is found"
        )
    else:
        parts.append("it holds nothing that could be asked for")
    if verdict.word is Word.TOO_LITTLE and asked >= terms.fewest:
        parts.append(f"so few questions do not rule out that {100 * terms.margin:.0f} in 100 answers are lost")
    return f"{said}: {'; '.join(parts)}."


def _reads(reader: Reader) -> str:
    return "an agent that searches" if reader is Reader.SEARCH else "an agent that opens files"


def _say_change(one: Comparison) -> str:
    before, after = (round(side.at[max(side.at)] * one.interval.n) for side in (one.before, one.after))
    found = f"finds {after:,} of {one.interval.n:,} answers" + (
        ", as before" if before == after else f" instead of {before:,}"
    )
    old, new = round(one.before.tokens), round(one.after.tokens)
    return (
        found
        if old == new or not (before and after)
        else f"{found}, and reads {new:,} tokens for each instead of {old:,}"
    )


def _find_changed(
    probes: Sequence[Probe], before: Measured, after: Measured, touched: Sequence[Touch]
) -> Iterable[ChangedProbe]:
    """Yield the probes whose answer changed; those that most tokens were read for in vain come first."""
    found: list[tuple[int, ChangedProbe]] = []
    for reader in Reader:
        for probe in probes:
            old, new = before.found[reader][probe.key], after.found[reader][probe.key]
            if (old.rank is None) != (new.rank is None):
                found.append((-max(old.chars, new.chars), _changed(reader, probe, old, new, touched)))
    return (one for _, one in sorted(found, key=lambda pair: pair[0]))


def _changed(reader: Reader, probe: Probe, old: Found, new: Found, touched: Sequence[Touch]) -> ChangedProbe:
    answered = _answering(old) | _answering(new) | {probe.cluster}
    operations = [one for one in touched if answered.intersection(one.paths)]
    if not operations and reader is Reader.FILES:  # which chooses files by the index
        operations = [one for one in touched if ROOT_INDEX in one.paths]
    return ChangedProbe(
        key=probe.key,
        kind=probe.kind,
        reader=reader,
        query=probe.query[:_QUOTE_CHARS],
        answer=probe.needle.quote[:_QUOTE_CHARS],
        is_found=new.rank is not None,
        before=old.hits,
        after=new.hits,
        operations=tuple(operations),
    )


def _answering(found: Found) -> set[str]:
    return {found.hits[found.rank - 1]} if found.rank else set()


def _find_effects(
    probes: Sequence[Probe], full: Measured, ablations: Sequence[Ablation], terms: Terms
) -> tuple[PhaseEffect, ...]:
    found = {
        (one.phase, reader): compare(_pair(probes, one.measured.found[reader], full.found[reader]))
        for one in ablations
        for reader in Reader
    }
    adjusted = holm({f"{phase}/{reader}": one.p for (phase, reader), one in found.items()})
    return tuple(
        PhaseEffect(
            phase=phase,
            reader=reader,
            mean=one.mean,
            low=one.low,
            high=one.high,
            p=adjusted[f"{phase}/{reader}"],
            word=_word_of(one.n, one.low, one.high, adjusted[f"{phase}/{reader}"], terms),
            setting=f"phases.{phase}=false",
        )
        for (phase, reader), one in found.items()
    )


def _word_of(n: int, low: float, high: float, p: float, terms: Terms) -> Word:
    if n < terms.fewest:
        return Word.TOO_LITTLE
    if p < _SIGNIFICANT and (high < 0 or low > 0):
        return Word.HARMS if high < 0 else Word.HELPS
    return Word.NO_DIFFERENCE if low > -terms.margin else Word.TOO_LITTLE


def _pair(probes: Sequence[Probe], before: Mapping[str, Found], after: Mapping[str, Found]) -> list[Paired]:
    return [Paired(one.cluster, before[one.key].rank is not None, after[one.key].rank is not None) for one in probes]


def _share_found(probes: Collection[Probe], measured: Measured) -> float:
    found = measured.found[Reader.SEARCH]
    return sum(found[one.key].rank is not None for one in probes) / len(probes) if probes else 0.0
