"""Health checks of the Redis-protocol server for `slowwave doctor`. They write nothing and ask no worker."""

import time
from typing import Any

from redis.exceptions import RedisError

from shared.adapters.celery.names import CONTROL_QUEUE, PHASE_QUEUE
from shared.adapters.redis.connecting import connect
from shared.adapters.redis.counters import SCRAPED, SCRAPED_SECONDS
from shared.adapters.redis.worker_pulse import PULSES
from shared.core.health import Finding, Health, decide_health
from shared.redis_address import find_verification


def examine_broker(url: str, visibility_seconds: float, *, has_queues: bool = True) -> list[Finding]:
    """Return the findings about a Redis-protocol server; one when it does not answer.

    Args:
        url: the server.
        visibility_seconds: the oldest that a taken message should be.
        has_queues: False when another broker has them, and Redis holds only locks and heartbeats.
    """
    client: Any = connect(url, decode_responses=True, socket_timeout=4, socket_connect_timeout=4)
    try:
        version = client.info("server")["redis_version"]
        reached = decide_health("redis", f"reachable, version {version}", ok=True, advice="")
        return [
            reached,
            find_tls(url),
            find_cluster(client),
            find_writable(client),
            find_eviction(client),
            find_persistence(client),
            *([find_backlog(client), find_unacknowledged(client, visibility_seconds)] if has_queues else []),
            find_workers(client),
            find_scrapes(client),
        ]
    except RedisError as error:
        return [decide_health("redis", str(error), ok=False, advice="Start Redis, or check SLOWWAVE_REDIS_URL")]
    finally:
        client.close()


def find_tls(url: str) -> Finding:
    """Return whether the connection is encrypted, and to a server whose certificate was verified."""
    verification = find_verification(url)
    if verification is None:
        return decide_health("redis tls", "none: only for this machine or your own network", ok=True, advice="")
    found = "verified" if verification == "required" else f"not verified: ssl_cert_reqs={verification}"
    advice = "Leave ssl_cert_reqs out of SLOWWAVE_REDIS_URL; ssl_ca_certs=FILE sets your own certificate authority"
    return decide_health("redis tls", found, ok=verification == "required", advice=advice, otherwise=Health.WARN)


def find_cluster(client: Any) -> Finding:  # noqa: ANN401 - redis-py types every answer as awaitable, too
    """Return whether the server is a node of a Redis Cluster, which refuses commands about keys of two nodes."""
    is_cluster = bool(client.info("cluster").get("cluster_enabled"))
    advice = "Use one server, or Sentinel (docs/infrastructure.md): a cluster spreads the keys of one command over several nodes"
    return decide_health(
        "redis kind", "Redis Cluster" if is_cluster else "one primary", ok=not is_cluster, advice=advice
    )


def find_writable(client: Any) -> Finding:  # noqa: ANN401 - redis-py types every answer as awaitable, too
    """Return whether the server accepts writes. A read-only server looks alive while every dream waits."""
    memory, persistence = client.info("memory"), client.info("persistence")
    used, most = int(memory.get("used_memory", 0)), int(memory.get("maxmemory", 0))
    room = f"{used / 1e6:.0f} of {most / 1e6:.0f} MB used" if most else f"{used / 1e6:.0f} MB used, no limit"
    if client.info("replication").get("role") != "master":
        return _takes_none("it is a replica", "Point SLOWWAVE_REDIS_URL at the primary, or promote this replica")
    if most and used >= most:
        return _takes_none(
            f"its memory is full, {room}", "Raise maxmemory; Redis contains only wake-ups, locks and counters"
        )
    statuses = ("aof_last_write_status", "aof_last_bgrewrite_status", "rdb_last_bgsave_status")
    failed = [name for name in statuses if persistence.get(name, "ok") != "ok"]
    advice = (
        f"Its log says why {', '.join(failed)} failed, mostly a full disk: it may refuse writes until that is fixed"
    )
    if failed:
        return decide_health("redis writes", "could not save", ok=False, advice=advice, otherwise=Health.WARN)
    advice = "Raise maxmemory before it is full, or every dream will wait"
    return decide_health("redis writes", room, ok=not most or used < 0.9 * most, advice=advice, otherwise=Health.WARN)


def _takes_none(why: str, advice: str) -> Finding:
    return decide_health("redis writes", f"none: {why}", ok=False, advice=advice)


def find_eviction(client: Any) -> Finding:  # noqa: ANN401 - the same
    """Return whether the server may throw messages away when its memory is full."""
    policy = client.info("memory").get("maxmemory_policy", "unknown")
    advice = "Set maxmemory-policy noeviction: any other policy silently loses queues and messages"
    return decide_health("redis eviction", f"maxmemory-policy {policy}", ok=policy == "noeviction", advice=advice)


def find_persistence(client: Any) -> Finding:  # noqa: ANN401 - the same
    """Return whether messages survive a restart; otherwise the reconciler sends them again a little later."""
    is_on = bool(client.info("persistence").get("aof_enabled"))
    advice = "Set appendonly yes; until then a restart delays queued dreams by a pass of the reconciler"
    found = "append-only file on" if is_on else "append-only file off"
    return decide_health("redis persistence", found, ok=is_on, advice=advice, otherwise=Health.WARN)


def find_backlog(client: Any) -> Finding:  # noqa: ANN401 - the same
    """Return how many messages wait, and whether the queues are bound: a worker or the first message does that."""
    bound = client.scard("_kombu.binding.dream")
    waiting = {name: client.llen(name) for name in (PHASE_QUEUE, CONTROL_QUEUE)}
    found = ", ".join(f"{name} {number} waiting" for name, number in waiting.items())
    advice = "Start a worker: slowwave up, or python -m deploy.entry worker"
    return decide_health(
        "queues", found if bound else "not declared yet", ok=bound > 0, advice=advice, otherwise=Health.WARN
    )


def find_unacknowledged(client: Any, visibility_seconds: float) -> Finding:  # noqa: ANN401 - the same
    """Return the age of the oldest message that a worker took and did not acknowledge."""
    oldest = client.zrange("unacked_index", 0, 0, withscores=True)
    age = max(0.0, time.time() - oldest[0][1]) if oldest else 0.0
    found = f"the oldest unacknowledged message is {age:.0f} s old" if oldest else "no message is unacknowledged"
    advice = "Its worker is gone and no other worker restores it: start a worker, then run slowwave reconcile"
    return decide_health("messages", found, ok=age <= visibility_seconds, advice=advice, otherwise=Health.WARN)


def find_workers(client: Any) -> Finding:  # noqa: ANN401 - the same
    """Return the workers with a heartbeat in the last 45 s."""
    names = sorted(key.removeprefix(PULSES) for key in client.scan_iter(f"{PULSES}*", count=1_000))
    advice = "Start a worker: slowwave up, or python -m deploy.entry worker"
    return decide_health("workers", ", ".join(names) or "none has a heartbeat", ok=bool(names), advice=advice)


def find_scrapes(client: Any) -> Finding:  # noqa: ANN401 - the same
    """Return whether anything reads the metrics; without that no alert of the installation fires."""
    is_read = bool(client.exists(SCRAPED))
    found = "read" if is_read else "not read"
    advice = "Run slowwave serve-metrics (or set SLOWWAVE_METRICS_PORT for `up`) and point Prometheus at it (deploy/prometheus)"
    return decide_health(
        "metrics",
        f"{found} within the last {SCRAPED_SECONDS // 60} minutes",
        ok=is_read,
        advice=advice,
        otherwise=Health.WARN,
    )
