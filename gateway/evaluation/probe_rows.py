"""Read a person's own questions: what an agent asks, and a quote of what answers it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.core.errors import BadInputError
from shared.core.evaluation.model import MAX_OWN_PROBES, MAX_PROBE_CHARS

#: As large as the most probes of the most characters, in JSON's longest spelling.
_MAX_BYTES = MAX_OWN_PROBES * MAX_PROBE_CHARS * 6
_KNOWN = {"question", "evidence", "group"}


def read_probes(path: Path) -> tuple[dict[str, object], ...]:
    """Return the rows of a file: a JSON list, or JSON Lines, of `{"question", "evidence": quote or [quotes], "group"?}`.

    Raises BadInputError with the line, or the place in the list, of a row that is malformed, and for a file without rows.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise BadInputError(f"{path} has more than {_MAX_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise BadInputError(f"{path}: {reason}") from None
    rows = parse_probes(text, str(path))
    if not rows:
        raise BadInputError(f"{path} holds no questions")
    return rows


def parse_probes(text: str, source: str) -> tuple[dict[str, object], ...]:
    """Return the rows of a text, as `read_probes` does; errors begin with the name of its source."""
    return tuple(_check(row, where) for where, row in _read(text, source))


def _read(text: str, source: str) -> Iterator[tuple[str, Any]]:
    if text.lstrip().startswith("["):
        for number, row in enumerate(_parse(text, source), start=1):
            yield f"{source}, row {number}", row
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            where = f"{source}, line {number}"
            yield where, _parse(line, where)


def _parse(text: str, where: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise BadInputError(f"{where}: this is no JSON ({error.msg}, {at})") from None
    except (RecursionError, ValueError):
        raise BadInputError(f"{where}: this JSON is nested too deeply, or has a number too long to read") from None


def _check(row: object, where: str) -> dict[str, object]:
    """Return a row whose fields have the right types; the service judges their lengths."""
    if not isinstance(row, dict):
        raise BadInputError(f'{where}: a row is an object such as {{"question": "…", "evidence": "…"}}')
    if unknown := sorted(row.keys() - _KNOWN):
        raise BadInputError(f"{where}: there is no field {unknown[0][:60]!r}; a row has question, evidence and group")
    if not _is_text(row.get("question")):
        raise BadInputError(f"{where}: question is missing, or no text")
    evidence = row.get("evidence")
    quotes = evidence if isinstance(evidence, list) else [evidence]
    if not quotes or not all(map(_is_text, quotes)):
        raise BadInputError(f"{where}: evidence is missing, or neither a quote nor a list of quotes")
    if "group" in row and not _is_text(row["group"]):
        raise BadInputError(f"{where}: group is no text")
    return row


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
