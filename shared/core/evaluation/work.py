"""The work of an evaluation between two steps: its probes, what is measured, and the copies that dream.

The store is copied to dream once as ordered, and with ablation once without each optional phase. Each is repeated, on
copies of its own, and a probe counts as found if most of its repeats find it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from shared.core.evaluation.measure import Measured
from shared.core.evaluation.probes import Probe
from shared.core.evaluation.readers import Found, Reader
from shared.core.evaluation.report import Ablation, Outcome, Touch
from shared.core.evaluation.verdict import Terms

#: A path and a statement, and what is said now where something is.
_Found = TypeVar("_Found", bound=tuple[str, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCopy:
    """One copy, and what came of its dreams.

    Attributes:
        phase: the phase that is left out; empty where the dream is judged.
        store: the copy's name, from its first dream to its last.
        dream: the id of its newest dream.
        measured: the copy after each of its dreams.
        touched: the operations of its dreams.
        gone: (path, statement) of what nothing says any more.
        reworded: (path, statement, what is said now) of what a rewrite left out since another statement says the same.
        superseded: (path, statement, what is said now) of what the copy's memories list as superseded since.
        is_over: its dreams have ended, and the copy is deleted; also if no money was left for it.
    """

    phase: str = ""
    store: str = ""
    dream: str = ""
    measured: tuple[Measured, ...] = ()
    touched: tuple[Touch, ...] = ()
    gone: tuple[tuple[str, str], ...] = ()
    reworded: tuple[tuple[str, str, str], ...] = ()
    superseded: tuple[tuple[str, str, str], ...] = ()
    is_over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationWork:
    """Everything that one step leaves to the next.

    Attributes:
        step: grows with each step, so that a step that two workers took counts once.
        base: the name of the copy that is measured before, that all others are copies of, and that never dreams.
        notes: what a reader of the report has to know, in sentences.
    """

    step: int = 0
    probes: tuple[Probe, ...] = ()
    terms: Terms | None = None
    base: str = ""
    before: Measured | None = None
    copies: tuple[StoreCopy, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def current(self) -> int | None:
        """Return the place of the copy to go on with; None if all are over."""
        return next((place for place, one in enumerate(self.copies) if not one.is_over), None)

    def with_copy(self, place: int, changed: StoreCopy) -> "EvaluationWork":
        """Return the work with a changed copy."""
        return replace(self, copies=(*self.copies[:place], changed, *self.copies[place + 1 :]))


def plan_copies(repeats: int, left_out: Sequence[str]) -> tuple[StoreCopy, ...]:
    """Return the copies in the order in which they dream: the one that is judged comes first."""
    return tuple(StoreCopy(phase=phase) for phase in ("", *left_out) for _ in range(repeats))


def sum_up(work: EvaluationWork) -> Outcome | None:
    """Return the measurements of all copies, their repeats combined; None if the one that is judged has none."""
    judged = list(_combine_dreams(_measured_of(work, "")))
    if work.before is None or not judged:
        return None
    main = [one for one in work.copies if not one.phase and one.measured]
    phases = dict.fromkeys(one.phase for one in work.copies if one.phase and one.measured)
    return Outcome(
        before=work.before,
        after=judged[-1],
        gone=_find_common([one.gone for one in main]),
        reworded=_find_common([one.reworded for one in main]),
        superseded=_find_common([one.superseded for one in main]),
        touched=main[0].touched,
        ablations=tuple(
            Ablation(phase=one, measured=list(_combine_dreams(_measured_of(work, one)))[-1]) for one in phases
        ),
        drift=tuple(judged) if len(judged) > 1 else (),
    )


def without_hits(measured: Measured) -> Measured:
    """Return a measurement without the paths that were read, which most of its size is."""
    found = {
        reader: {key: replace(one, hits=()) for key, one in by_key.items()} for reader, by_key in measured.found.items()
    }
    return replace(measured, found=found)


def _measured_of(work: EvaluationWork, phase: str) -> list[tuple[Measured, ...]]:
    return [one.measured for one in work.copies if one.phase == phase and one.measured]


def _combine_dreams(repeats: Sequence[tuple[Measured, ...]]) -> Iterator[Measured]:
    """Yield for each dream the repeats' measurements as one; a repeat with fewer dreams counts in those that it has."""
    for place in range(max(map(len, repeats), default=0)):
        yield _combine([one[place] for one in repeats if len(one) > place])


def _combine(repeats: Sequence[Measured]) -> Measured:
    first = repeats[0]
    found: Mapping[Reader, Mapping[str, Found]] = {
        reader: {key: _choose([one.found[reader][key] for one in repeats]) for key in by_key}
        for reader, by_key in first.found.items()
    }
    return replace(first, found=found)


def _choose(found: Sequence[Found]) -> Found:
    """Return one of the results: of those that found it if they are most, else of those that did not."""
    is_found = sum(one.rank is not None for one in found) * 2 > len(found)
    return next(one for one in found if (one.rank is not None) is is_found)


def _find_common(repeats: Sequence[Sequence[_Found]]) -> tuple[_Found, ...]:
    """Return what is so of the same statement in most repeats, whatever each of them says now."""
    places = [{one[:2] for one in found} for found in repeats]
    every: dict[tuple[str, ...], _Found] = {}
    for found in repeats:
        for one in found:
            every.setdefault(one[:2], one)
    return tuple(one for key, one in every.items() if sum(key in found for found in places) * 2 > len(repeats))
