"""The Redis lock before a claim: SET NX with a TTL. A dream that does not get it is not claimed.

The token of a claim names its dream, so that two messages of one dream pass this gate together and its row decides
between them. A claim that was granted puts its epoch into the token; the heartbeat renews that one, the end releases it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState
from shared.core.errors import NotFoundError
from shared.ports.database import Database, UnitOfWork
from shared.ports.runtime import DreamLock

_CLAIMING = "claiming"
_DREAM_PREFIX = "drm_"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldLock:
    """A lock that another holder has: what the dream says about it, and when it ends; None: nothing says when."""

    reason: str
    until: datetime | None = None
    holder: str = ""


def lock_token(dream: Dream) -> str:
    """Return the value of a running dream's lock: its id and epoch."""
    return f"{dream.id}:{dream.epoch}"


def claim_token(dream_id: str) -> str:
    """Return the value of the lock while a dream is being claimed, before it has an epoch."""
    return f"{dream_id}:{_CLAIMING}"


def take_lock(db: Database, lock: DreamLock, dream: Dream) -> HeldLock | None:
    """Take the lock of a dream's store; return who holds it instead. A holder that PostgreSQL knows to be dead loses it."""
    tenant_id, store, token = dream.tenant_id, dream.store, claim_token(dream.id)
    holder = lock.take(tenant_id, store, token)
    if holder is None:
        return None
    if holder.is_unknown:
        return HeldLock(reason="Redis does not answer or takes no writes, so the dream lock counts as held")
    with db.transaction(tenant_id) as uow:
        is_dead = _is_dead(uow, holder.token)
        now = uow.now()
    if is_dead and lock.acquire(tenant_id, store, token, instead_of=holder.token):
        return None
    until = None if holder.seconds_left is None else now + timedelta(seconds=holder.seconds_left)
    when = "and has no end" if until is None else f"until {until:%H:%M:%S} UTC"
    return HeldLock(reason=f"The lock is held by {holder.token} {when}", until=until, holder=holder.token)


def is_held_by(held: HeldLock, dream_id: str) -> bool:
    """Tell whether another worker holds the lock for the same dream."""
    return held.holder.partition(":")[0] == dream_id


def _is_dead(uow: UnitOfWork, token: str) -> bool:
    """Tell whether the dream of a token has ended, sleeps, lost its lease, or has been claimed again since.

    A token of a dream that the database does not have is a leftover, such as after the restore of a backup. One that
    names no dream is of a program that PostgreSQL does not know: it holds the lock for as long as it lives.
    """
    dream_id, _, rest = token.partition(":")
    try:
        dream = uow.dreams.get(dream_id)
    except NotFoundError:
        return dream_id.startswith(_DREAM_PREFIX)
    if dream.state not in ACTIVE_STATES:
        return True
    if not rest.isdecimal():
        return False
    lives = dream.state is DreamState.RUNNING and dream.epoch == int(rest)
    return not (lives and dream.lease_until is not None and dream.lease_until > uow.now())
