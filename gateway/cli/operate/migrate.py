"""`slowwave migrate`: bring a PostgreSQL of one's own to the newest schema."""

from gateway.cli.console.options import AsJson
from gateway.cli.console.output import print_json, say
from shared.bootstrap import migrate_database as migrate_to_head
from shared.core.errors import BadInputError
from shared.settings import load_settings


def migrate_database(as_json: AsJson = False) -> None:
    """Migrate the database of SLOWWAVE_OWNER_DATABASE_URL; embedded servers are migrated by themselves."""
    settings = load_settings()
    if settings.owner_database_url is None:
        if settings.database_url is None:
            _tell("The embedded PostgreSQL is migrated whenever it starts; there is nothing to do.", False, as_json)
            return
        raise BadInputError("Set SLOWWAVE_OWNER_DATABASE_URL to the role that owns the tables")
    seconds = settings.database_migration_seconds
    migrate_to_head(settings.owner_database_url.get_secret_value(), statement_seconds=seconds)
    _tell("The database has the newest schema.", True, as_json)


def _tell(text: str, is_migrated: bool, as_json: bool) -> None:
    print_json({"migrated": is_migrated, "message": text}) if as_json else say(text)
