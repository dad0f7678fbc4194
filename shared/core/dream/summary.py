"""The log of a dream: its counters, its final state, and the lines that a person reads."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from shared.core.dream.model import Dream, DreamState, DreamSummary, PhaseRun, PhaseState
from shared.core.dream.operations import KINDS, Counted, OperationKind
from shared.core.dream.phase_catalog import PhaseEntry
from shared.core.dream.recall import by_kind, read_recall, say_found
from shared.core.memory.model import ROOT_INDEX

NO_CHANGES = "No changes needed — memory is up to date"
_SETTLED = (PhaseState.DONE, PhaseState.SKIPPED)


def decide_final_state(
    runs: Sequence[PhaseRun], chain: Sequence[PhaseEntry], *, canceled: bool, is_unanswered: bool = False
) -> tuple[DreamState, str]:
    """Return the final state of a dream and the reason: completed if every phase ended, error only if none did.

    A dream whose model never answered is an error, too, even if phases that need no model completed.

    Args:
        runs: the phases that have begun.
        chain: the phases of this kind of dream. A phase without operations only surveys: a dream that got no further
            has done nothing.
        canceled: a person asked the dream to stop.
        is_unanswered: questions were asked, and the model answered none of them.
    """
    by_phase = {run.phase: run for run in runs}
    open_phases = [
        name
        for name in (entry.name for entry in chain)
        if name not in by_phase or by_phase[name].state is PhaseState.RUNNING
    ]
    cut = [run for run in runs if run.state not in _SETTLED]
    late = [run for run in runs if run.counts.get("missing_time_budget")]
    surveys = {entry.name for entry in chain if not entry.may_emit}
    through = [run for run in runs if _got_somewhere(run, surveys)]
    if canceled:
        return DreamState.CANCELED if not any(_changes(run.counts) for run in runs) else DreamState.PARTIAL, "canceled"
    if not open_phases and not cut and not late:
        return DreamState.COMPLETED, ""
    reason = next((run.reason for run in [*late, *cut] if run.reason), "") or f"{', '.join(open_phases)} did not run"
    if is_unanswered or not through:
        return DreamState.ERROR, reason
    return DreamState.PARTIAL, reason


def _got_somewhere(run: PhaseRun, surveys: Collection[str]) -> bool:
    """Tell whether a phase has a result: a failed one does if it changed the store before it failed."""
    is_through = run.state in {PhaseState.DONE, PhaseState.PARTIAL} and run.phase not in surveys
    return is_through or _changes(run.counts) > 0


def _changes(counts: Mapping[str, int]) -> int:
    return sum(counts.get(kind, 0) for kind, traits in KINDS.items() if traits.changes_store)


def sum_up(runs: Sequence[PhaseRun]) -> DreamSummary:
    """Return the counters of a dream from those of its phases; the caller adds calls and times."""
    total: Counter[str] = Counter()
    for run in runs:
        total.update(run.counts)
    reasons = {
        name.removeprefix("skip_").removeprefix("missing_"): number
        for name, number in sorted(total.items())
        if name.startswith(("skip_", "missing_"))
    }
    not_applied = {name: number for name, number in total.items() if name.startswith(("not_applied_", "refused_"))}
    unanswered = {run.phase: count_unanswered(run) for run in runs}
    # A phase that failed for lack of answers is counted by its questions.
    failed = sum(run.state is PhaseState.FAILED and not unanswered[run.phase] for run in runs)
    return DreamSummary(
        gathered=_in_force(total, "gathered"),
        consolidated=_in_force(total, "consolidated"),
        synthesized=_in_force(total, "synthesized"),
        pruned=_in_force(total, "pruned"),
        kept=_in_force(total, "kept"),
        skills=_in_force(total, "skills"),
        learned=_in_force(total, "learned"),
        decayed=total["decayed"],
        promoted=_in_force(total, "promoted"),
        folded=_in_force(total, "folded"),
        archived=_in_force(total, "archived"),
        digested=_in_force(total, "digested"),
        indexed=total["indexed"] if total[OperationKind.INDEX] else 0,
        indexed_folders=total["indexed_folders"] if total[OperationKind.INDEX] else 0,
        over_budget_lines=total["over_budget_lines"],
        over_budget_bytes=total["over_budget_bytes"],
        probes=total["probes"],
        put_back=_in_force(total, "put_back"),
        flagged=total["flagged"],
        proposed=sum(number for name, number in total.items() if name.startswith("proposed_")),
        errors=failed + sum(unanswered.values()),
        reasons=reasons | not_applied,
        recall=read_recall(total),
    )


def count_unanswered(run: PhaseRun) -> int:
    """Return how many questions of a phase the model left without an answer."""
    return sum(number for name, number in run.counts.items() if name.startswith("missing_model_"))


def _in_force(total: Mapping[str, int], counter: Counted) -> int:
    """Return how many operations of a counter were applied and not put back by the recall guard."""
    kinds = [kind for kind, traits in KINDS.items() if counter in traits.counts_as]
    return sum(total.get(kind, 0) - total.get(f"put_back_{kind}", 0) for kind in kinds)


def render_summary(dream: Dream) -> str:
    """Return the lines that end `slowwave dream`: headline, counts, what waits for a person, and why nothing changed."""
    summary = dream.summary or DreamSummary()
    head = f"Dream {dream.state} ({dream.id})"
    lines = [f"{head} — {dream.reason}" if dream.reason else head]
    if dream.is_dry_run:
        lines.append("Dry run: nothing was applied")
    tended = _render_maintained(summary)
    lines += [tended] if tended else []
    counted = summary.gathered + summary.consolidated + summary.synthesized + summary.pruned
    counted += summary.kept + summary.skills + summary.learned
    if counted:
        gathered = f"{summary.gathered} gathered | " if summary.gathered else ""
        skills = f" | {summary.skills} {'skill' if summary.skills == 1 else 'skills'}" if summary.skills else ""
        learned = f" | {summary.learned} learned" if summary.learned else ""
        kept = f" | {summary.kept} kept" if summary.kept else ""
        lines.append(
            f"{gathered}{summary.consolidated} consolidated | {summary.synthesized} synthesized"
            f" | {summary.pruned} pruned{kept}{skills}{learned}",
        )
    elif dream.state is DreamState.COMPLETED and not (
        tended or summary.proposed or summary.put_back or summary.indexed or dream.is_dry_run
    ):
        lines.append(NO_CHANGES)
    lines += [_render_index(summary)] if summary.indexed else []
    lines += _render_over_budget(summary)
    told = (
        (summary.flagged, "operation", "flagged for review"),
        (summary.put_back, "operation", "put back: what was touched was no longer found"),
        (summary.errors, "failure", "of a model call or a phase"),
    )
    lines += [f"{number} {noun if number == 1 else f'{noun}s'} {what}" for number, noun, what in told if number]
    lines += _render_recall(summary)
    lines += _render_rest(summary)
    if not (counted or tended) and summary.reasons:
        lines.append(
            "Why nothing changed: " + ", ".join(_say_reason(name, number) for name, number in summary.reasons.items())
        )
    return "\n".join(lines)


def _render_recall(summary: DreamSummary) -> list[str]:
    """Return a line for each kind of questions that were asked."""
    return [
        f"{say_found(kind, one)}, {'as before' if one.after == one.before else f'{one.before:,} before the dream'}"
        for kind, one in by_kind(summary.recall)
    ]


def _render_index(summary: DreamSummary) -> str:
    memories = f"{summary.indexed:,} {'memory' if summary.indexed == 1 else 'memories'}"
    return f"Wrote the index: {memories}" + f" in {summary.indexed_folders:,} folders" * (summary.indexed_folders > 1)


def _render_over_budget(summary: DreamSummary) -> list[str]:
    """Return the line on the text by hand of a root file that is over its budget."""
    over = ((summary.over_budget_lines, "line"), (summary.over_budget_bytes, "byte"))
    told = [f"{number:,} {noun if number == 1 else f'{noun}s'}" for number, noun in over if number]
    return [f"{ROOT_INDEX} is over its budget by {' and '.join(told)} written by hand"] if told else []


def _render_rest(summary: DreamSummary) -> list[str]:
    """Return the line on work left for the next dream, and when it starts."""
    waiting = ((summary.waiting_sessions, "session"), (summary.waiting_changes, "change"))
    told = [f"{number:,} {noun if number == 1 else f'{noun}s'}" for number, noun in waiting if number]
    if not told:
        return []
    verb = "waits" if summary.waiting_sessions + summary.waiting_changes == 1 else "wait"
    return [f"{' and '.join(told)} {verb}; the next dream {summary.next_dream}"]


def _say_reason(code: str, number: int) -> str:
    words = code.replace("_", " ")
    return f"{words} ({number:,})" if number > 1 else words


def prompts_of(run: PhaseRun) -> tuple[str, ...]:
    """Return the prompts that a phase used, such as `consolidate: dream.md, version 2 (sha256 1a2b…)`."""
    named = run.plan.get("prompts") if isinstance(run.plan, dict) else None
    return tuple(str(one) for one in named) if isinstance(named, list) else ()


def _render_maintained(summary: DreamSummary) -> str:
    """Return the line on upkeep without a model; empty if memories only decayed."""
    if not summary.folded + summary.promoted + summary.archived + summary.digested:
        return ""
    done = (
        (summary.digested, "daily digest"),
        (summary.folded, "folded"),
        (summary.promoted, "promoted"),
        (summary.archived, "archived unused"),
        (summary.decayed, "decayed"),
    )
    return " | ".join(f"{number} {what}" for number, what in done if number)
