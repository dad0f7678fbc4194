"""Run all checks of `slowwave doctor`, side by side and each with a deadline: a server that hangs hides nothing else."""

import os
import shutil
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from importlib import import_module
from pathlib import Path

from gateway.embeddings import examine_embeddings
from gateway.exams import examine_exams
from gateway.in_time import start
from gateway.model_keys import examine_model_keys
from gateway.variables import find_mistyped
from shared.adapters.celery.config import PHASE_HARD_SECONDS
from shared.adapters.celery.health import examine_rabbitmq
from shared.adapters.postgres.health import examine_database
from shared.adapters.postgres.revisions import find_newest
from shared.adapters.redis.health import examine_broker
from shared.adapters.redis.worker_pulse import SeenWorker, find_workers, name_others
from shared.adapters.secrets.key_file import find_keys, key_file
from shared.bootstrap import database_url, make_counters, redis_url
from shared.core.budgets.dollars import ALERT_SHARE
from shared.core.errors import ServiceUnavailableError
from shared.core.health import Finding, Health, decide_health
from shared.core.questions.prices import say_usd
from shared.model_endpoint import OFFLINE
from shared.ports.database import Database
from shared.ports.installation import BudgetShare
from shared.settings import Settings

_LEAST_FREE_BYTES = 1_000_000_000
_WARN = Health.WARN
_ENDED = "slowwave_dreams_ended_total"
_ERASED = "tenant.erase"
_LOG_ENTRIES = 1_000
_NAMED = 3
#: All checks together take no longer, and what a model needs to know of the database waits for it no longer.
_SECONDS, _DATABASE_SECONDS = 9.0, 5.0
#: What a healthy server tells; what is missing in a report could not be learned.
_TOLD_BY = {
    "the database": (
        "role", "row-level security", "beat", "quarantine", "database writes", "tenants", "switches", "budgets", "exams",
    ),
    "Redis": ("redis writes", "redis eviction", "redis persistence", "workers", "metrics", "versions"),
}  # fmt: skip
#: A part of the report: the name of its first check, and its findings, which may still be on their way.
_Part = tuple[str, Future[list[Finding]]]


def examine(settings: Settings, db: Database) -> list[Finding]:
    """Return one finding per check, one for each model key, one for each part that did not answer in time, and what that hides."""
    end = time.monotonic() + _SECONDS
    database = start(lambda: examine_database(database_url(settings), settings.sweep_seconds))
    parts: list[_Part] = [
        ("database", database),
        ("tenants", start(lambda: _examine_contents(settings, db) if _is_readable(database) else [])),
        ("redis", start(lambda: _examine_redis(settings))),
        ("rabbitmq", start(lambda: _examine_rabbitmq(settings))),
        ("model key", start(lambda: _examine_models(settings, db, database))),
        ("exams", start(lambda: [examine_exams(settings, db)] if _is_readable(database) else [])),
        ("embeddings", start(lambda: [examine_embeddings(settings)])),
        ("disk", start(lambda: [find_disk(settings.data_dir)])),
    ]
    found = [finding for name, part in parts for finding in _wait_for(name, part, end)]
    return [*found, find_secrets_key(settings), find_variables(os.environ), *find_unlearned(found)]


def find_unlearned(found: Sequence[Finding]) -> list[Finding]:
    """Return one finding that names the checks that a server's trouble left out of a report, or none."""
    names = {finding.check for finding in found}
    missing = {server: [name for name in told if name not in names] for server, told in _TOLD_BY.items()}
    said = "; ".join(f"{', '.join(left)} ({server})" for server, left in missing.items() if left)
    advice = "Mend what failed above, then run slowwave doctor again"
    return [decide_health("not learned", said, ok=False, advice=advice, otherwise=_WARN)] if said else []


def examine_without_servers(settings: Settings, reason: str) -> list[Finding]:
    """Return why slowwave's own servers could not be joined, and what this machine tells without them."""
    advice = "Their logs are in the data directory: postgres/server.log, valkey/server.log"
    servers = decide_health("servers", reason, ok=False, advice=advice)
    return [servers, find_disk(settings.data_dir), find_secrets_key(settings), find_variables(os.environ)]


