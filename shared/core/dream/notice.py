"""The notice: one line about what dreams have done, for the agent's session. It quotes no memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.core.dream.model import Dream, DreamState

#: Dreams whose changes are in force when they have ended; an undone one has another state.
TOLD_STATES = frozenset({DreamState.COMPLETED, DreamState.PARTIAL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A summary of a store's dreams since a moment. Ask for the next notice from `until`; None: no dream has ended yet."""

    improved: int = 0
    to_review: int = 0
    dream_ids: tuple[str, ...] = ()
    until: datetime | None = None

    @property
    def text(self) -> str:
        """Return the line; empty when there is nothing to say."""
        return say_improved(self.improved, self.to_review)


def say_improved(improved: int, to_review: int) -> str:
    """Return `Improved 3 memories; 1 change waits for a review`, or the part of it that applies."""
    parts = []
    if improved:
        parts.append(f"Improved {improved:,} {'memory' if improved == 1 else 'memories'}")
    if to_review:
        parts.append(f"{to_review:,} {'change waits' if to_review == 1 else 'changes wait'} for a review")
    return "; ".join(parts)


def build_notice(newest_first: Sequence[Dream], *, since: datetime | None, to_review: int) -> Notice:
    """Return the notice of the dreams that ended since then.

    Args:
        newest_first: ended dreams of one store.
        since: the `until` of the notice before; None: only the last dream counts.
        to_review: how many changes of the store wait for a person.
    """
    ended = [
        dream for dream in newest_first if dream.state in TOLD_STATES and not dream.is_dry_run and dream.finished_at
    ]
    told = ended[:1] if since is None else [dream for dream in ended if dream.finished_at and dream.finished_at > since]
    if not told:
        return Notice(until=since)
    return Notice(
        improved=sum(dream.summary.changes for dream in told if dream.summary),
        to_review=to_review,
        dream_ids=tuple(dream.id for dream in told),
        until=max(dream.finished_at for dream in told if dream.finished_at),
    )
