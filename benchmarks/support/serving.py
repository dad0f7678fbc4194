"""Run `slowwave serve` for a benchmark."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shared.bootstrap import environment_of
from shared.settings import Settings

_ROOT = Path(__file__).parents[2]


@contextmanager
def serving(settings: Settings, folder: Path) -> Iterator[str]:
    """Yield the address of one process of the API, which ends with the context."""
    log = folder / "serve.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "gateway.cli", "serve", "--port", "0"],
            cwd=_ROOT,
            env=os.environ | environment_of(settings),
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + 60
        while (found := re.search(r"listens at (http://\S+)", log.read_text())) is None:
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(log.read_text())
            time.sleep(0.1)
        yield found[1]
    finally:
        process.terminate()
        process.wait(timeout=60)
