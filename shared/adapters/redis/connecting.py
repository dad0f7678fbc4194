"""Make a client of the Redis-protocol server, of one address or of the primary that Sentinels name."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import ConnectionError as NoConnectionError
from redis.exceptions import RedisError
from redis.retry import Retry
from redis.sentinel import Sentinel

from shared.adapters.sentinel_options import sentinel_options
from shared.core.errors import ServiceUnavailableError
from shared.redis_address import is_sentinel, parse_sentinel

#: A lost connection is replaced, as after a restart of the server. A silent server is not asked again, as redis-py would
#: do by itself: each use of it would take a minute in place of its `socket_timeout`.
_RETRY = {"retry": Retry(ExponentialWithJitterBackoff(base=0.1, cap=0.5), 3, supported_errors=(NoConnectionError,))}


def connect(url: str, **options: Any) -> redis.Redis:  # noqa: ANN401 - redis-py's options
    """Return a client that connects on first use. TLS verifies the server unless the address says otherwise."""
    options = _RETRY | options
    if not is_sentinel(url):
        return redis.Redis.from_url(url, **options)
    address = parse_sentinel(url)
    tls: dict[str, Any] = {} if address.tls is None else {"ssl": True, **address.tls}
    patience = {name: value for name, value in options.items() if name.startswith(("socket_", "retry"))}
    sentinels = Sentinel(list(address.nodes), sentinel_kwargs=sentinel_options(address) | patience)  # type: ignore[no-untyped-call] # redis-py's
    login = {"db": address.db, "username": address.username, "password": address.password}
    primary: redis.Redis = sentinels.master_for(  # type: ignore[no-untyped-call] # redis-py's
        address.master_name, **login, **tls, **options
    )
    return primary


@contextmanager
def translated() -> Iterator[None]:
    """Raise ServiceUnavailableError where the server does not answer."""
    try:
        yield
    except RedisError as error:
        raise ServiceUnavailableError(f"Redis does not answer: {error}") from error
