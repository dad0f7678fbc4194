"""Extend Celery's scheduler with a liveness file, so that a probe can tell a hanging beat from an idle one, and a look at the schema."""

from typing import Any

from celery.beat import PersistentScheduler

from shared.liveness import LivenessFile, liveness_folder
from shared.process_ports import SchemaWatch
from shared.settings import load_settings


class LivenessScheduler(PersistentScheduler):
    """Beat's scheduler, which touches a liveness file at every tick, and tells when the schema has moved on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Celery's own arguments
        settings = load_settings()
        self._watch = SchemaWatch(settings)
        self._liveness = LivenessFile(liveness_folder(settings.data_dir, settings.probe_dir), "beat")
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:  # noqa: ANN401 - the same
        """Send due tasks, touch the liveness file, look at the schema, and return the seconds to wait."""
        seconds: float = super().tick(*args, **kwargs)
        self._liveness.touch()
        self._watch.look()
        return seconds
