"""Tell from an error of PostgreSQL whether the server refuses: the one place that reads SQLSTATEs for it.

A server that is full, read-only, stopping or silent refuses all work for a while. No worker and no dream is at fault, so
no worker counts as lost and no dream as failed.
"""

import psycopg
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from shared.adapters.postgres.sql.connecting import NoAnswerError
from shared.adapters.postgres.sql.verification import explain
from shared.core.errors import DatabaseRefusesError

#: SQLSTATEs or their classes, the first that fits: a word for metrics, and a sentence.
_REFUSALS = {
    "25006": ("read_only", "The database takes no writes: it is read-only, as a standby is"),
    "53100": ("disk_full", "The disk of the database is full"),
    "53200": ("out_of_memory", "The database has run out of memory"),
    "53300": ("out_of_connections", "The database has run out of connections"),
    "53000": ("out_of_resources", "The database has run out of resources"),
    "57P": ("restarting", "The database is stopping or starting"),
    "58": ("disk_broken", "The database cannot use its disk"),
}
_OTHER_SCHEMA = (
    "other_schema",
    "The database lacks tables or functions that this slowwave needs: slowwave doctor says why",
)
_REFUSALS |= dict.fromkeys(("42P01", "42883"), _OTHER_SCHEMA)
#: The words of a server that refuses a new connection, which comes before the client can read SQLSTATEs. One whose disk is
#: full cannot write the file that a connection begins with.
_IN_WORDS = dict.fromkeys(
    ("too many clients", "too many connections", "connection slots are reserved", "no more connections"), "53300"
) | {"No space left on device": "53100"}
_SILENT = ("silent", "The database takes connections and does not answer")
_UNREACHABLE = ("unreachable", "The database does not answer")


def find_refusal(error: Exception) -> DatabaseRefusesError | None:
    """Return what the server's refusal is called, in words for people; None for an error of the statement itself."""
    original = getattr(error, "orig", None) or error
    found = _find(original)
    if found is None:
        return None
    why, sentence = found
    return DatabaseRefusesError(why, sentence, said_by(original))


def _find(original: Exception) -> tuple[str, str] | None:
    state = getattr(original, "sqlstate", None) or ""
    for known, found in _REFUSALS.items():
        if state.startswith(known):
            return found
    if isinstance(original, NoAnswerError):
        return _SILENT
    if not isinstance(original, psycopg.OperationalError | PoolTimeoutError) or state[:2] not in {"", "08"}:
        return None
    return next((_REFUSALS[known] for words, known in _IN_WORDS.items() if words in str(original)), _UNREACHABLE)


def said_by(error: Exception) -> str:
    """Return the first line of the server's message, with advice if it is about TLS."""
    return explain((str(error).strip().splitlines() or [type(error).__name__])[0])
