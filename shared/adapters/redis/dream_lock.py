"""The dream lock on a Redis-protocol server: SET NX with a TTL; renew and release compare the token in a script."""

from typing import Any

from redis.exceptions import RedisError

from shared.adapters.redis.connecting import connect
from shared.adapters.redis.tenant_keys import patterns_of
from shared.ports.runtime import UNREADABLE, LockHolder

#: Returns nothing when the lock is ours, else its holder and the milliseconds that it has left.
_TAKE = """
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return {} end
local holder = redis.call('get', KEYS[1])
if holder == ARGV[1] then
  redis.call('pexpire', KEYS[1], ARGV[2])
  return {}
end
return {holder, redis.call('pttl', KEYS[1])}
"""
_ACQUIRE = """
local holder = redis.call('get', KEYS[1])
if holder == false or holder == ARGV[2] or holder == ARGV[1] then
  redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[3])
  return 1
end
return 0
"""
_RENEW = """
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end
"""
_RELEASE = """
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end
"""


class RedisDreamLock:
    """Implements `DreamLock`. Connects on first use; short timeouts, because a slow lock must not hold up a phase."""

    def __init__(self, url: str, *, ttl_seconds: float) -> None:
        self._client = connect(
            url, decode_responses=True, socket_timeout=5, socket_connect_timeout=5, health_check_interval=30
        )
        self._ttl_ms = int(ttl_seconds * 1000)

    def find_holder(self, tenant_id: str, store: str) -> str | None:
        """Return the token that holds a store, None when it is free, UNREADABLE when that cannot be told."""
        try:
            holder = self._client.get(_key(tenant_id, store))
        except RedisError:
            return UNREADABLE
        return None if holder is None else str(holder)

    def take(self, tenant_id: str, store: str, token: str) -> LockHolder | None:
        """Set the token if the lock is free; return its other holder, or None if the lock is ours."""
        try:
            found: Any = self._client.eval(_TAKE, 1, _key(tenant_id, store), token, str(self._ttl_ms))
        except RedisError:
            return LockHolder(token=UNREADABLE)
        if not found:
            return None
        holder, left_ms = found
        return LockHolder(token=str(holder), seconds_left=left_ms / 1000 if left_ms >= 0 else None)

    def acquire(self, tenant_id: str, store: str, token: str, *, instead_of: str | None) -> bool:
        """Set the token if the lock is free or still held by `instead_of`."""
        return self._run(_ACQUIRE, tenant_id, store, token, instead_of or "", str(self._ttl_ms))

    def renew(self, tenant_id: str, store: str, token: str) -> bool:
        """Extend the lock if it is still ours."""
        return self._run(_RENEW, tenant_id, store, token, str(self._ttl_ms))

    def release(self, tenant_id: str, store: str, token: str) -> None:
        """Delete the lock if it is ours."""
        self._run(_RELEASE, tenant_id, store, token)

    def delete_tenant_keys(self, tenant_id: str) -> int | None:
        """Remove every key of a deleted tenant; return how many there were, None when that cannot be told."""
        try:
            found = [key for pattern in patterns_of(tenant_id) for key in self._client.scan_iter(pattern, count=1_000)]
            return int(self._client.delete(*found)) if found else 0
        except RedisError:
            return None

    def close(self) -> None:
        """Drop the connections."""
        self._client.close()

    def _run(self, script: str, tenant_id: str, store: str, *arguments: str) -> bool:
        try:
            return bool(self._client.eval(script, 1, _key(tenant_id, store), *arguments))
        except RedisError:
            return False


def _key(tenant_id: str, store: str) -> str:
    return f"slowwave:dream:{tenant_id}:{store}"
