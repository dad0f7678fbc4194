"""Rate limits of model calls on a Redis-protocol server: token buckets and leases in one script, by the server's clock.

While the server is away, calls go on within the limits of a process: a phase asks `budget.calls_side_by_side` questions at
once, and a worker runs `worker_concurrency` phases. A model server's 429 is remembered in the process, too. After a
failure Redis is not asked again for a few seconds.
"""

import hashlib
import time

from redis.exceptions import RedisError

from shared.adapters.redis.connecting import connect
from shared.core.questions.call_limits import CallScope

_BLIND_SECONDS = 5.0
#: When to ask again for one of the concurrent calls, whose ends are unknown.
_PLACE_WAIT_MS = 1_000
# A bucket holds ten seconds' worth of its rate, so that no minute sees more than a sixth above it.
_ACQUIRE = """
local closed = redis.call('pttl', KEYS[1])
if closed > 0 then return closed end
local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local wait, left = 0, {}
for i = 1, 2 do
  local rate, at_once = tonumber(ARGV[i]), tonumber(ARGV[i + 2])
  if rate > 0 then
    local kept = redis.call('hmget', KEYS[i + 1], 'tokens', 'at')
    local room = math.max(1, rate / 6)
    local gone = math.max(0, now - (tonumber(kept[2]) or now))
    left[i] = math.min(room, (tonumber(kept[1]) or room) + gone * rate / 60000)
    if left[i] < 1 then wait = math.max(wait, math.ceil((1 - left[i]) * 60000 / rate)) end
  end
  if at_once > 0 then
    redis.call('zremrangebyscore', KEYS[i + 3], '-inf', now)
    if redis.call('zcard', KEYS[i + 3]) >= at_once then wait = math.max(wait, tonumber(ARGV[7])) end
  end
end
if wait > 0 then return wait end
for i = 1, 2 do
  if left[i] then
    redis.call('hset', KEYS[i + 1], 'tokens', left[i] - 1, 'at', now)
    redis.call('pexpire', KEYS[i + 1], 120000)
  end
  if tonumber(ARGV[i + 2]) > 0 then
    redis.call('zadd', KEYS[i + 3], now + tonumber(ARGV[6]), ARGV[5])
    redis.call('pexpire', KEYS[i + 3], tonumber(ARGV[6]) + 1000)
  end
end
return 0
"""
_CLOSE = """
if redis.call('pttl', KEYS[1]) < tonumber(ARGV[1]) then redis.call('set', KEYS[1], 1, 'PX', ARGV[1]) end
return 1
"""


class RedisModelLimits:
    """Implements `ModelLimits`. Connects on first use; short timeouts, because limits must not hold up a phase."""

    def __init__(self, url: str) -> None:
        self._client = connect(
            url, decode_responses=True, socket_timeout=2, socket_connect_timeout=2, health_check_interval=30
        )
        self._blind_until = 0.0
        self._closed_until: dict[str, float] = {}

    def acquire(self, scope: CallScope, call_id: str, *, hold_seconds: float) -> float:
        """Return 0.0 when the call may be made now, else the seconds after which to try again."""
        caps = (
            scope.installation.per_minute,
            scope.tenant.per_minute,
            scope.installation.at_once,
            scope.tenant.at_once,
        )
        hold_ms = int(hold_seconds * 1000) + 1
        waits = self._run(_ACQUIRE, _keys(scope), *(cap or 0 for cap in caps), call_id, hold_ms, _PLACE_WAIT_MS)
        if waits is None:
            return max(0.0, self._closed_until.get(scope.endpoint, 0.0) - time.monotonic())
        return waits / 1000

    def release(self, scope: CallScope, call_id: str) -> None:
        """Release the slot of a call that has ended."""
        if scope.installation.at_once or scope.tenant.at_once:
            script = "return redis.call('zrem', KEYS[1], ARGV[1]) + redis.call('zrem', KEYS[2], ARGV[1])"
            self._run(script, _keys(scope)[3:], call_id)

    def close(self, scope: CallScope, seconds: float) -> None:
        """Close the scope's endpoint to all callers for some seconds."""
        until = time.monotonic() + seconds
        self._closed_until[scope.endpoint] = max(until, self._closed_until.get(scope.endpoint, 0.0))
        self._run(_CLOSE, _keys(scope)[:1], int(seconds * 1000) + 1)

    def disconnect(self) -> None:
        """Drop the connections."""
        self._client.close()

    def _run(self, script: str, keys: list[str], *arguments: str | int) -> int | None:
        if time.monotonic() < self._blind_until:
            return None
        try:
            answer = self._client.eval(script, len(keys), *keys, *map(str, arguments))
        except RedisError:
            self._blind_until = time.monotonic() + _BLIND_SECONDS
            return None
        assert isinstance(answer, int)
        return answer


def _keys(scope: CallScope) -> list[str]:
    """Return the keys of closure, two buckets and two sets of leases. An endpoint's name may hold anything."""
    endpoint = hashlib.blake2b(scope.endpoint.encode(), digest_size=12).hexdigest()
    names = (f"closed:{endpoint}", "bucket", f"bucket:{scope.tenant_id}", "at-once", f"at-once:{scope.tenant_id}")
    return [f"slowwave:calls:{name}" for name in names]
