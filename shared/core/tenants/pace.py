"""Decide how long a tenant's next request waits while other tenants have requests: a token bucket of seconds.

A tenant has a balance of seconds. Its requests spend it, and it refills with a share of the passing time. With a negative
balance, the next request waits until the debt is paid. Short requests are free as long as no other request of the tenant waits:
agents that send one request after the other are not limited, only long requests are. A tenant with waiting requests pays for
all of its time, because a flood of quick requests costs others as much as a long one.
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
        share: seconds that refill each second; 1 means that no request waits.
        burst_seconds: the maximum balance, and the maximum debt. The latter limits a wait to `burst_seconds / share`, even
            after a long request that only waited for a lock.
        free_seconds: the free time of each request while no other request of its tenant waits.
    """

    share: float
    burst_seconds: float
    free_seconds: float = FREE_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The balance of a tenant at a time of a clock; below 0 it is a debt."""

    in_hand: float
    at: float


def open_account(pace: Pace, now: float) -> Account:
    """Return a new account with the full balance."""
    return Account(in_hand=pace.burst_seconds, at=now)


def refill(pace: Pace, account: Account, now: float) -> Account:
    """Return an account refilled up to now."""
    came_in = max(0.0, now - account.at) * pace.share
    return Account(in_hand=min(pace.burst_seconds, account.in_hand + came_in), at=max(account.at, now))


def charge(pace: Pace, account: Account, took_seconds: float, now: float, *, has_line: bool = False) -> Account:
    """Return an account after a request that ends now, by the seconds that it held its turn.

    Args:
        pace: the tenant's pace.
        account: the tenant's account.
        took_seconds: how long the request ran.
        now: seconds of the clock.
        has_line: other requests of the tenant wait for their turn, so this one is not free.
    """
    filled = refill(pace, account, now)
    cost = max(0.0, took_seconds - (0.0 if has_line else pace.free_seconds))
    return Account(in_hand=max(filled.in_hand - cost, -pace.burst_seconds), at=filled.at)


def wait_of(pace: Pace, account: Account, now: float) -> float:
    """Return the seconds until the tenant's next request may begin; 0 for at once."""
    if pace.share >= 1:
        return 0.0
    wait = -refill(pace, account, now).in_hand / pace.share
    return wait if wait > _NO_WAIT_SECONDS else 0.0


def is_full(pace: Pace, account: Account, now: float) -> bool:
    """Tell whether an account has the full balance, so it need not be stored."""
    return refill(pace, account, now).in_hand >= pace.burst_seconds
