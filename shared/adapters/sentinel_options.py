"""The connection options for the Sentinels themselves, for the clients of locks and counters and for Celery's broker."""

from typing import Any

from redis.backoff import NoBackoff
from redis.retry import Retry

from shared.redis_address import SentinelAddress


def sentinel_options(address: SentinelAddress) -> dict[str, Any]:
    """Return redis-py's options for the Sentinels themselves. One that is away is not waited for: the next one is asked."""
    tls: dict[str, Any] = {} if address.tls is None else {"ssl": True, **address.tls}
    return {"password": address.sentinel_password, "retry": Retry(NoBackoff(), 0)} | tls
