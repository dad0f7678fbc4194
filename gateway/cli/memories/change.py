"""`slowwave memory edit|pin|redact`: change one memory by hand, as the console and the API do."""

import sys
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.console.confirm import Yes, confirm_deletion
from gateway.cli.console.options import AsJson, StoreOption, Tenant, cli_actor
from gateway.cli.console.output import print_json, say
from gateway.cli.console.session import Session, open_session
from gateway.masking import tell_masked
from shared.core.errors import BadInputError
from shared.core.memory.expiry import Never
from shared.core.memory.model import Author, Memory
from shared.core.memory.writers import Through
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.edit import Expected, MemoryEdit, edit_memory
from shared.services.memories.read import get_memory
from shared.services.memories.redact import redact_version
from shared.services.tenants.stores import get_store

MemoryPath = Annotated[str, typer.Argument(help="The memory's path or id.")]
Version = Annotated[
    int | None,
    typer.Option(
        "--if-version",
        min=1,
        help="Only change the memory if it is at this version; `memory show --json` shows its version.",
    ),
]

Expires = Annotated[
    str | None,
    typer.Option(
        help="The last day on which it holds, such as 2026-10-12, or never; it is written into its frontmatter."
    ),
]


def edit(
    tenant: Tenant,
    path: MemoryPath,
    store: StoreOption = DEFAULT_STORE,
    file: Annotated[str | None, typer.Option(help="A file with the new text; - for standard input.")] = None,
    move_to: Annotated[str | None, typer.Option(help="The new path.")] = None,
    importance: Annotated[float | None, typer.Option(min=0, max=100, help="The new importance.")] = None,
    expires: Expires = None,
    if_version: Version = None,
    as_json: AsJson = False,
) -> None:
    """Change a memory's text, path, importance or last day, as a new version."""
    if file is None and move_to is None and importance is None and expires is None:
        raise BadInputError("Nothing to change: give --file, --move-to, --importance or --expires")
    content = None if file is None else _read(file)
    with open_session(tenant=tenant, store=store) as session:
        wanted = MemoryEdit(
            content=content, path=move_to, importance=importance, expires=_read_day(expires), actor=cli_actor(),
            may_instruct=True,
        )  # fmt: skip
        before, after = _change(session, tenant, store, path, wanted, if_version)
    _tell(before, after, as_json, content or "")


def pin(
    tenant: Tenant,
    path: MemoryPath,
    store: StoreOption = DEFAULT_STORE,
    off: Annotated[bool, typer.Option("--off", help="Unpin it: dreams may archive and merge it again.")] = False,
    if_version: Version = None,
    as_json: AsJson = False,
) -> None:
    """Pin a memory, so that no dream archives it or merges it into another one; or unpin it."""
    with open_session(tenant=tenant, store=store) as session:
        wanted = MemoryEdit(pinned=not off, actor=cli_actor())
        before, after = _change(session, tenant, store, path, wanted, if_version)
    _tell(before, after, as_json)


def redact(
    tenant: Tenant,
    path: MemoryPath,
    version: Annotated[int, typer.Argument(min=1, help="The version; `memory show PATH --history` lists them.")],
    store: StoreOption = DEFAULT_STORE,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Remove the text of an old version for good, from the history and from everything that dreams stored of it."""
    with open_session(tenant=tenant, store=store) as session:
        db = session.ports.db
        memory = get_memory(db, tenant, store, path, with_retired=True)
        confirm_deletion(f"The text of version {version} of {memory.path}", memory.path, yes=yes)
        done = redact_version(db, tenant, get_store(db, tenant, store).id, memory.id, version, actor=cli_actor())
    if as_json:
        print_json({"path": memory.path, "version": version, "redacted_at": done.redacted_at})
    else:
        say(f"Version {version} of {memory.path} is redacted.")


def _change(
    session: Session, tenant: str, store: str, path: str, wanted: MemoryEdit, if_version: int | None
) -> tuple[Memory, Memory]:
    """Apply an edit; return the memory before and after. Without a version, fail if the memory changed since it was read."""
    before = get_memory(session.ports.db, tenant, store, path)
    expected = Expected(version=before.version if if_version is None else if_version)
    wanted = replace(wanted, through=Through.COMMAND)
    after = edit_memory(session.ports.db, tenant, store, before.id, wanted, expected=expected, author=Author.USER)
    return before, after


def _read_day(day: str | None) -> date | Never | None:
    if day is None or day == "never":
        return None if day is None else "never"
    try:
        return date.fromisoformat(day)
    except ValueError:
        raise BadInputError(f"--expires takes a day such as 2026-10-12, or never, not {day!r}") from None


def _read(file: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return raw.decode()
    except (OSError, UnicodeDecodeError) as error:
        said = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise BadInputError(f"{file} cannot be read: {said}") from None


def _tell(before: Memory, after: Memory, as_json: bool, given: str = "") -> None:
    if as_json:
        print_json(after)
    elif before.version == after.version:
        say(f"{after.path} needs no change; it stays at version {after.version}.")
    else:
        pinned = ", pinned" if after.signals.pinned else ""
        say(
            f"{after.path} is at version {after.version} now{pinned}; it was at {before.version}{tell_masked(given, after.content)}."
        )
