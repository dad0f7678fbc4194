"""Check that the migrations lead up, down and up again, to exactly the tables of the code."""

import sys
import tempfile
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from shared.adapters.embedded.servers import running_servers
from shared.adapters.postgres import migrate
from shared.core.errors import SlowwaveError


def main() -> int:
    """Migrate an embedded server in a temporary directory; print one line and return the exit code."""
    with tempfile.TemporaryDirectory(prefix="slowwave-") as directory:
        Path(directory).chmod(0o755)  # PostgreSQL runs as another user when this runs as root
        try:
            with running_servers(Path(directory) / "data", durable=False) as endpoints:
                check_migrations(endpoints.owner_database_url)
        except (SlowwaveError, SQLAlchemyError, migrate.MigrationError) as error:
            print(f"migrations: {error}")
            return 1
    print("migrations: up, down and up again; the database has the tables of the code")
    return 0


def check_migrations(owner_url: str) -> None:
    """Raise when a migration fails, or when the code and the migrated database differ."""
    migrate.upgrade(owner_url)
    migrate.check(owner_url)
    migrate.downgrade(owner_url, "base")
    migrate.upgrade(owner_url)
    migrate.check(owner_url)


if __name__ == "__main__":
    sys.exit(main())