def _wait_for(name: str, part: Future[list[Finding]], end: float) -> list[Finding]:
    """Return the findings of a part, or one that says that nothing could be learned, and why."""
    advice = "Nothing more could be learned of it; run slowwave doctor again when it answers"
    try:
        return part.result(timeout=max(0.0, end - time.monotonic()))
    except TimeoutError:
        return [decide_health(name, f"no answer within {_SECONDS:g} s", ok=False, advice=advice)]
    except ServiceUnavailableError as error:
        return [decide_health(name, str(error), ok=False, advice=advice)]


def _is_readable(database: Future[list[Finding]]) -> bool:
    """Tell whether the database answers, with this code's schema."""
    try:
        return all(finding.health is Health.OK for finding in database.result(timeout=_DATABASE_SECONDS)[:2])
    except (TimeoutError, ServiceUnavailableError):
        return False


def _examine_models(settings: Settings, db: Database, database: Future[list[Finding]]) -> list[Finding]:
    if settings.llm != OFFLINE:
        import_module("shared.adapters.llm.health")  # the SDK takes long to load; meanwhile the database answers
    return examine_model_keys(settings, db if _is_readable(database) else None)


def _examine_contents(settings: Settings, db: Database) -> list[Finding]:
    return [find_tenants(settings, db), find_switches(db), find_budgets(db)]


def _examine_redis(settings: Settings) -> list[Finding]:
    seconds, has_queues = settings.visibility_timeout_seconds, settings.broker_url is None
    found = examine_broker(redis_url(settings), seconds, has_queues=has_queues)
    if found[0].health is Health.OK:
        found.append(find_other_versions(find_workers(redis_url(settings)), find_newest()))
    return [*found, find_visibility(seconds)] if has_queues else found


def find_other_versions(workers: list[SeenWorker], newest: str) -> Finding:
    """Report the workers of an older or newer slowwave, which belong to an upgrade that is not over."""
    others = name_others(workers, newest)
    found = (
        f"of another version than this one (schema {newest}): {', '.join(others)}"
        if others
        else f"no worker of another version than this one (schema {newest})"
    )
    advice = "Restart these workers with the new version: deploy/runbooks/upgrade.md"
    return decide_health("versions", found, ok=not others, advice=advice, otherwise=_WARN)


def _examine_rabbitmq(settings: Settings) -> list[Finding]:
    return [] if settings.broker_url is None else examine_rabbitmq(settings.broker_url.get_secret_value())


def find_switches(db: Database) -> Finding:
    """Report whether an operator has paused or deferred all tenants, which looks as if beat or workers did nothing."""
    switches = db.installation.get()
    if switches.paused_at is not None:
        return decide_health(
            "switches", "all tenants are paused", ok=False, advice="slowwave resume --all", otherwise=_WARN
        )
    percent = switches.defer_percent
    found = f"{percent} % of the due stores are postponed to another day" if percent else "neither paused nor deferred"
    return decide_health("switches", found, ok=not percent, advice="slowwave defer 0", otherwise=_WARN)


def find_budgets(db: Database) -> Finding:
    """Report the budgets in dollars that are nearly spent, because dreams stop then."""
    known = db.operators.find_budgets()
    nearly = [budget for budget in known if budget.share >= ALERT_SHARE]
    more = f", and {len(nearly) - _NAMED} more" if len(nearly) > _NAMED else ""
    found = ", ".join(map(_say_budget, nearly[:_NAMED])) + more or (
        f"{len(known)} in dollars, none nearly spent" if known else "none in dollars"
    )
    advice = "slowwave tenants set TENANT --usd-per-day N, or wait: deploy/runbooks/budget-nearly-spent.md"
    return decide_health("budgets", found, ok=not nearly, advice=advice, otherwise=_WARN)


