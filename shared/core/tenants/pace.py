"""Decide how long a tenant's next request waits while other tenants ask, so that each pays for the time that it uses.

A tenant has some seconds in hand. Its requests spend them, and a share of the time that passes comes in again. A request
that begins with nothing in hand waits until the debt is paid. What most requests take is free as long as none of the tenant's
waits for another: agents at work, who ask one thing after the other, are not rationed, and only long requests are. A tenant
that keeps a line takes all that it is given, and pays for all of it: a flood of quick requests costs others what a long one does.
"""

from dataclasses import dataclass

#: A shorter wait is none: less than what a timer of the event loop is off by.
_NO_WAIT_SECONDS = 0.001
#: Twice what a page, a search or a write takes beside another tenant's on two cores (docs/benchmarks/requests.md).
FREE_SECONDS = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The pace of one tenant's requests while other tenants send requests, too.

    Attributes:
        share: seconds that come in each second; 1 means that no request waits.
        burst_seconds: the most that a tenant has in hand, and the most that it owes. The latter bounds a wait at
            `burst_seconds / share`, also after a long request that only waited for a lock.
        free_seconds: what each request may take for nothing while no other one of its tenant waits.
    """

    share: float
    burst_seconds: float
    free_seconds: float = FREE_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The seconds that a tenant had in hand at a time of a clock, below 0 for a debt."""

    in_hand: float
    at: float


def open_account(pace: Pace, now: float) -> Account:
    """Return the account of a tenant that has spent nothing."""
    return Account(in_hand=pace.burst_seconds, at=now)


def refill(pace: Pace, account: Account, now: float) -> Account:
    """Return an account with what has come in until now."""
    came_in = max(0.0, now - account.at) * pace.share
    return Account(in_hand=min(pace.burst_seconds, account.in_hand + came_in), at=max(account.at, now))


def charge(pace: Pace, account: Account, took_seconds: float, now: float, *, has_line: bool = False) -> Account:
    """Return an account after a request that ends now, by the seconds that it held its turn.

    Args:
        pace: how fast the tenant may go.
        account: what the tenant had in hand.
        took_seconds: how long the request held its turn.
        now: seconds of the clock.
        has_line: other requests of the tenant wait for their turn, so that nothing of this one is free.
    """
    filled = refill(pace, account, now)
    cost = max(0.0, took_seconds - (0.0 if has_line else pace.free_seconds))
    return Account(in_hand=max(filled.in_hand - cost, -pace.burst_seconds), at=filled.at)


def wait_of(pace: Pace, account: Account, now: float) -> float:
    """Return in how many seconds the tenant's next request may begin; 0 for at once."""
    if pace.share >= 1:
        return 0.0
    wait = -refill(pace, account, now).in_hand / pace.share
    return wait if wait > _NO_WAIT_SECONDS else 0.0


def is_full(pace: Pace, account: Account, now: float) -> bool:
    """Tell whether an account is as good as a new one, so that it need not be kept."""
    return refill(pace, account, now).in_hand >= pace.burst_seconds
