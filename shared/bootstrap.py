"""The composition root: settings in, ports out. The only module that knows every adapter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import SecretStr

from shared import model_choice
from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.process_local.deferred import deferred
from shared.adapters.ulid_ids import UlidIds
from shared.all_ports import Ports
from shared.core.errors import OutdatedDataError, ServiceUnavailableError
from shared.counting import CountSink, send_counts_to, stop_counting
from shared.settings import Settings, load_settings
from shared.working import Work

if TYPE_CHECKING:
    from celery import Celery

    from shared.adapters.postgres.database import PostgresDatabase
    from shared.adapters.postgres.sql.transactions import TimeLimits
    from shared.adapters.redis.counters import RedisCounters
    from shared.ports.dispatch import Dispatch
    from shared.ports.evidence.search_log import SearchLog
    from shared.ports.llm import ModelLimits
    from shared.ports.memories import Recall
    from shared.ports.memory_search import MemorySearch
    from shared.ports.runtime import ConsoleSessions, DreamLock, KeptTexts, RateLimit
    from shared.ports.webhooks import Sealer, WebhookSender

T = TypeVar("T")


@cache
def get_app() -> Celery:
    """Return this process's Celery app. The broker is looked up on first use: importing a task needs no server."""
    from celery import Celery

    from shared.adapters.celery.base_task import BaseTask

    app: Celery = Celery("slowwave", task_cls=BaseTask)
    app.add_defaults(_config_from_environment)
    return app


def _config_from_environment() -> dict[str, Any]:
    return _celery_config(load_settings())


def make_control_app(settings: Settings, name: str = "slowwave-cli") -> Celery:
    """Return a Celery app that only sends, for one command or thread; close it."""
    from celery import Celery

    app = Celery(name, set_as_current=False)
    app.conf.update(_celery_config(settings))
    return app


def _celery_config(settings: Settings) -> dict[str, Any]:
    from shared.adapters.celery.config import celery_config

    return celery_config(settings, broker_url(settings))


def make_ports(
    settings: Settings,
    make_app: Callable[[], Celery] = get_app,
    *,
    pool_size: int = 12,
    work: Work = Work.TASK,
    counts_wait: bool = False,
    on_first_use: bool = False,
) -> Ports:
    """Return the ports of a process, and send its counts to its Redis from now on. Nothing connects before it is used.

    The settings have a URL for each server, or embedded servers run; `make_app` returns the Celery app that sends messages. At
    most `pool_size` database connections are opened, as needed, and kept open; the usual work (`work`) limits the time of
    statements. With `counts_wait`, counts are sent each second; with `on_first_use`, short commands build adapters when used.
    """
    adapters = _Adapters(settings, make_app, pool_size=pool_size, work=work, counts_wait=counts_wait)
    built: Callable[[Callable[[], T]], T] = deferred if on_first_use else _call
    database = adapters.database(with_repositories=not on_first_use)
    adapters.count(built(adapters.counts))
    return Ports(
        settings=settings,
        db=database,
        lock=built(adapters.lock),
        dispatch=built(adapters.dispatch),
        ids=UlidIds(),
        limits=built(adapters.limits),
        choose_llm=partial(model_choice.choose_llm, settings),
        choose_batches=partial(model_choice.choose_batches, settings),
        rates=built(adapters.rates),
        search=built(adapters.search),
        recall=built(lambda: adapters.recall(database)),
        search_log=database,
        searches=built(lambda: adapters.searches(database)),
        console_sessions=built(adapters.console_sessions),
        kept=built(adapters.kept),
        webhooks=built(adapters.webhooks),
        sealer=built(adapters.sealer),
        meaning=model_choice.choose_meaning(settings),
        close=adapters.closing.close,
    )


def _call(build: Callable[[], T]) -> T:
    return build()


