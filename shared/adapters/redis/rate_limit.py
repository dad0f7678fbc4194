"""A token bucket per key on a Redis-protocol server: one script, the server's clock, a round trip for several requests."""

from redis.exceptions import RedisError

from shared.adapters.redis.connecting import connect
from shared.adapters.redis.held_tokens import HeldTokens
from shared.logger import get_logger
from shared.ports.runtime import RateVerdict

#: KEYS[1] the bucket; ARGV: capacity, tokens a millisecond, milliseconds to live, tokens to take at most. Returns
#: how many were taken, how many are left, and if none was, the wait in ms.
_ACQUIRE = """
local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local held = redis.call('hmget', KEYS[1], 'tokens', 'at')
local capacity, rate = tonumber(ARGV[1]), tonumber(ARGV[2])
local tokens, at = tonumber(held[1]) or capacity, tonumber(held[2]) or now
tokens = math.min(capacity, tokens + math.max(0, now - at) * rate)
local taken, wait = math.min(tonumber(ARGV[4]), math.floor(tokens)), 0
if taken >= 1 then
  tokens = tokens - taken
else
  wait = math.ceil((1 - tokens) / rate)
end
redis.call('hset', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('pexpire', KEYS[1], ARGV[3])
return {taken, math.floor(tokens), wait}
"""
_MINUTE_MS = 60_000
_log = get_logger()


class RedisRateLimit:
    """Implements `RateLimit`. Short timeouts: a slow counter must not hold up the requests that it counts."""

    def __init__(self, url: str) -> None:
        self._client = connect(url, socket_timeout=1, socket_connect_timeout=1, health_check_interval=30)
        self._acquire = self._client.register_script(_ACQUIRE)
        self._held = HeldTokens()

    def acquire_held(self, name: str) -> RateVerdict | None:
        """Take one of the tokens that this process holds, or tell of a bucket that is empty; None: the server must be asked."""
        if (remaining := self._held.acquire(name)) is not None:
            return RateVerdict(is_allowed=True, remaining=remaining)
        if wait := self._held.wait_of(name):
            return RateVerdict(is_allowed=False, remaining=0, retry_after_seconds=wait)
        return None

    def acquire(self, name: str, *, per_minute: int) -> RateVerdict:
        """Take one token of a bucket."""
        if (verdict := self.acquire_held(name)) is not None:
            return verdict
        size = self._held.next_size(name, per_minute)
        arguments = [per_minute, per_minute / _MINUTE_MS, 2 * _MINUTE_MS, size]
        try:
            taken, left, wait_ms = map(int, self._acquire(keys=[f"slowwave:rate:{name}"], args=arguments))
        except RedisError as error:
            _log.warning("rate_not_counted", reason=str(error))
            return RateVerdict(is_allowed=True, remaining=per_minute)
        if taken < 1:
            self._held.note_empty(name, wait_ms / 1000)
            return RateVerdict(is_allowed=False, remaining=left, retry_after_seconds=wait_ms / 1000)
        self._held.keep(name, taken - 1, left=left, size=size)
        return RateVerdict(is_allowed=True, remaining=left + taken - 1)

    def close(self) -> None:
        """Drop the connections."""
        self._client.close()
