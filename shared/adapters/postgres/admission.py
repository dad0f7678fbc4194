"""How many dreams of all tenants run, and who is next: functions that the application role may only execute."""

from sqlalchemy import Engine, text

from shared.adapters.postgres.transactions import open_transaction
from shared.ports.database import StalledDream


class PostgresAdmission:
    """Implements `Admission`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def count_running(self) -> int:
        """Return how many dreams run and are awake."""
        with open_transaction(self._engine) as connection:
            return int(connection.execute(text("SELECT slowwave_count_running_dreams()")).scalar_one())

    def find_next(self, slots: int) -> list[StalledDream]:
        """Return the dreams that may begin or go on now, as many as are wanting for `slots` of them to run."""
        with open_transaction(self._engine) as connection:
            query = text("SELECT tenant_id, dream_id FROM slowwave_find_next_dreams(:slots)")
            return [
                StalledDream(tenant_id=row[0], dream_id=row[1]) for row in connection.execute(query, {"slots": slots})
            ]
