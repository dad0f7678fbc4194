"""The tables of a run: what is found before and after dreams, and what each phase does to it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from benchmarks.evidence.answers import Answers, Run, compare_answers
from benchmarks.evidence.measuring import BEFORE, DREAMS, MEASURES, Outcome, after, answers_of, tokens_of
from shared.core.evaluation.intervals import Interval
from shared.core.evaluation.measure import Measured
from shared.core.evaluation.readers import Reader

MOMENTS = (BEFORE, *map(after, DREAMS))


def sets_of(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the names of the sets of questions in their order."""
    return list(dict.fromkeys(name for one in outcomes for name in one.case.probes))


def run_of(outcomes: Sequence[Outcome]) -> Run:
    """Return the answers after dreams, as they are recorded, and what must be 0."""
    sets = {
        f"{name}; {moment}; {counted}": _answers(outcomes, name, moment, counted)
        for name in sets_of(outcomes)
        for moment in MOMENTS
        if moment != BEFORE
        for counted in MEASURES
    }
    zeros = {
        f"statements gone {after(dreams)}": sum(len(one.find_gone(after(dreams))) for one in outcomes)
        for dreams in DREAMS
    }
    later = sum(len(one.changed_later) for one in outcomes)
    return Run(sets=sets, zeros=zeros | {f"memories changed by dreams 2 to {DREAMS[-1]}": later})


def _answers(outcomes: Sequence[Outcome], name: str, moment: str, counted: str) -> dict[str, Any]:
    return _join(((one, one.measured[moment]) for one in outcomes), name, counted)


def _join(measured: Iterator[tuple[Outcome, Measured]], name: str, counted: str) -> dict[str, Any]:
    return {
        key: answer
        for outcome, found in measured
        for key, answer in answers_of(outcome.case.name, outcome.case.probes.get(name, ()), found, counted).items()
    }


def rows_of_moments(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Return a row for each set of questions and moment; moments with the same answers share one."""
    rows: list[dict[str, Any]] = []
    for name in sets_of(outcomes):
        mine = [_row(outcomes, name, moment) for moment in MOMENTS]
        rows += [row for place, row in enumerate(mine) if not (place and _is_same(row, mine[place - 1]))]
        for row, later in pairwise(mine):
            if _is_same(row, later):
                row["when"] = later["when"] = f"{row['when']}, {later['when']}"
    return rows


def _is_same(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return {**row, "when": ""} == {**other, "when": ""}


def _row(outcomes: Sequence[Outcome], name: str, moment: str) -> dict[str, Any]:
    row: dict[str, Any] = {"questions about": name, "when": moment}
    mine = [one for one in outcomes if name in one.case.probes]
    for counted in MEASURES:
        before, now = _answers(mine, name, BEFORE, counted), _answers(mine, name, moment, counted)
        row["n"] = len(now)
        row[counted] = _share(now)
        row[f"{counted} ±"] = say(compare_answers(before, now))
    for reader in Reader:
        read = sum(tokens_of(one.case.probes[name], one.measured[moment], reader) for one in mine)
        row[f"tokens, {reader}"] = round(read / max(1, row["n"]))
    return row


def rows_of_phases(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Return a row for each phase that did something and each set: one dream less one without the phase."""
    rows = []
    for phase in dict.fromkeys(phase for one in outcomes for phase in one.done):
        for name in sets_of(outcomes):
            mine = [one for one in outcomes if name in one.case.probes]
            if any(phase in one.done for one in mine):
                rows.append(_row_of_phase(mine, phase, name))
    return rows


def _row_of_phase(mine: Sequence[Outcome], phase: str, name: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "phase": phase,
        "operations": sum(one.done.get(phase, 0) for one in mine),
        "questions about": name,
    }
    full = after(1)
    for counted in MEASURES:
        # Where the phase did nothing, the dream without it is the same dream.
        without = _join(((one, one.without.get(phase, one.measured[full])) for one in mine), name, counted)
        found = compare_answers(without, _answers(mine, name, full, counted))
        row["n"] = found.n
        row[counted] = say(found)
        row |= {"harms": f"{row.get('harms', '')} {counted}".strip()} if found.high < 0 else {}
    return {"harms": "", **row}


def say(found: Interval) -> str:
    """Return a difference with its 95 % interval."""
    return f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"


def _share(answers: Answers) -> float:
    return sum(one.is_found for one in answers.values()) / max(1, len(answers))


def zeros_row(zeros: Mapping[str, int]) -> dict[str, Any]:
    """Return what must be 0 as a note."""
    return {name: f"{count} (must be 0)" for name, count in zeros.items()}
