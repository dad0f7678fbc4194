"""Dreams and operations as JSON, in the documented shapes of `--json`."""

from collections.abc import Iterator
from typing import Any

from shared.core.dream.model import Dream, DreamSummary
from shared.core.dream.operations import OperationKind, named_paths
from shared.core.dream.recall import ABOUT, ProbeKind, by_kind
from shared.core.dream.summary import prompts_of
from shared.core.listings.one_change import Place
from shared.core.questions.prices import FREE_MODEL, say_cost, say_reused
from shared.ports.dreams import RecordedOperation
from shared.program import COMMAND
from shared.services.dreams.read import DreamView

_WITHOUT_MODEL = (
    "This was a preview by rules: only what is certain. A model also merges notes in other words, replaces what a later note "
    "changed, and asks which of two statements holds (docs/models.md)."
)
_BY_WORDS = (
    "Notes were compared by words alone: what says the same in quite other words is missed (docs/embeddings.md)."
)


def calls_line(view: DreamView) -> str:
    """Return a dream's model calls, tokens and cost in one line."""
    calls = view.calls
    times = f"{calls.calls} call{'' if calls.calls == 1 else 's'}"
    share = f" ({calls.cached_tokens / calls.input_tokens:.0%} of the prompts)" if calls.input_tokens else ""
    cached = f", {calls.cached_tokens:,} read from the prompt cache{share}" if calls.cached_tokens else ""
    cost = say_cost(calls.cost_usd, calls.tokens, view.dream.model or "")
    return f"{view.dream.model or 'no model'}: {times}, {calls.tokens:,} tokens{cached}, {cost}{say_reused(calls.reused, calls.saved_usd)}"


def losing_lines(view: DreamView) -> Iterator[str]:
    """Yield the operations that lost answers, each with the command that brings them back unless nothing was applied."""
    kinds = {one.id: one.operation.kind for one in view.operations}
    recall = view.dream.summary.recall if view.dream.summary else {}
    lost = [(*one, kind) for kind, found in by_kind(recall) for one in found.lost_by.items()]
    for operation, number, kind in lost:
        to_what = "" if kind is ProbeKind.PAIR else f" to {ABOUT[kind]}"
        what = f"1 answer{to_what} is" if number == 1 else f"{number} answers{to_what} are"
        is_kept = kinds.get(operation) is OperationKind.ARCHIVE
        where = f"in a note that {operation} archived" if is_kept else f"no longer found because of {operation}"
        undo = f"{COMMAND} review reject {view.dream.tenant_id} {operation}"
        said = "" if view.dream.is_dry_run else f"; to {'bring it back' if is_kept else 'undo it'}: {undo}"
        yield f"{what} {where}{said}"


def models_lines(view: DreamView, *, compares_meaning: bool) -> list[str]:
    """Return a line per model and phase with calls, tokens and cost; none if one model answered everything.

    Of the rules without a model, and of words without meanings, a line says what is missed.

    Args:
        view: the dream.
        compares_meaning: whether this installation has embeddings.
    """
    words_only = [] if compares_meaning else [_BY_WORDS]
    if view.dream.model == FREE_MODEL:
        return [_WITHOUT_MODEL, *words_only]
    found = view.calls.models
    if len({one.model for one in found}) < 2:
        return words_only
    return [
        f"  {one.model} in {one.phase}: {one.answers} of {one.calls} answered, {one.tokens:,} tokens, "
        f"{say_cost(one.cost_usd, one.tokens, one.model)}, {one.latency_ms / 1000 / one.calls:.1f} s each"
        for one in found
    ] + words_only


def dream_line(dream: Dream) -> dict[str, Any]:
    """Return a dream in a few fields."""
    return {
        "id": dream.id,
        "tenant": dream.tenant_id,
        "store": dream.store,
        "state": dream.state,
        "reason": dream.reason,
        "trigger": dream.trigger,
        "forced": dream.is_forced,
        "dry_run": dream.is_dry_run,
        "model": dream.model,
        "created_at": dream.created_at,
        "started_at": dream.started_at,
        "finished_at": dream.finished_at,
        "next_attempt_at": dream.next_attempt_at,
        "summary": dream.summary or DreamSummary(),
    }


def operation_json(recorded: RecordedOperation, place: Place | None = None) -> dict[str, Any]:
    """Return an operation in a few fields; `place` is its place among those that it is one change with, if any."""
    return {
        "id": recorded.id,
        "dream_id": recorded.dream_id,
        "store": recorded.store,
        "phase": recorded.operation.phase,
        "kind": recorded.operation.kind,
        "state": recorded.state,
        "review": recorded.review,
        "reason": recorded.operation.reason,
        "confidence": recorded.operation.confidence,
        "note": recorded.note,
        "paths": _paths(recorded),
        "group": place and place.group,
        "position": place and place.position,
        "of": place and place.of,
        "assigned_to": recorded.assigned_to,
        "decided_by": recorded.decided_by,
        "decided_at": recorded.decided_at,
        "comments": recorded.comments,
    }


def _paths(recorded: RecordedOperation) -> list[str]:
    """Return the paths that an operation is about, even if it changed no memory (a suggestion)."""
    return list(dict.fromkeys([*(effect.after.path for effect in recorded.effects), *named_paths(recorded.operation)]))


def dream_json(view: DreamView) -> dict[str, Any]:
    """Return a dream with its phases, operations and calls."""
    return dream_line(view.dream) | {
        "phases": [
            {
                "phase": run.phase,
                "state": run.state,
                "reason": run.reason,
                "counts": run.counts,
                "prompts": list(prompts_of(run)),
                "started_at": run.started_at,
                "finished_at": run.finished_at,
            }
            for run in view.phases
        ],
        "operations": [operation_json(operation) for operation in view.operations],
        "skips": [
            {"phase": run.phase, **skip}
            for run in view.phases
            if isinstance(run.plan, dict)
            for skip in run.plan["plan"]["skips"]
        ],
        "calls": view.calls,
    }
