"""The addresses of the embedded servers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """The addresses that settings would otherwise carry; they hold a password, so they are not shown by `repr`.

    Attributes:
        owner_database_url: SQLAlchemy URL of the role `postgres`, which owns the schema and runs migrations.
        database_url: SQLAlchemy URL of the role `slowwave_app`, which row-level security binds.
        redis_url: URL of Valkey, password included.
    """

    owner_database_url: str
    database_url: str
    redis_url: str

    def __repr__(self) -> str:
        return f"Endpoints(database_url={self.database_url!r}, redis_url='redis://:***')"
