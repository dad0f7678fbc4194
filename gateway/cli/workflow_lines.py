"""One line of a file of workflow runs. Keys may be missing and values odd: what cannot be read says why, by line."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from shared.core.errors import BadInputError
from shared.core.feedback import MAX_STEPS, NewRun, RunOutcome, check_run
from shared.core.transcript import parse_moment

_MAX_LINE_CHARS = 8_000_000
_SUCCESS = frozenset({"success", "succeeded", "ok", "completed", "passed", "true"})
_FAILURE = frozenset({"failure", "failed", "error", "timeout", "canceled", "false"})


def read_runs(path: Path) -> Iterator[tuple[int, NewRun | str]]:
    """Yield (line, run or why it is none). Raises BadInputError when the file cannot be read at all."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, _read(line)
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}"
        raise BadInputError(msg) from error


def _read(line: str) -> NewRun | str:
    if len(line) > _MAX_LINE_CHARS:
        return "the line is longer than 8 MB"
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return "no JSON"
    if not isinstance(found, dict):
        return "no JSON object"
    try:
        return check_run(_run_of(found))
    except BadInputError as error:
        return str(error)


def _run_of(found: Mapping[str, Any]) -> NewRun:
    steps, skills = found.get("steps"), found.get("skills")
    return NewRun(
        description=_text(found.get("description")),
        steps=tuple(map(_step, steps[:MAX_STEPS])) if isinstance(steps, list) else (),
        outcome=_outcome(found.get("outcome", found.get("status"))),
        classification=_text(found.get("classification")),
        error=_text(found.get("error")),
        skills=tuple(map(_text, skills[:MAX_STEPS])) if isinstance(skills, list) else (),
        session=_text(found.get("session")),
        external_id=_text(found.get("id", found.get("external_id"))),
        occurred_at=parse_moment(found.get("occurred_at", found.get("at"))),
    )


def _outcome(value: object) -> RunOutcome:
    word = str(value).strip().lower()
    if word in _SUCCESS or word in _FAILURE:
        return RunOutcome.SUCCESS if word in _SUCCESS else RunOutcome.FAILURE
    raise BadInputError(f"`outcome` is success or failure, not {word[:40]!r}")


def _step(value: object) -> str:
    """Return a step: a text, or an object whose text stands under a usual name."""
    if isinstance(value, dict):
        named = next((value[key] for key in ("description", "step", "name", "tool") if value.get(key)), None)
        return _text(named) if named is not None else json.dumps(value)[:1_000]
    return _text(value)


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)[:1_000]
