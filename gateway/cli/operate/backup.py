"""`slowwave backup` and `slowwave restore`: write the whole database to a file, and restore it into an empty one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, cli_actor
from gateway.cli.console.output import print_json, say, warn
from gateway.version import VERSION
from shared.adapters.postgres.backup.manifest import Manifest
from shared.adapters.postgres.backup.restore import check_backup, restore_backup
from shared.adapters.postgres.backup.save import make_backup
from shared.bootstrap import local_servers
from shared.core.errors import BadInputError
from shared.settings import Settings, load_settings

_File = Annotated[Path, typer.Argument(help="The file of the backup.", metavar="FILE")]
_Tools = Annotated[
    Path | None,
    typer.Option("--tools", help="Folder of pg_dump and pg_restore. Default: PATH, then the usual places."),
]
_Check = Annotated[bool, typer.Option("--check", help="Only verify that the file is complete, and print its contents.")]


def backup(file: _File, tools: _Tools = None, as_json: AsJson = False) -> None:
    """Write a backup of the whole database to a file, with a manifest of its rows.

    The file appears when it is complete, and never replaces an existing file. The backup connects as the tables' owner,
    which need not be a superuser. It does not include Redis: the next sweeps find what is due in the database.
    """
    with _database() as settings:
        manifest = make_backup(_owner_url(settings), file, version=VERSION, tools=tools)
    if as_json:
        print_json({"file": str(file), "manifest": manifest})
        return
    say(f"Wrote {file}: {_summary(manifest)}.")
    say(
        "Keep it with SLOWWAVE_SECRETS_KEY, without which webhooks cannot be signed. Encrypt it: it contains all memories.",
        "dim",
    )


def restore(file: _File, check: _Check = False, tools: _Tools = None, as_json: AsJson = False) -> None:
    """Restore a backup into an empty database, all or nothing, and verify it against its manifest.

    A database with slowwave's fresh schema counts as empty. Missing roles are created. A backup contains no passwords: the
    server's operator must set the password of slowwave_app.
    """
    if check:
        _tell(file, check_backup(file), None, as_json, is_restored=False)
        return
    with _database() as settings:
        app_url = settings.database_url.get_secret_value() if settings.database_url else None
        done = restore_backup(_owner_url(settings), file, actor=cli_actor(), app_url=app_url, tools=tools)
    _tell(file, done.manifest, done.login, as_json, is_restored=True)


def _tell(file: Path, manifest: Manifest, login: str | None, as_json: bool, *, is_restored: bool) -> None:
    if as_json:
        print_json({"file": str(file), "restored": is_restored, "login": login, "manifest": manifest})
        return
    say(f"{'Restored' if is_restored else 'Whole:'} {file}: {_summary(manifest)}.")
    if not is_restored:
        return
    if login is not None:
        warn(f"The application cannot log in yet: {login}")
        warn("As the server's operator: ALTER ROLE slowwave_app LOGIN PASSWORD '…', as in SLOWWAVE_DATABASE_URL.")
    say("Now: slowwave migrate, start the processes, then slowwave reconcile --republish.", "dim")


def _summary(manifest: Manifest) -> str:
    shown = ("tenants", "stores", "memories", "dreams", "operations")
    named = ", ".join(f"{manifest.tables.get(name, 0):,} {name}" for name in shown)
    return f"made {manifest.made_at}, {manifest.rows:,} rows in {len(manifest.tables)} tables ({named})"


@contextmanager
def _database() -> Iterator[Settings]:
    """Yield settings with the owner's URL. If the database is embedded, its server is started."""
    settings = load_settings()
    if settings.owner_database_url is not None or settings.database_url is not None:
        yield settings
        return
    with local_servers(settings) as found:
        yield found


def _owner_url(settings: Settings) -> str:
    if settings.owner_database_url is None:
        raise BadInputError("Set SLOWWAVE_OWNER_DATABASE_URL to the URL of the role that owns the tables")
    return settings.owner_database_url.get_secret_value()
