"""Find mistyped names: environment variables that look like settings but have no effect."""

from collections.abc import Mapping

from shared.core.tenants.model_settings import KEY_VARIABLE
from shared.env_file import VARIABLE as ENV_FILE
from shared.settings import Settings

_PREFIX = "SLOWWAVE_"
_OTHERS = frozenset({ENV_FILE, "SLOWWAVE_DEBUG", "SLOWWAVE_TENANT", "SLOWWAVE_KEY"})


def find_mistyped(environment: Mapping[str, str]) -> dict[str, str]:
    """Return each variable whose name is a mistyped setting, with the setting that was meant."""
    known = sorted({f"{_PREFIX}{name.upper()}" for name in Settings.model_fields} | _OTHERS)
    strange = [
        name
        for name in sorted(environment)
        if name.startswith(_PREFIX) and name not in known and not name.startswith(KEY_VARIABLE)
    ]
    return {name: meant for name in strange if (meant := find_similar(name, known))}


def find_similar(name: str, names: list[str]) -> str | None:
    """Return the name that was probably meant: a known name within one or two typing mistakes."""
    from rapidfuzz import process  # noqa: PLC0415 - most names are right
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415 - as above

    slips = 1 if len(name) < 5 else 2
    found = process.extractOne(name, names, scorer=DamerauLevenshtein.distance, score_cutoff=slips)
    return found[0] if found else None
