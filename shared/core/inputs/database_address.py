"""The address of PostgreSQL: how it must begin, and how another form of it is written here."""

import re

_WANTED = "postgresql+psycopg://"
_USUAL = re.compile(r"postgres(?:ql)?(?:\+\w+)?:/{0,2}")
#: What may be a password: of the user, or a parameter of libpq.
_SECRET = re.compile(r":.*@|password=[^&]*", re.IGNORECASE)


def find_fault(url: str) -> str | None:
    """Return why an address cannot be used, with the corrected one and no password; None if it can."""
    if url.startswith(_WANTED):
        return None
    usual = _USUAL.match(url)
    if usual is None:
        return f"must be a PostgreSQL address such as {_WANTED}USER:PASSWORD@HOST:5432/DATABASE; other databases cannot be used"
    shown = _SECRET.sub(_mask, url[usual.end() :])
    return f"must begin with {_WANTED}, not {usual[0]}; write {_WANTED}{shown}"


def _mask(secret: re.Match[str]) -> str:
    return ":…@" if secret[0].startswith(":") else "password=…"
