"""Check PostgreSQL for `slowwave doctor`, over the application role's connection. What it writes is rolled back."""

from datetime import UTC, datetime

from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from shared.adapters.postgres.pooler import find_pooler
from shared.adapters.postgres.revisions import compare
from shared.adapters.postgres.sql.connecting import bound_waits, connect_options
from shared.adapters.postgres.sql.refusals import find_refusal, said_by
from shared.adapters.postgres.sql.statements import RawConnection, raw_of
from shared.adapters.postgres.sql.verification import find_mode
from shared.core.health import Finding, Health, decide_health

#: Leases use the database's clock, so a worker's may be wrong, but logs and dated tokens would mislead.
_MAX_SKEW_SECONDS = 2.0
_TENANT_TABLES = """
    SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity, pg_has_role(current_user, c.relowner, 'member')
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
    AND c.relname <> 'alembic_version' ORDER BY c.relname
"""
#: Functions that run with their owner's rights must belong to one of slowwave's narrow roles. The owner of the tables has
#: them after a restore that was cut off, or one by pg_restore alone.
_MISPLACED = """
    SELECT count(*) FROM pg_proc p JOIN pg_class c ON c.oid = to_regclass('public.memories')
    WHERE p.prosecdef AND p.pronamespace = 'public'::regnamespace AND p.proowner = c.relowner
"""
#: Larger than the room that a page of the table may have left, and random, so that it cannot be compressed: a full disk
#: refuses it. It is always rolled back.
_WRITE = """
    INSERT INTO installation_log (id, actor, action, detail)
    SELECT 'doctor-' || gen_random_uuid(), 'doctor', 'doctor',
        jsonb_build_object('written', string_agg(gen_random_uuid()::text, '')) FROM generate_series(1, 8000)
"""
_SECONDS = 4.0
_IT_IS_LOST = "Start PostgreSQL, or check SLOWWAVE_DATABASE_URL: deploy/runbooks/database-lost.md"
_IT_REFUSES = "Dreams wait, and lose nothing, until it takes writes again: deploy/runbooks/database-refuses.md"
_ROLE = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"


def examine_database(url: str, sweep_seconds: float) -> list[Finding]:
    """Return the findings about a database; one if it does not answer."""
    options = connect_options(url) | {"connect_timeout": int(_SECONDS), "prepare_threshold": None}
    engine = create_engine(url, connect_args=options)
    bound_waits(engine, lambda: _SECONDS)
    try:
        with engine.connect() as connection:
            reached = decide_health("database", _version(connection), ok=True, advice="")
            found = [reached, find_schema(connection)]
            if found[-1].health is not Health.OK:
                return found
            return [
                *found,
                find_pooler(raw_of(connection)),
                find_tls(url, raw_of(connection)),
                find_role(connection),
                find_isolation(connection),
                find_functions(connection),
                find_skew(connection),
                find_beat(connection, sweep_seconds),
                find_quarantined(connection),
                find_writes(connection),
            ]
    except SQLAlchemyError as error:
        refusal = find_refusal(error)
        said = str(refusal) if refusal is not None else said_by(getattr(error, "orig", None) or error)
        is_lost = refusal is None or refusal.why in {"unreachable", "silent"}
        advice = _IT_IS_LOST if is_lost else _IT_REFUSES
        return [decide_health("database", said, ok=False, advice=advice)]
    finally:
        engine.dispose()


def _version(connection: Connection) -> str:
    return f"PostgreSQL {connection.execute(text('SHOW server_version')).scalar_one()}"


def find_writes(connection: Connection) -> Finding:
    """Return whether the server takes writes: one is made and rolled back. Ends the connection's transaction."""
    connection.rollback()
    try:
        connection.execute(text(_WRITE))
    except DBAPIError as error:
        refusal = find_refusal(error)
        found = f"refused: {refusal if refusal is not None else said_by(error.orig or error)}"
        return decide_health("database writes", found, ok=False, advice=_IT_REFUSES)
    finally:
        connection.rollback()
    return decide_health("database writes", "accepted", ok=True, advice="")


