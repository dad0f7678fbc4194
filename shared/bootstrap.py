"""The composition root: settings in, ports out. The only module that knows every adapter."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from celery import Celery
from pydantic import SecretStr

from shared.adapters.celery.base_task import BaseTask
from shared.adapters.celery.config import celery_config
from shared.adapters.celery.dispatch import CeleryDispatch
from shared.adapters.celery.queue_lengths import find_queue_lengths
from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.servers import find_running, running_servers
from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.postgres.database import PostgresDatabase
from shared.adapters.process_local.buffered_counts import BufferedCounts
from shared.adapters.process_local.buffered_recall import BufferedRecall
from shared.adapters.process_local.memory_search import IndexedMemorySearch
from shared.adapters.redis.console_sessions import RedisConsoleSessions
from shared.adapters.redis.counters import RedisCounters
from shared.adapters.redis.dream_lock import RedisDreamLock
from shared.adapters.redis.model_limits import RedisModelLimits
from shared.adapters.redis.rate_limit import RedisRateLimit
from shared.adapters.secrets.sealer import FernetSealer, ensure_key_file, find_keys
from shared.adapters.ulid_ids import UlidIds
from shared.adapters.webhooks.http_sender import HttpWebhookSender
from shared.core.errors import BadInputError, ServiceUnavailableError
from shared.core.tenants.store import Tenant
from shared.counting import send_counts_to, stop_counting
from shared.ports.llm import Llm
from shared.ports.ports import Ports
from shared.settings import Settings, load_settings

#: A tenant's own key stands in a variable that begins so; no other secret of the environment can be sent anywhere.
_KEY_VARIABLE = "SLOWWAVE_LLM_API_KEY"


@cache
def get_app() -> Celery:
    """Return this process's Celery app. The broker is looked up on first use: importing a task needs no server."""
    app: Celery = Celery("slowwave", task_cls=BaseTask)
    app.add_defaults(_config_from_environment)
    return app


def _config_from_environment() -> dict[str, Any]:
    settings = load_settings()
    return celery_config(settings, broker_url(settings))


def make_ports(
    settings: Settings, app: Celery | None = None, *, pool_size: int = 12, counts_wait: bool = False
) -> Ports:
    """Return the ports of a process, which counts into its Redis from now on. Nothing connects before it is used.

    At most `pool_size` connections to the database are made, when so many are needed at once, and kept. With `counts_wait`
    what the process counts goes out every second, together.
    """
    lock = RedisDreamLock(redis_url(settings), ttl_seconds=settings.lease_seconds)
    rates = RedisRateLimit(redis_url(settings))
    console_sessions = RedisConsoleSessions(redis_url(settings))
    limits = RedisModelLimits(redis_url(settings))
    database = PostgresDatabase(database_url(settings), pool_size=pool_size)
    recall = BufferedRecall(database)
    stop_counts = _count_into(make_counters(settings), counts_wait=counts_wait)

    def close() -> None:
        for one in (recall.close, database.dispose, lock.close, rates.close, console_sessions.close, limits.disconnect):
            one()
        stop_counts()

    return Ports(
        settings=settings,
        db=database,
        lock=lock,
        dispatch=CeleryDispatch(app or get_app()),
        ids=UlidIds(),
        limits=limits,
        choose_llm=lambda tenant: choose_llm(settings, tenant),
        rates=rates,
        search=IndexedMemorySearch(),
        recall=recall,
        console_sessions=console_sessions,
        webhooks=HttpWebhookSender(settings.webhooks),
        sealer=FernetSealer(lambda: find_keys(_reveal(settings.secrets_key), settings.data_dir)),
        close=close,
    )


def _count_into(counters: RedisCounters, *, counts_wait: bool) -> Callable[[], None]:
    """Send this process's counts there from now on; return what ends that, after the last of them."""
    sink = BufferedCounts(counters) if counts_wait else counters
    send_counts_to(sink)

    def stop() -> None:
        stop_counting(sink)
        sink.close()
        counters.close()

    return stop


