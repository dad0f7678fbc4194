"""The file of environment variables, read the same way by every program, whether started by hand, systemd or compose.

It has one variable per line, `NAME=value`, or `NAME='value'` if the value has quotes, spaces, `#` or `$`; a line that begins with
`#` is a comment. systemd, compose and this module read such lines alike, and a shell reads quoted ones alike, too. A line that
they would read differently is refused, with its number and advice, because a misread setting is worse than an error.
"""

import os
import re
from collections.abc import MutableMapping
from pathlib import Path

from shared.core.errors import BadInputError

VARIABLE = "SLOWWAVE_ENV_FILE"
_LINE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*(.*)")
_QUOTED = re.compile(r"""'([^']*)'|"((?:[^"\\$`]|\\["\\])*)\"""")
#: Where the variables of this process came from, by name: those of the environment itself are not here.
_SOURCES: dict[str, Path] = {}


def parse_env_file(text: str, name: str = "the file") -> dict[str, str]:
    """Return the variables of a file; the last line of a name counts. Raises BadInputError for a doubtful line."""
    found = {}
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        said = _LINE.fullmatch(line)
        if said is None:
            raise BadInputError(f"{name}, line {number}: write NAME=value, without `export`; or # for a comment")
        value = _read_value(said[2])
        if value is None:
            advice = f"write {said[1]}='…', on one line, in single quotes"
            raise BadInputError(
                f"{name}, line {number}: systemd, compose and a shell would read this differently; {advice}"
            )
        found[said[1]] = value
    return found


def _read_value(raw: str) -> str | None:
    """Return the value that all readers agree on; None if they differ."""
    if raw.startswith(("'", '"')):
        quoted = _QUOTED.fullmatch(raw)
        if quoted is None:
            return None
        return quoted[1] if quoted[1] is not None else re.sub(r"\\(.)", r"\1", quoted[2])
    # Compose puts variables in and cuts comments off, systemd takes backslashes away.
    is_doubtful = "\\" in raw or "$" in raw or re.search(r"\s#", raw)
    return None if is_doubtful else raw


def apply_env_file(environment: MutableMapping[str, str] = os.environ) -> None:
    """Load the variables of the file named by SLOWWAVE_ENV_FILE; variables that are already set take precedence.

    Raises:
        BadInputError: the file cannot be read, or has a doubtful line.
    """
    place = environment.get(VARIABLE)
    if not place:
        return
    path = Path(place).expanduser()
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        said = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise BadInputError(f"{VARIABLE}: {path} cannot be read: {said}") from None
    for name, value in parse_env_file(text, str(path)).items():
        if name not in environment:
            environment[name] = value
            _SOURCES[name] = path


def source_of(name: str) -> str | None:
    """Return where a variable's value comes from, in words; None when it is not set."""
    if not os.environ.get(name):
        return None
    return f"{name} in {_SOURCES[name]}" if name in _SOURCES else f"{name} of the environment"
