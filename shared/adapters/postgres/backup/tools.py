"""Find PostgreSQL's own programs and their versions, and run them on a database."""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import IO

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from shared.adapters.embedded.postgres_cluster import find_binaries
from shared.adapters.postgres.backup.archive import chunks_of
from shared.adapters.postgres.sql.silence import noticing_silence
from shared.core.errors import BadInputError, PermanentError

_MAJOR = re.compile(rb"\(PostgreSQL\) (\d+)")
#: The folders of packages of several versions: Debian's, and the PostgreSQL project's RPMs.
_SHELVES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin")
_SHOWN = 5
_CONNECT_SECONDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One of PostgreSQL's programs."""

    path: Path
    major: int


def find_tool(name: str, least: int, folder: Path | None, *, why: str) -> Tool:
    """Return the program in the oldest version that is new enough, which fits best.

    Args:
        name: the name of the program.
        least: the oldest suitable major version.
        folder: the folder to search, instead of PATH, the wheel of the embedded servers and the usual places.
        why: the reason for this version.

    Raises:
        BadInputError: there is none.
    """
    found = [tool for path in _places(name, folder) if (tool := _look_at(path)) is not None]
    if usable := [tool for tool in found if tool.major >= least]:
        return min(usable, key=lambda tool: tool.major)
    there = ", ".join(f"{tool.path} is version {tool.major}" for tool in found)
    raise BadInputError(
        f"{name} {least} or newer is needed, because {why}; {there or 'none was found'}. "
        f"Install PostgreSQL's client programs, or name their folder with --tools"
    )


def _places(name: str, folder: Path | None) -> list[Path]:
    if folder is not None:
        return [folder / name]
    on_path = which(name)
    shelves = [path / name for shelf in _SHELVES for path in Path("/").glob(shelf.removeprefix("/"))]
    places = [*([Path(on_path)] if on_path else []), *shelves]
    with suppress(PermanentError):
        places.append(find_binaries() / name)
    return [place for place in places if place.exists()]


def _look_at(path: Path) -> Tool | None:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, check=False, timeout=20)  # noqa: S603 - a program that the operator has
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _MAJOR.search(said.stdout)
    return Tool(path=path, major=int(found[1])) if found else None


def plain_url(url: str) -> str:
    """Convert SQLAlchemy's URL of a database to libpq's form."""
    return url.replace("postgresql+psycopg://", "postgresql://", 1)


def read_from(tool: Tool, arguments: Sequence[str], url: str) -> Iterator[bytes]:
    """Run a program on a database and yield its output. Raises PermanentError with its error message."""
    command, environment = _prepare(tool, arguments, url)
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, env=environment)  # noqa: S603 - as above
        try:
            assert process.stdout is not None
            with noticing_silence(url, process.kill):
                yield from chunks_of(process.stdout)
                _check_end(tool, process.wait(), said)
        finally:
            _end(process)


def write_to(tool: Tool, arguments: Sequence[str], url: str, chunks: Iterable[bytes]) -> None:
    """Run a program on a database and write its input. Raises PermanentError with its error message."""
    command, environment = _prepare(tool, arguments, url)
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(  # noqa: S603 - as above
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said, env=environment
        )
        try:
            assert process.stdin is not None
            with noticing_silence(url, process.kill):
                with suppress(BrokenPipeError):  # it ended early, and says why
                    for chunk in chunks:
                        process.stdin.write(chunk)
                with suppress(BrokenPipeError):
                    process.stdin.close()
                _check_end(tool, process.wait(), said)
        finally:
            _end(process)


def _prepare(tool: Tool, arguments: Sequence[str], url: str) -> tuple[list[str], dict[str, str]]:
    """Return the command line, without the password, and the environment, which contains it."""
    words = {"connect_timeout": _CONNECT_SECONDS} | conninfo_to_dict(plain_url(url))
    password = words.pop("password", None)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SLOWWAVE_")}
    environment |= {"LC_ALL": "C"} | ({"PGPASSWORD": str(password)} if password else {})
    return [str(tool.path), *arguments, f"--dbname={make_conninfo('', **words)}"], environment


def _check_end(tool: Tool, code: int, said: IO[bytes]) -> None:
    if code == 0:
        return
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").strip().splitlines()
    # The first lines contain the cause; any amount of tenants' text, such as the statement, may follow.
    told = "\n  ".join(line[:300] for line in lines[:_SHOWN]) or f"exit code {code}"
    raise PermanentError(f"{tool.path.name} {tool.major} failed:\n  {told}")


def _end(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    if process.poll() is None:
        process.kill()
    process.wait()
