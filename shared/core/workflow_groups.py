"""Workflow runs by kind: what failed often in the same way, and what succeeds so reliably that it could be a skill."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from shared.core.feedback import RunOutcome, WorkflowRun
from shared.core.learning_policy import WorkflowPolicy
from shared.core.similarity import significant_words

_KIND_WORDS = 12
_NO_DIGITS = str.maketrans(dict.fromkeys("0123456789"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGroup:
    """Runs of one kind and outcome, newest first. `path` is the id by which an answer names them."""

    path: str
    description: str
    classification: str
    runs: tuple[WorkflowRun, ...]
    share: float  # of all runs of the kind: how many ended like these

    @property
    def skills(self) -> tuple[str, ...]:
        """Return the names of the skills that these runs used."""
        return tuple(dict.fromkeys(skill for run in self.runs for skill in run.skills))

    @property
    def days(self) -> str:
        """Return from when to when, as ISO dates."""
        first, last = (run.occurred_at.date().isoformat() for run in (self.runs[-1], self.runs[0]))
        return first if first == last else f"{first} to {last}"


def kind_of_run(run: WorkflowRun) -> str:
    """Return what runs of one kind have in common: the telling words of their description, numbers and order aside."""
    words = significant_words(run.description.translate(_NO_DIGITS), _KIND_WORDS)
    return " ".join(sorted(words)) or " ".join(run.description.lower().split())[:200]


def find_failures(
    runs: Sequence[WorkflowRun], policy: WorkflowPolicy, *, among: Sequence[WorkflowRun] = ()
) -> list[RunGroup]:
    """Return failures of one kind and classification that came often enough, with steps to learn from; most first.

    `among`: all runs of the time, whose shares are told; where it is left out, `runs` themselves.
    """
    by_kind: dict[tuple[str, str], list[WorkflowRun]] = {}
    for run in runs:
        if run.outcome is RunOutcome.FAILURE and run.classification:
            by_kind.setdefault((kind_of_run(run), run.classification.casefold()), []).append(run)
    enough = [
        found for found in by_kind.values() if len(found) >= policy.min_failures and any(run.steps for run in found)
    ]
    return _named("failures", enough, _Shares(among or runs), policy.max_groups)


def find_successes(
    runs: Sequence[WorkflowRun],
    policy: WorkflowPolicy,
    skills: Collection[str],
    *,
    among: Sequence[WorkflowRun] = (),
) -> list[RunGroup]:
    """Return successes of one kind that came often and reliably enough and that no skill stands behind; most first.

    Args:
        runs: what no dream has made something of.
        policy: how often, and which share.
        skills: the names of those that exist.
        among: all runs of the time, so that failures which taught something count for the share; `runs` if left out.
    """
    by_kind: dict[str, list[WorkflowRun]] = {}
    for run in runs:
        if run.outcome is RunOutcome.SUCCESS:
            by_kind.setdefault(kind_of_run(run), []).append(run)
    shares = _Shares(among or runs)
    enough = [
        found
        for found in by_kind.values()
        if len(found) >= policy.min_successes
        and shares.of(found[0]) > policy.success_share
        and any(run.steps for run in found)
        and not any(set(run.skills) & set(skills) for run in found)
    ]
    return _named("successes", enough, shares, policy.max_groups)


class _Shares:
    """How many of all runs of a kind ended in the same way."""

    def __init__(self, runs: Sequence[WorkflowRun]) -> None:
        ends = [(kind_of_run(run), _end_of(run)) for run in runs]
        self._alike = Counter(ends)
        self._all = Counter(kind for kind, _ in ends)

    def of(self, run: WorkflowRun) -> float:
        kind = kind_of_run(run)
        return self._alike[kind, _end_of(run)] / self._all[kind]


def _end_of(run: WorkflowRun) -> tuple[RunOutcome, str]:
    return run.outcome, run.classification.casefold() if run.outcome is RunOutcome.FAILURE else ""


def _named(what: str, groups: list[list[WorkflowRun]], shares: _Shares, limit: int) -> list[RunGroup]:
    ordered = sorted(groups, key=lambda found: (-len(found), kind_of_run(found[0]), found[0].classification))[:limit]
    return [
        RunGroup(
            path=f"{what}/{number}",
            description=found[0].description,
            classification=found[0].classification,
            runs=tuple(found),
            share=shares.of(found[0]),
        )
        for number, found in enumerate(ordered, 1)
    ]


def render_group(group: RunGroup, runs_shown: int) -> str:
    """Return what a model sees of a group: the newest runs with their steps and last words."""
    parts = []
    for run in group.runs[:runs_shown]:
        steps = "\n".join(f"{number}. {step}" for number, step in enumerate(run.steps, 1))
        error = f"\nended with: {run.error[:1_000]}" if run.error else ""
        parts.append(f"{run.occurred_at.date().isoformat()} {run.description[:500]}\n{steps}{error}")
    return "\n\n".join(parts)
