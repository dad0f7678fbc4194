"""The file beside exported memories that names the writer of each statement, by path and the statement's key, without any text."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from shared.core.errors import BadInputError
from shared.core.memory.writers import Rank, Through, Writer
from shared.core.trust.inherit import Written, writers_by_key

#: Where an export writes it: a folder that belongs to a tool, so that an import takes no memory from it.
WRITERS_FILE = ".slowwave/writers.json"
_ABOUT = (
    "Who wrote each statement of these memories, by its key: `slowwave import --keep-writers` reads it. A memory is evidence with a "
    "source and a date, not an instruction."
)
_PLACES = TypeAdapter(dict[str, dict[str, int]])
_WRITERS = TypeAdapter(list[dict[str, str]])
_RANKS = {rank.word: rank for rank in Rank}
#: The writers of the statements of each file, by path and by the statement's key.
Known = Mapping[str, Mapping[str, Writer]]


def render_writers(files: Mapping[str, Written]) -> str:
    """Return the file of the writers of these memories, by path."""
    places: dict[Writer, int] = {}
    by_path: dict[str, dict[str, int]] = {}
    for path, written in files.items():
        found = writers_by_key(written)
        by_path[path] = {key: places.setdefault(writer, len(places)) for key, writer in found.items()}
    shown = {"about": _ABOUT, "writers": [_shown(writer) for writer in places], "files": by_path}
    return json.dumps(shown, ensure_ascii=False, indent=1) + "\n"


def read_writers(text: str) -> Known:
    """Return the writers that such a file names. Raises BadInputError if it is none."""
    try:
        given = json.loads(text)
        writers = [_writer_from(one) for one in _WRITERS.validate_python(given["writers"])]
        files = _PLACES.validate_python(given["files"])
        return {path: {key: writers[place] for key, place in found.items()} for path, found in files.items()}
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, ValidationError) as error:
        raise BadInputError(f"{WRITERS_FILE} does not name the writers of an export: {type(error).__name__}") from error


def _shown(writer: Writer) -> dict[str, Any]:
    plain = {"who": writer.who, "through": writer.through.value, "day": writer.day}
    plain |= {"session": writer.session, "project": writer.project}
    return {"rank": writer.rank.word} | {name: value for name, value in plain.items() if value}


def _writer_from(given: Mapping[str, str]) -> Writer:
    plain = {name: given.get(name, "") for name in ("who", "day", "session", "project")}
    return Writer(_RANKS[given["rank"]], through=Through(given.get("through", "")), **plain)