class _Adapters:
    """Builds the adapters of one process on demand, importing their libraries then; `closing` closes those that were built."""

    def __init__(
        self,
        settings: Settings,
        make_app: Callable[[], Celery],
        *,
        pool_size: int = 1,
        work: Work = Work.TASK,
        counts_wait: bool = False,
    ) -> None:
        self._settings, self._make_app = settings, make_app
        self._pool_size, self._work, self._counts_wait = pool_size, work, counts_wait
        self._database: PostgresDatabase | None = None
        self.closing = ExitStack()
        self._counting = self.closing.enter_context(
            ExitStack()
        )  # first in, last out: the others may count as they close

    def database(self, *, with_repositories: bool) -> PostgresDatabase:
        from shared.adapters.postgres.database import PostgresDatabase
        from shared.core.forgetting.words import derive_key

        if with_repositories:
            import shared.adapters.postgres.repositories  # noqa: F401 - imported now, so that no request has to wait for it

        limits = _time_limits(self._settings, self._work)
        mask = None if self._settings.mask_secrets else str
        secrets = (_reveal(self._settings.secrets_key) or "").split(",")
        keys = [derive_key(one.strip()) for one in secrets if one.strip()]
        database = PostgresDatabase(
            database_url(self._settings), pool_size=self._pool_size, limits=limits, mask=mask, keys=keys
        )
        self.closing.callback(database.dispose)
        self._database = database
        return database

    def recall(self, database: PostgresDatabase) -> Recall:
        from shared.adapters.process_local.buffered_recall import BufferedRecall

        recall = BufferedRecall(database)
        self.closing.callback(recall.close)
        return recall

    def searches(self, database: PostgresDatabase) -> SearchLog:
        from shared.adapters.process_local.buffered_searches import BufferedSearches
        from shared.services.evidence.search_log import write_notes

        searches = BufferedSearches(partial(write_notes, database, UlidIds()))
        self.closing.callback(searches.close)
        return searches

    def counts(self) -> CountSink:
        """Return the sink of this process's counters."""
        counters = make_counters(self._settings)
        self._counting.callback(counters.close)
        if not self._counts_wait:
            return counters
        from shared.adapters.process_local.buffered_counts import BufferedCounts
        from shared.adapters.redis.process_gauges import ProcessGauges

        assert self._database is not None
        gauges = ProcessGauges(redis_url(self._settings), self._database.find_pool_use)
        self._counting.callback(gauges.end)
        waiting = BufferedCounts(counters, tell=gauges.tell)
        self._counting.callback(waiting.close)
        return waiting

    def count(self, sink: CountSink) -> None:
        """Send what this process counts there until it closes."""
        send_counts_to(sink)
        self._counting.callback(lambda: stop_counting(sink))

    def lock(self) -> DreamLock:
        from shared.adapters.redis.dream_lock import RedisDreamLock

        lock = RedisDreamLock(redis_url(self._settings), ttl_seconds=self._settings.lease_seconds)
        self.closing.callback(lock.close)
        return lock

    def rates(self) -> RateLimit:
        from shared.adapters.redis.rate_limit import RedisRateLimit

        rates = RedisRateLimit(redis_url(self._settings))
        self.closing.callback(rates.close)
        return rates

    def console_sessions(self) -> ConsoleSessions:
        from shared.adapters.redis.console_sessions import RedisConsoleSessions

        sessions = RedisConsoleSessions(redis_url(self._settings))
        self.closing.callback(sessions.close)
        return sessions

    def kept(self) -> KeptTexts:
        from shared.adapters.redis.kept_texts import RedisKeptTexts

        kept = RedisKeptTexts(redis_url(self._settings))
        self.closing.callback(kept.close)
        return kept

    def limits(self) -> ModelLimits:
        from shared.adapters.redis.model_limits import RedisModelLimits

        limits = RedisModelLimits(redis_url(self._settings))
        self.closing.callback(limits.disconnect)
        return limits

    def dispatch(self) -> Dispatch:
        from shared.adapters.celery.dispatch import CeleryDispatch

        return CeleryDispatch(self._make_app())

    def search(self) -> MemorySearch:
        from shared.adapters.process_local.memory_search import IndexedMemorySearch

        return IndexedMemorySearch()

    def webhooks(self) -> WebhookSender:
        from shared.adapters.webhooks.http_sender import HttpWebhookSender

        return HttpWebhookSender(self._settings.webhooks)

    def sealer(self) -> Sealer:
        from shared.adapters.secrets.key_file import find_keys
        from shared.adapters.secrets.sealer import FernetSealer

        return FernetSealer(lambda: find_keys(_reveal(self._settings.secrets_key), self._settings.data_dir))


def _time_limits(settings: Settings, usual: Work) -> TimeLimits:
    from shared.adapters.postgres.sql.transactions import TimeLimits

    return TimeLimits(
        usual=usual,
        statement_seconds={
            Work.REQUEST: settings.database_request_seconds,
            Work.TASK: settings.database_task_seconds,
            Work.SWEEP: settings.database_sweep_seconds,
            Work.PURGE: settings.database_purge_seconds,
        },
        lock_seconds=dict.fromkeys((Work.REQUEST, Work.SWEEP), settings.database_lock_seconds),
    )