def find_tls(url: str, raw: RawConnection) -> Finding:
    """Return whether the connection is encrypted and the server's certificate was verified."""
    mode = find_mode(url)
    if mode is None:
        return decide_health("database tls", "none: the server is on this machine", ok=True, advice="")
    is_verified = mode.startswith("verify") and raw.pgconn.ssl_in_use
    found = f"sslmode={mode}, {'encrypted' if raw.pgconn.ssl_in_use else 'not encrypted'}"
    advice = "Leave sslmode out of the URL (or use verify-full), so that the server's certificate is verified"
    return decide_health("database tls", found, ok=is_verified, advice=advice, otherwise=Health.WARN)


def find_schema(connection: Connection) -> Finding:
    """Return whether the newest migration has run."""
    schema = compare(raw_of(connection))
    return decide_health("migrations", schema.found, ok=schema.is_newest, advice=schema.advice)


def find_role(connection: Connection) -> Finding:
    """Return whether row-level security applies to the role."""
    is_mighty = bool(connection.execute(text(_ROLE)).scalar_one())
    owned = [name for name, _, is_owner in connection.execute(text(_TENANT_TABLES)) if is_owner]
    found = "the role bypasses row-level security" if is_mighty else f"the role owns {', '.join(owned)}"
    ok = not is_mighty and not owned
    advice = "Connect as slowwave_app in SLOWWAVE_DATABASE_URL; the owner is for `slowwave migrate` only"
    return decide_health(
        "role", "owns no table and does not bypass row-level security" if ok else found, ok=ok, advice=advice
    )


def find_isolation(connection: Connection) -> Finding:
    """Return whether row-level security is forced on every table."""
    rows = connection.execute(text(_TENANT_TABLES)).all()
    open_tables = [name for name, is_forced, _ in rows if not is_forced]
    found = f"not forced on {', '.join(open_tables)}" if open_tables else f"forced on {len(rows)} tables"
    advice = "As the owner: ALTER TABLE … ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; then find out who did it"
    return decide_health("row-level security", found, ok=not open_tables, advice=advice)


def find_functions(connection: Connection) -> Finding:
    """Return whether the functions that run with other rights than their caller's belong to slowwave's roles."""
    number = int(connection.execute(text(_MISPLACED)).scalar_one())
    found = f"{number} belong to the owner of the tables" if number else "each belongs to its role"
    advice = "A restore did not end, or was not made by slowwave restore: restore into an empty database"
    return decide_health("functions", found, ok=not number, advice=advice)


def find_skew(connection: Connection) -> Finding:
    """Return the difference between this machine's clock and the database's."""
    before = datetime.now(UTC)
    theirs: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
    after = datetime.now(UTC)
    seconds = max(0.0, (before - theirs).total_seconds(), (theirs - after).total_seconds())
    advice = "Set the clock (chrony, NTP) here or on the database's machine"
    ok = seconds <= _MAX_SKEW_SECONDS
    return decide_health("clock", f"{seconds:.1f} s from the database's", ok=ok, advice=advice, otherwise=Health.WARN)


def find_beat(connection: Connection, sweep_seconds: float) -> Finding:
    """Return how long ago a sweep ran; each one leaves its time in the installation's row."""
    query = text("SELECT extract(epoch FROM clock_timestamp() - last_sweep_at) FROM installation")
    age = connection.execute(query).scalar_one()
    advice = "Start beat (slowwave up, or python -m deploy.entry beat) and a worker"
    if age is None:
        return decide_health("beat", "no sweep has ever run", ok=False, advice=advice)
    # A message may wait for a busy worker; three intervals without any sweep mean that beat or the workers are down.
    ok = float(age) <= max(3 * sweep_seconds, 30)
    return decide_health("beat", f"the last sweep was {float(age):.0f} s ago", ok=ok, advice=advice)


def find_quarantined(connection: Connection) -> Finding:
    """Return the number of stores in quarantine after repeated failures, as of their last checks."""
    number = int(connection.execute(text("SELECT slowwave_count_quarantined_stores()")).scalar_one())
    advice = "slowwave tenants list and stores list TENANT show which; fix the cause, then slowwave resume TENANT/STORE"
    found = f"{number} store{'' if number == 1 else 's'} in quarantine" if number else "no store"
    return decide_health("quarantine", found, ok=not number, advice=advice, otherwise=Health.WARN)
