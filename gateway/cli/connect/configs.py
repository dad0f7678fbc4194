"""Write an MCP server and hooks into the configuration of a tool, and take exactly that back.

A file is copied before its first change. If it is still as it was written when it is taken back, the copy comes back; if the tool
or a person changed it since, only what was added goes.
"""

import json
import os
import secrets
import shutil
import tomllib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from gateway.cli.connect.json_text import add_value, count_known, find_value, remove_value
from gateway.cli.connect.tools import Format
from shared.core.errors import BadInputError

_BACKUP = ".slowwave-backup"
#: The mode of a file that holds a key.
_OWNERS = 0o600


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """A value for a configuration file: at a path of keys, or as an element of the list there."""

    path: tuple[str, ...]
    value: Any
    is_element: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An addition to a file, with all that it needs to be taken back. `known` says how many keys of each path were there before."""

    file: str
    format: str
    is_new: bool
    sha256: str
    block: str
    additions: tuple[Addition, ...]
    known: tuple[int, ...]


def is_taken(file: Path, kind: Format, path: tuple[str, ...]) -> bool:
    """Tell whether a file has a value at a path. Raises BadInputError for a file that cannot be read as what it is."""
    value: Any = _parse(file, kind, _read(file)) if file.exists() else {}
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value is not None


def plan_change(file: Path, kind: Format, additions: tuple[Addition, ...], empty: str = "{}\n") -> tuple[Change, str]:
    """Return a change of a file and the file's text after it. A new file of JSON begins as `empty`.

    Raises:
        BadInputError: it cannot be added without touching anything else; the message holds what to add by hand.
    """
    before = (_read(file) if file.exists() else "") or (empty if kind is Format.JSON else "")
    text, block, known = before, "", []
    try:
        for one in additions:
            if kind is Format.JSON:
                known.append(count_known(text, one.path))
                text = add_value(text, one.path, one.value, is_element=one.is_element)
            else:
                block = _block(kind, one)
                text = _append(kind, text, one, block)
        _check(file, kind, before, text, additions)
    except ValueError as error:
        by_hand = "\n".join(_block(Format.YAML, one) for one in additions)
        raise BadInputError(f"{file} cannot be added to without a risk ({error}). Add by hand:\n{by_hand}") from error
    change = Change(
        file=str(file), format=kind, is_new=not file.exists(), sha256=_sha(text), block=block, additions=additions,
        known=tuple(known),
    )  # fmt: skip
    return change, text


def write_change(change: Change, text: str) -> None:
    """Copy a file beside it unless there is a copy, and write its new text. Raises BadInputError."""
    file = Path(change.file)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and not _backup(file).exists():
            shutil.copy2(file.resolve(), _backup(file))
        replace_file(file, text, _mode(file) & _OWNERS)
    except OSError as error:
        raise BadInputError(f"{file} cannot be written: {error.strerror}") from error


def take_back(change: Change) -> None:
    """Take a change back. Raises BadInputError if the file cannot be written, or is no longer what it was."""
    file = Path(change.file)
    if not file.exists():
        return
    text, backup = _read(file), _backup(file)
    if _sha(text) == change.sha256 and change.is_new:
        file.unlink()
    elif _sha(text) == change.sha256 and backup.exists():
        replace_file(file, _read(backup), _mode(backup))
    else:
        replace_file(file, _without(change, text), _mode(backup if backup.exists() else file))
    backup.unlink(missing_ok=True)


def _without(change: Change, text: str) -> str:
    """Return a text that was changed since, without what was added to it."""
    file, kind, path = Path(change.file), Format(change.format), change.additions[0].path
    if kind is Format.JSON:
        try:
            for one, known in reversed(list(zip(change.additions, change.known, strict=True))):
                text = remove_value(text, one.path, one.value, is_element=one.is_element, known=known)
        except ValueError as error:
            raise BadInputError(f"{file} is no JSON any more ({error}): remove {'.'.join(path)} by hand") from error
        return text
    if change.block not in text and is_taken(file, kind, path):
        raise BadInputError(f"{file} was changed since: remove {'.'.join(path)} by hand")
    return text.replace(change.block, "", 1)


def _append(kind: Format, text: str, one: Addition, block: str) -> str:
    gap = "" if not text or text.endswith("\n") else "\n"
    if kind is Format.YAML and yaml.safe_load(text or "{}").get(one.path[0]) is not None:
        raise ValueError(f"it has {one.path[0]} already")
    return f"{text}{gap}{block}"


def _block(kind: Format, one: Addition) -> str:
    if kind is Format.TOML:
        server = one.value
        # A string of JSON is one of TOML, and so is a list of them.
        lines = [
            f"[{'.'.join(one.path)}]",
            *(f"{name} = {json.dumps(server[name], ensure_ascii=False)}" for name in ("command", "args")),
        ]
        env = ", ".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in server["env"].items())
        return "\n".join(["", *lines, f"env = {{ {env} }}", ""])
    value = one.value
    for key in reversed(one.path):
        value = {key: value}
    return yaml.safe_dump(value, sort_keys=False)


def _check(file: Path, kind: Format, before: str, after: str, additions: tuple[Addition, ...]) -> None:
    """Check that a text holds everything that it held before, and what was added."""
    was, now = _parse(file, kind, before) if before else {}, _parse(file, kind, after)
    for one in additions:
        value = now
        for key in one.path:
            value = value[key]
        if (one.value not in value) if one.is_element else (value != one.value):
            raise ValueError(f"{'.'.join(one.path)} would be another value")
    roots = {one.path[0] for one in additions}
    if {key: value for key, value in was.items() if key not in roots} != {
        key: value for key, value in now.items() if key not in roots
    }:
        raise ValueError("something else would change")


def _parse(file: Path, kind: Format, text: str) -> dict[str, Any]:
    try:
        if kind is Format.JSON:
            return dict(find_value(text or "{}", ()))
        found = tomllib.loads(text) if kind is Format.TOML else yaml.safe_load(text)
    except (ValueError, yaml.YAMLError) as error:
        raise BadInputError(f"{file} cannot be read: {error}") from error
    return found if isinstance(found, dict) else {}


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{file} cannot be read: {error}") from error


def _mode(file: Path) -> int:
    return file.stat().st_mode & 0o777 if file.exists() else _OWNERS


def replace_file(file: Path, text: str, mode: int) -> None:
    """Write a file of this mode beside it and rename; a link stays a link. Raises OSError."""
    target = file.resolve()
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(fd, "wb") as written:
            written.write(text.encode())
            written.flush()
            os.fsync(written.fileno())
        beside.chmod(mode)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _backup(file: Path) -> Path:
    return file.with_name(f"{file.name}{_BACKUP}")


def _sha(text: str) -> str:
    return sha256(text.encode()).hexdigest()