def database_url(settings: Settings) -> str:
    """Return where the application role connects to. Raises ServiceUnavailableError when nothing runs."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    running = find_running(settings.data_dir)
    if running is None:
        raise ServiceUnavailableError(_nothing_runs("PostgreSQL", "SLOWWAVE_DATABASE_URL"))
    return running.database_url


def redis_url(settings: Settings) -> str:
    """Return where the broker is. Raises ServiceUnavailableError when nothing runs."""
    if settings.redis_url is not None:
        return settings.redis_url.get_secret_value()
    running = find_running(settings.data_dir)
    if running is None:
        raise ServiceUnavailableError(_nothing_runs("Redis", "SLOWWAVE_REDIS_URL"))
    return running.redis_url


def make_counters(settings: Settings) -> RedisCounters:
    """Return what counts and what a scrape reads; messages are counted where they wait."""
    url = broker_url(settings)
    elsewhere = (lambda: find_queue_lengths(url)) if url.startswith("amqp") else None
    return RedisCounters(redis_url(settings), elsewhere)


def broker_url(settings: Settings) -> str:
    """Return where Celery's messages go: RabbitMQ when it is set, else Redis. Raises ServiceUnavailableError."""
    return settings.broker_url.get_secret_value() if settings.broker_url is not None else redis_url(settings)


def choose_llm(settings: Settings, tenant: Tenant) -> Llm:
    """Return the tenant's model: its own adapter, model, endpoint and key variable before the installation's.

    Raises:
        BadInputError: the adapter is unknown, or its key is missing.
    """
    adapter = tenant.llm.get("adapter", settings.llm)
    if adapter == "offline":
        return OfflineLlm()
    if adapter != "anthropic":
        msg = f"Tenant {tenant.id!r} names the model adapter {adapter!r}; choose offline or anthropic"
        raise BadInputError(msg)
    variable = tenant.llm.get("api_key_variable")
    if variable is not None and not variable.startswith(_KEY_VARIABLE):
        msg = f"Tenant {tenant.id!r} names {variable!r} as its key's variable; it must begin with {_KEY_VARIABLE}"
        raise BadInputError(msg)
    own_key = os.environ.get(variable) if variable else None
    key = own_key or (settings.llm_api_key.get_secret_value() if settings.llm_api_key and not variable else None)
    if not key:
        msg = f"There is no model key: set {variable or 'SLOWWAVE_LLM_API_KEY'}, or choose SLOWWAVE_LLM=offline"
        raise BadInputError(msg)
    return _anthropic(
        tenant.llm.get("model", settings.llm_model),
        key,
        tenant.llm.get("base_url", settings.llm_base_url or "") or None,
        settings.llm_structured_output,
    )


def preload_llm(settings: Settings) -> None:
    """Import the SDK of the installation's model now instead of at the first call."""
    if settings.llm == "anthropic":
        import_module("shared.adapters.llm.anthropic.client")


@lru_cache(maxsize=32)
def _anthropic(model: str, key: str, base_url: str | None, structured_output: bool) -> Llm:  # noqa: FBT001 - lru_cache needs plain arguments
    # The SDK takes a second and 60 MB to import; most processes never ask a model.
    from shared.adapters.llm.anthropic.client import AnthropicLlm  # noqa: PLC0415 - the reason is above

    return AnthropicLlm(model=model, api_key=key, base_url=base_url, structured_output=structured_output)


def _reveal(secret: SecretStr | None) -> str | None:
    return None if secret is None else secret.get_secret_value()


def _nothing_runs(server: str, variable: str) -> str:
    return f"No {server} server is running here: run `slowwave up`, or point {variable} at one"


def migrate_database(owner_url: str, users: tuple[int, ...] = ()) -> None:
    """Bring a database to the newest schema, with its owner's connection, but not under other processes of an older one."""
    # Alembic takes a third of a second to import; workers never migrate.
    from shared.adapters.postgres import migrate  # noqa: PLC0415 - the reason is above

    migrate.upgrade(owner_url, users=users)


@contextmanager
def local_servers(settings: Settings, *, durable: bool = True) -> Iterator[Settings]:
    """Start the embedded servers that no URL stands in for, migrate them, and yield settings with every URL set."""
    if not settings.is_embedded:
        yield settings
        return

    def prepare(endpoints: Endpoints, users: tuple[int, ...]) -> None:
        if settings.database_url is None:
            migrate_database(endpoints.owner_database_url, users)

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
    """Start embedded servers again that have died; None when there was nothing to do.

    Args:
        settings: as they were loaded, so that it shows which servers are slowwave's own.

    Raises:
        ServiceUnavailableError: a server does not start; try again later.
    """
    if not settings.is_embedded or find_running(settings.data_dir) is not None:
        return None
    with local_servers(settings) as found:
        return found


def environment_of(settings: Settings) -> dict[str, str]:
    """Return the variables that make a child process use the same servers; not on its command line."""
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
