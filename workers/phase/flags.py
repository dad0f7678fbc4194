"""Show a person nothing twice: which flags and changes wait or were decided, by the texts that they were about."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import Flag, OperationKind
from shared.core.memory.model import Memory
from shared.core.questions.fingerprint import text_fingerprint
from shared.core.text.clip import clip
from workers.phase.proposed_texts import MOST_OF_A_KIND
from workers.phase.shape import PhaseContext

#: Only the newest decisions are read: beyond these, a person may be asked about the oldest again.
_MAX_FLAGS = 2_000
#: What a model is told of, how much of each is looked at, and how much of it is told.
_TOLD = (OperationKind.MERGE, OperationKind.UPDATE, OperationKind.TEMPORAL_UPDATE, OperationKind.RETIRE)
_MOST_TOLD = 20


def find_flagged(context: PhaseContext) -> frozenset[str]:
    """Return the flags that a person was shown, waiting or decided, so that none is shown twice."""
    recorded = context.uow.operations.find_flags(context.store.id, _MAX_FLAGS)
    return find_shown(
        (change, one.review) for one in recorded for change in one.operation.changes if isinstance(change, Flag)
    )


def find_shown(flags: Iterable[tuple[Flag, ReviewState]]) -> frozenset[str]:
    """Return what `decide_shown` looks up, of flags that wait or were decided."""
    shown: set[str] = set()
    for flag, review in flags:
        # A flag from before the texts beside it were kept is taken as one about anything.
        is_whole = review is ReviewState.PENDING or len(flag.about_fingerprints) < len(flag.about)
        shown |= _keys(flag.fingerprint, flag.about_fingerprints) | ({flag.fingerprint} if is_whole else set())
    return frozenset(shown)


def decide_shown(shown: frozenset[str], text: str, about: Sequence[str]) -> bool:
    """Tell whether a person was shown the same before.

    Args:
        shown: from `find_shown`.
        text: the fingerprint of the flagged memory.
        about: the fingerprints of the memories that it is at odds with.
    """
    return text in shown or _keys(text, about) <= shown


def _keys(text: str, about: Sequence[str]) -> set[str]:
    # Which of two statements is named first says nothing.
    return {"/".join(sorted((text, other))) for other in about} or {f"{text}/"}


def tell_decided(context: PhaseContext, shown: Iterable[Memory]) -> dict[str, tuple[str, ...]]:
    """Return by path, as facts for a model, the changes that wait for a person or that one refused, the newest 20.

    They count for as long as each of their memories is shown with the same text: otherwise they may be proposed again.
    """
    texts = {memory.path: text_fingerprint(memory) for memory in shown}
    found = sorted(_find_decided(context, texts), reverse=True)[:_MOST_TOLD]
    reasons = context.uow.operations.find_by_ids([operation_id for operation_id, *_ in found]) if found else {}
    told: dict[str, list[str]] = defaultdict(list)
    for operation_id, kind, (first, *others), decided in found:
        beside = f" with {', '.join(others)}" if others else ""
        reason = f" ({clip(reasons[operation_id].operation.reason)})" if operation_id in reasons else ""
        told[first].append(f"{kind}{beside}{reason} {decided}")
    return {path: tuple(facts) for path, facts in told.items()}


def _find_decided(context: PhaseContext, texts: Mapping[str, str]) -> Iterator[tuple[str, str, list[str], str]]:
    """Yield the id, the kind and the paths of each change of exactly these texts, and what became of it."""
    for kind in _TOLD:
        only = OperationFilter(kind=kind, state=OperationState.PROPOSED)
        waiting = context.uow.operations.find_pending(store_id=context.store.id, only=only, limit=MOST_OF_A_KIND)
        refused = context.uow.verdicts(context.store.id).find_refused(kind, MOST_OF_A_KIND)
        decided = [(one.id, one.effects, "waits for a person") for one in waiting]
        for verdict, effects in refused:
            why = f": {clip(verdict.why)}" if verdict.why else ""
            decided.append((verdict.operation_id, effects, f"was {verdict.state} by a person{why}"))
        for operation_id, effects, told in decided:
            before = {one.before.path: one.before for one in effects if one.before is not None}
            if before and all(texts.get(path) == text_fingerprint(memory) for path, memory in before.items()):
                yield operation_id, kind.value, sorted(before), told