def _say_budget(budget: BudgetShare) -> str:
    name = f"{budget.tenant_id}/{budget.store}" if budget.store else budget.tenant_id
    return f"{name}: {budget.share:.0%} of {say_usd(budget.limit_usd)} a {budget.period}"


def find_variables(environment: Mapping[str, str]) -> Finding:
    """Report mistyped names of settings, which have no effect."""
    mistyped = find_mistyped(environment)
    found = f"{', '.join(mistyped)}: not a setting" if mistyped else "every variable is a setting"
    advice = f"Did you mean {', '.join(mistyped.values())}? Until then the default applies"
    return decide_health("settings", found, ok=not mistyped, advice=advice, otherwise=_WARN)


def find_tenants(settings: Settings, db: Database) -> Finding:
    """Report whether there is any tenant, since a database that was lost and created again looks healthy otherwise."""
    if db.sweeps.find_tenants(limit=1):
        return decide_health("tenants", "at least one", ok=True, advice="")
    ended = _count_ended_dreams(settings)
    is_lost = ended > 0 and not any(entry.action == _ERASED for entry in db.installation.find_log(_LOG_ENTRIES))
    if is_lost:
        found = f"none, although {ended:.0f} dreams have ended here: this is not the database in which they ran"
        advice = "Check SLOWWAVE_DATABASE_URL; if the data is gone: runbook restore-from-backup"
        return decide_health("tenants", found, ok=False, advice=advice)
    advice = "Right for a new installation: slowwave tenants create TENANT. Otherwise: slowwave restore FILE"
    return decide_health("tenants", "none: the schema is empty", ok=False, advice=advice, otherwise=_WARN)


def _count_ended_dreams(settings: Settings) -> float:
    """Return how many dreams the counters have seen end; they are in Redis, so they outlive the database."""
    counters = make_counters(settings)
    try:
        counted = counters.find_all() or {}
    finally:
        counters.close()
    return sum(amount for (name, _), amount in counted.items() if name == _ENDED)


def find_visibility(seconds: float) -> Finding:
    """Return whether a slow phase could be delivered twice."""
    least = 3 * PHASE_HARD_SECONDS
    advice = f"Set SLOWWAVE_VISIBILITY_TIMEOUT_SECONDS to {least} or more: a shorter one runs slow phases twice"
    found = f"{seconds:g} s; the longest phase may take {PHASE_HARD_SECONDS} s"
    return decide_health("visibility timeout", found, ok=seconds >= least, advice=advice)


def find_secrets_key(settings: Settings) -> Finding:
    """Report whether there is a key to encrypt webhook secrets that only its owner can read."""
    setting = settings.secrets_key.get_secret_value() if settings.secrets_key else None
    keys, file = find_keys(setting, settings.data_dir), key_file(settings.data_dir)
    if not keys:
        advice = "Set SLOWWAVE_SECRETS_KEY, the same for API and workers, to the output of `openssl rand -hex 32`"
        return decide_health(
            "secrets key", "none: webhooks cannot be created or sent", ok=False, advice=advice, otherwise=_WARN
        )
    if setting is None:
        is_private = file.stat().st_mode & 0o077 == 0
        advice = f"Others may read it: chmod 600 {file}, then rotate the webhooks"
        return decide_health("secrets key", f"of its own, {file}", ok=is_private, advice=advice, otherwise=_WARN)
    return decide_health("secrets key", "set" if len(keys) == 1 else f"set, {len(keys) - 1} older", ok=True, advice="")


def find_disk(data_dir: Path, least_bytes: int = _LEAST_FREE_BYTES) -> Finding:
    """Return the free space of the data directory, or of its nearest parent if it does not exist yet."""
    place = next(path for path in (data_dir.resolve(), *data_dir.resolve().parents) if path.exists())
    free = shutil.disk_usage(place).free
    advice = f"Free some space on the disk of {place}, or choose another SLOWWAVE_DATA_DIR"
    found = f"{free / 1e9:.1f} GB free at {place}"
    return decide_health("disk", found, ok=free >= least_bytes, advice=advice, otherwise=_WARN)
