"""Counts of one tenant in PostgreSQL. What is counted per day is bounded by the rows of those days."""

from collections import defaultdict
from datetime import date, timedelta

from sqlalchemy import Connection, text

from shared.ports.tenants import CountsNow, Day, StoreCounts

# Memories are found by their stores: there is no index by tenant, and every tenant's would be read for one tenant's.
_NOW = text("""
    SELECT (SELECT count(*) FROM stores WHERE tenant_id = :tenant),
      (SELECT count(*) FROM stores WHERE tenant_id = :tenant AND paused_at IS NOT NULL),
      (SELECT count(*) FROM stores WHERE tenant_id = :tenant AND is_quarantined),
      (SELECT count(*) FROM stores WHERE tenant_id = :tenant AND next_check_at <= now()),
      (SELECT count(*) FROM dreams WHERE tenant_id = :tenant AND state = 'queued'
         AND state IN ('queued', 'running')),
      (SELECT count(*) FROM dreams WHERE tenant_id = :tenant AND state = 'running'
         AND state IN ('queued', 'running')),
      (SELECT count(*) FROM operations WHERE tenant_id = :tenant AND review = 'pending'),
      (SELECT count(*) FROM stores s JOIN memories m ON m.store_id = s.id AND m.state = 'live'
         WHERE s.tenant_id = :tenant)""")
_MEMORIES = text("""
    SELECT s.name, count(m.id) FROM stores s LEFT JOIN memories m ON m.store_id = s.id AND m.state = 'live'
    WHERE s.tenant_id = :tenant GROUP BY s.name ORDER BY s.name""")
_STORE = text("""
    SELECT count(*), count(*) FILTER (WHERE is_dirty),
      (SELECT count(*) FROM operations WHERE tenant_id = :tenant AND store_id = :store AND review = 'pending')
    FROM memories WHERE tenant_id = :tenant AND store_id = :store AND state = 'live'""")
_SINCE = "date_trunc('day', now(), 'UTC') - make_interval(days => :days - 1)"
_DAY = "(created_at AT TIME ZONE 'UTC')::date"
_DREAMS = text(f"""
    SELECT {_DAY}, state, count(*) FROM dreams
    WHERE tenant_id = :tenant AND created_at >= {_SINCE} GROUP BY 1, 2""")  # noqa: S608 - constants of this file
_CALLS = text(f"""
    SELECT {_DAY}, sum(input_tokens + output_tokens + cached_tokens + cache_write_tokens), sum(cost_usd), count(*)
    FROM llm_calls WHERE tenant_id = :tenant AND created_at >= {_SINCE} GROUP BY 1""")  # noqa: S608 - constants of this file
# A version adds one where its memory becomes live, and takes one where it ceases to be. Retention may have purged the
# version before it; what was written again was live, except by a restore.
_MOVES = text(f"""
    SELECT (v.created_at AT TIME ZONE 'UTC')::date,
      sum((v.state = 'live')::int
        - CASE WHEN v.version = 1 THEN 0 WHEN p.state IS NOT NULL THEN (p.state = 'live')::int
               ELSE (v.change <> 'restore')::int END)
    FROM memory_versions v
    LEFT JOIN memory_versions p ON p.memory_id = v.memory_id AND p.version = v.version - 1
    WHERE v.tenant_id = :tenant AND v.created_at >= {_SINCE} GROUP BY 1""")  # noqa: S608 - constants of this file
_DAYS_OF_ALL = text("SELECT day, state, dreams, tokens, cost_usd, model_calls FROM slowwave_measure_days(:days)")
_TODAY = text("SELECT (now() AT TIME ZONE 'UTC')::date")


class PostgresStatisticsRepository:
    """Implements `StatisticsRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant = {"tenant": tenant_id}

    def count_now(self) -> CountsNow:
        """Return how the tenant stands."""
        row = self._connection.execute(_NOW, self._tenant).one()
        names = ("stores", "paused_stores", "quarantined", "due", "queued", "running", "flagged", "memories")
        return CountsNow(**dict(zip(names, row, strict=True)))

    def count_memories(self) -> dict[str, int]:
        """Return how many live memories each store has, by its name."""
        return {row[0]: row[1] for row in self._connection.execute(_MEMORIES, self._tenant)}

    def count_store(self, store_id: str) -> StoreCounts:
        """Return what one store holds now."""
        live, changed, to_review = self._connection.execute(_STORE, self._tenant | {"store": store_id}).one()
        return StoreCounts(live=live, changed=changed, to_review=to_review)

    def find_days(self, days: int) -> list[Day]:
        """Return the last days, today the last one."""
        asked = self._tenant | {"days": days}
        dreams: dict[date, dict[str, int]] = defaultdict(dict)
        for day, state, number in self._connection.execute(_DREAMS, asked):
            dreams[day][state] = number
        calls = {row[0]: row[1:] for row in self._connection.execute(_CALLS, asked)}
        moves = {row[0]: int(row[1]) for row in self._connection.execute(_MOVES, asked)}
        today: date = self._connection.execute(_TODAY).scalar_one()
        live, found = self.count_now().memories, []
        for day in (today - timedelta(days=back) for back in range(days)):
            tokens, cost, number = calls.get(day, (0, 0.0, 0))
            found.append(
                Day(
                    day=day,
                    dreams=dreams.get(day, {}),
                    tokens=int(tokens),
                    cost_usd=float(cost),
                    model_calls=number,
                    memories=live,
                )
            )
            live -= moves.get(day, 0)
        return found[::-1]


def read_days_of_all(connection: Connection, days: int) -> list[Day]:
    """Return the last days of all tenants together, today the last one; live memories are not counted."""
    dreams: dict[date, dict[str, int]] = defaultdict(dict)
    calls: dict[date, tuple[int, float, int]] = {}
    for day, state, number, *sums in connection.execute(_DAYS_OF_ALL, {"days": days}):
        if state:
            dreams[day][state] = number
        else:
            calls[day] = (int(sums[0]), float(sums[1]), int(sums[2]))
    today: date = connection.execute(_TODAY).scalar_one()
    found = []
    for day in (today - timedelta(days=back) for back in reversed(range(days))):
        tokens, cost, number = calls.get(day, (0, 0.0, 0))
        found.append(Day(day=day, dreams=dreams.get(day, {}), tokens=tokens, cost_usd=cost, model_calls=number))
    return found
