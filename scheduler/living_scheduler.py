"""Celery's scheduler, which touches a file with every tick: a beat that hangs is told from one that has nothing to do."""

from typing import Any

from celery.beat import PersistentScheduler

from shared.liveness import SignOfLife, place_of_signs
from shared.settings import load_settings


class LivingScheduler(PersistentScheduler):
    """Beat's scheduler."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Celery's own arguments
        settings = load_settings()
        self._sign = SignOfLife(place_of_signs(settings.data_dir, settings.probe_dir), "beat")
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:  # noqa: ANN401 - the same
        """Send what is due, give a sign of life, and return how long to wait."""
        seconds: float = super().tick(*args, **kwargs)
        self._sign.give()
        return seconds
