"""The schema. It is written in SQL, in the folder `schema`, so that it can be read as a whole."""

from pathlib import Path

from alembic import op

from shared.adapters.postgres import revisions

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_SCHEMA = Path(__file__).parents[1] / "schema"
_TABLES = ("tenants", "memories", "dreams", "sessions", "webhooks")


def upgrade() -> None:
    """Run the files in the order in which they need each other: the policies call one of the functions."""
    _run("roles.sql")
    for name in _TABLES:
        _run(f"tables/{name}.sql")
    _run("indexes.sql")
    for file in sorted((_SCHEMA / "functions").glob("*.sql")):
        _run(f"functions/{file.name}")
    for name in ("triggers", "policies", "grants"):
        _run(f"{name}.sql")
    op.execute(f"COMMENT ON FUNCTION {revisions.BASELINE_FUNCTION}() IS '{revisions.fingerprint_baseline()}'")


def downgrade() -> None:
    """Drop everything but the roles, which other databases of the same server may use."""
    _run("drop.sql")


def _run(name: str) -> None:
    """Run a file of several statements as it is: without parameters, a percent sign means itself."""
    statements = (_SCHEMA / name).read_text("utf-8")
    op.get_bind().exec_driver_sql(statements, execution_options={"no_parameters": True})
