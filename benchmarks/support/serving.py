"""Run servers for a benchmark: those of slowwave on this machine, and `slowwave serve`."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from shared.all_ports import Ports
from shared.bootstrap import environment_of, local_servers, make_ports
from shared.settings import Settings

_ROOT = Path(__file__).parents[2]


class Served(NamedTuple):
    """A process of the API."""

    address: str
    process: psutil.Process


@contextmanager
def open_ports(folder: Path) -> Iterator[Ports]:
    """Yield the ports of servers of their own in a folder. They end with the context."""
    folder.chmod(0o755)  # PostgreSQL runs as another user when this runs as root
    with local_servers(Settings(data_dir=folder / "data")) as settings:
        ports = make_ports(settings)
        try:
            yield ports
        finally:
            ports.close()


@contextmanager
def serving(settings: Settings, folder: Path, workers: int = 1, **variables: str) -> Iterator[Served]:
    """Yield the API's process and its address; with more workers, the process that started them. It ends with the context."""
    log = folder / "serve.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "gateway.cli", "serve", "--port", "0", "--workers", str(workers)],
            cwd=_ROOT,
            env=os.environ | environment_of(settings) | variables,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + 60
        while (found := re.search(r"listens at (http://\S+)", log.read_text())) is None:
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(log.read_text())
            time.sleep(0.1)
        yield Served(found[1], psutil.Process(process.pid))
    finally:
        process.terminate()
        process.wait(timeout=60)