def database_url(settings: Settings) -> str:
    """Return the database URL of the application role. Raises ServiceUnavailableError if no server runs."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    running = _find_running(settings)
    if running is None:
        raise ServiceUnavailableError(_nothing_runs("PostgreSQL", "SLOWWAVE_DATABASE_URL"))
    return running.database_url


def redis_url(settings: Settings) -> str:
    """Return the URL of Redis. Raises ServiceUnavailableError if no server runs."""
    if settings.redis_url is not None:
        return settings.redis_url.get_secret_value()
    running = _find_running(settings)
    if running is None:
        raise ServiceUnavailableError(_nothing_runs("Redis", "SLOWWAVE_REDIS_URL"))
    return running.redis_url


def make_counters(settings: Settings) -> RedisCounters:
    """Return the counters, and the reader of them and of the broker's queues for a scrape."""
    from shared.adapters.celery.queue_lengths import find_queue_lengths
    from shared.adapters.redis.counters import RedisCounters

    url = broker_url(settings)
    elsewhere = (lambda: find_queue_lengths(url)) if url.startswith("amqp") else None
    return RedisCounters(redis_url(settings), elsewhere)


def broker_url(settings: Settings) -> str:
    """Return the URL of Celery's broker: RabbitMQ if it is set, else Redis. Raises ServiceUnavailableError."""
    return settings.broker_url.get_secret_value() if settings.broker_url is not None else redis_url(settings)


def preload(settings: Settings) -> None:
    """Import all libraries of the ports and the SDK of the installation's model, so that forked children share memory."""
    make_ports(settings).close()
    if settings.llm == "anthropic":
        import_module("shared.adapters.llm.anthropic.client")


def _find_running(settings: Settings) -> Endpoints | None:
    from shared.adapters.embedded.servers import find_running

    return find_running(settings.data_dir)


def _reveal(secret: SecretStr | None) -> str | None:
    return None if secret is None else secret.get_secret_value()


def _nothing_runs(server: str, variable: str) -> str:
    return f"No {server} server is running here: run `slowwave up`, or point {variable} at one"


def migrate_database(owner_url: str, users: tuple[int, ...] = (), *, statement_seconds: float | None = None) -> None:
    """Migrate a database to the newest schema as its owner, but not while processes of an older version use it."""
    from shared.adapters.postgres import migrate

    migrate.upgrade(owner_url, users=users, statement_seconds=statement_seconds)


def require_schema(url: str) -> None:
    """Refuse a schema that this code cannot use; that of a newer slowwave it can.

    Raises:
        ConflictError: says what is found, needed and to be done.
        ServiceUnavailableError: the database does not answer.
    """
    from shared.adapters.postgres.revisions import read_schema

    read_schema(url).require()


@contextmanager
def local_servers(settings: Settings, *, durable: bool = True) -> Iterator[Settings]:
    """Start an embedded server for each URL that is not set, migrate them, and yield settings with every URL set."""
    if not settings.is_embedded:
        yield settings
        return

    from shared.adapters.embedded.servers import running_servers
    from shared.adapters.postgres.revisions import read_schema
    from shared.adapters.secrets.key_file import ensure_key_file

    def prepare(endpoints: Endpoints, users: tuple[int, ...]) -> None:
        if settings.database_url is not None or read_schema(endpoints.owner_database_url).is_newest:
            return
        try:
            seconds = settings.database_migration_seconds
            migrate_database(endpoints.owner_database_url, users, statement_seconds=seconds)
        except OutdatedDataError as error:
            raise OutdatedDataError(f"{settings.data_dir.resolve()} cannot be used. {error}") from error

    with running_servers(settings.data_dir, durable=durable, prepare=prepare) as endpoints:
        ensure_key_file(settings.data_dir)
        found = {
            "database_url": SecretStr(endpoints.database_url),
            "owner_database_url": SecretStr(endpoints.owner_database_url),
            "redis_url": SecretStr(endpoints.redis_url),
        }
        missing = {name: url for name, url in found.items() if getattr(settings, name) is None}
        yield settings.model_copy(update=missing)


def restart_embedded_servers(settings: Settings) -> Settings | None:
    """Restart embedded servers that have died; return None if there was nothing to do.

    Args:
        settings: as they were loaded, so that it shows which servers are slowwave's own.

    Raises:
        ServiceUnavailableError: a server does not start; try again later.
    """
    if not settings.is_embedded or _find_running(settings) is not None:
        return None
    with local_servers(settings) as found:
        return found


def environment_of(settings: Settings) -> dict[str, str]:
    """Return the environment variables with which a child process uses the same servers (secrets stay off its command line)."""
    named = {
        "SLOWWAVE_DATABASE_URL": settings.database_url,
        "SLOWWAVE_OWNER_DATABASE_URL": settings.owner_database_url,
        "SLOWWAVE_REDIS_URL": settings.redis_url,
        "SLOWWAVE_SECRETS_KEY": settings.secrets_key,
    }
    urls = {name: url.get_secret_value() for name, url in named.items() if url is not None}
    # Empty means unset, so that a child does not inherit a broker that these settings leave out.
    broker = settings.broker_url.get_secret_value() if settings.broker_url is not None else ""
    return urls | {"SLOWWAVE_BROKER_URL": broker, "SLOWWAVE_DATA_DIR": str(settings.data_dir.resolve())}
