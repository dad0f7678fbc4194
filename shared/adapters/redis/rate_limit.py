"""A token bucket per key on a Redis-protocol server: one script, one round trip, the server's clock."""

import redis
import structlog
from redis.exceptions import RedisError

from shared.ports.rate_limit import RateVerdict

#: KEYS[1] the bucket; ARGV: capacity, tokens a millisecond, milliseconds to live. Returns allowed, left, wait in ms.
_TAKE = """
local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local held = redis.call('hmget', KEYS[1], 'tokens', 'at')
local capacity, rate = tonumber(ARGV[1]), tonumber(ARGV[2])
local tokens, at = tonumber(held[1]) or capacity, tonumber(held[2]) or now
tokens = math.min(capacity, tokens + math.max(0, now - at) * rate)
local allowed, wait = 0, 0
if tokens >= 1 then
  tokens = tokens - 1
  allowed = 1
else
  wait = math.ceil((1 - tokens) / rate)
end
redis.call('hset', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('pexpire', KEYS[1], ARGV[3])
return {allowed, math.floor(tokens), wait}
"""
_MINUTE_MS = 60_000
_log = structlog.get_logger()


class RedisRateLimit:
    """Implements `RateLimit`. Short timeouts: a slow counter must not hold up the requests that it counts."""

    def __init__(self, url: str) -> None:
        self._client = redis.Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1, health_check_interval=30)
        self._take = self._client.register_script(_TAKE)

    def take(self, name: str, *, per_minute: int) -> RateVerdict:
        """Take one token of a bucket."""
        arguments = [per_minute, per_minute / _MINUTE_MS, 2 * _MINUTE_MS]
        try:
            allowed, left, wait_ms = self._take(keys=[f"slowwave:rate:{name}"], args=arguments)
        except RedisError as error:
            _log.warning("rate_not_counted", reason=str(error))
            return RateVerdict(is_allowed=True, remaining=per_minute)
        return RateVerdict(is_allowed=bool(allowed), remaining=int(left), retry_after_seconds=int(wait_ms) / 1000)

    def close(self) -> None:
        """Drop the connections."""
        self._client.close()
