"""A name for each worker, so that several on one host are listed, counted and drained one by one.

Celery names every worker `celery@HOST` unless `-n` says otherwise; two with one name look like one.
"""

import os
import secrets
from typing import Any

from celery.utils.nodenames import default_nodename, nodesplit


def give_own_name(worker: Any) -> None:  # noqa: ANN401 - Celery's worker has no type
    """Rename a worker that was given no name. Call it before the worker sets itself up."""
    if worker.hostname == default_nodename(""):
        _, host = nodesplit(worker.hostname)
        # Containers on the host's network may share its name, and each has a process 1.
        worker.hostname = f"worker-{os.getpid()}-{secrets.token_hex(2)}@{host}"
