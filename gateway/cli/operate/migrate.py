"""`slowwave migrate`: migrate your own PostgreSQL to the newest schema."""

from typing import Annotated

import typer

from gateway.cli.console.options import AsJson
from gateway.cli.console.output import print_json, say
from shared.bootstrap import migrate_database as migrate_to_head
from shared.bootstrap import require_schema
from shared.core.errors import BadInputError
from shared.settings import Settings, load_settings


def migrate_database(
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Change nothing; check whether the schema is that of this version or newer. Exit code 5 if it is older.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Migrate the database at SLOWWAVE_OWNER_DATABASE_URL. Embedded servers are migrated automatically."""
    settings = load_settings()
    if check:
        _check(settings, as_json)
        return
    if settings.owner_database_url is None:
        if settings.database_url is None:
            _tell("The embedded PostgreSQL is migrated whenever it starts; there is nothing to do.", False, as_json)
            return
        raise BadInputError("Set SLOWWAVE_OWNER_DATABASE_URL to the URL of the role that owns the tables")
    seconds = settings.database_migration_seconds
    migrate_to_head(settings.owner_database_url.get_secret_value(), statement_seconds=seconds)
    _tell("The database has the newest schema.", True, as_json)


def _check(settings: Settings, as_json: bool) -> None:
    url = settings.database_url or settings.owner_database_url
    if url is None:
        raise BadInputError("Set SLOWWAVE_DATABASE_URL; an embedded PostgreSQL is migrated whenever it starts")
    require_schema(url.get_secret_value())
    _tell("The database has the schema that this version needs.", True, as_json)


def _tell(text: str, is_migrated: bool, as_json: bool) -> None:
    print_json({"migrated": is_migrated, "message": text}) if as_json else say(text)
