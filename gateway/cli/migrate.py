"""`slowwave migrate`: bring a PostgreSQL of one's own to the newest schema."""

from gateway.cli.output import say
from shared.bootstrap import migrate_database as migrate_to_head
from shared.core.errors import BadInputError
from shared.settings import load_settings


def migrate_database() -> None:
    """Migrate the database of SLOWWAVE_OWNER_DATABASE_URL; embedded servers are migrated by themselves."""
    settings = load_settings()
    if settings.owner_database_url is None:
        if settings.database_url is None:
            say("The embedded PostgreSQL is migrated whenever it starts; there is nothing to do.")
            return
        raise BadInputError("Set SLOWWAVE_OWNER_DATABASE_URL to the role that owns the tables")
    migrate_to_head(settings.owner_database_url.get_secret_value())
    say("The database has the newest schema.")
