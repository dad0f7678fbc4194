"""The official SDK, unmodified, against a real server and a real worker: the script of docs/anthropic-dreams-api.md."""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.cli_support import Cli, a_cli
from tests.e2e.test_serve import is_ready
from tests.e2e.worker_support import ROOT, eventually

PAGE = (ROOT / "docs" / "anthropic-dreams-api.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"<!-- run: (\w+) -->\n```python\n(.*?)```", PAGE, re.DOTALL))
#: What must find its dream still pending runs before there is a worker, or after it is gone.
WITHOUT_WORKER, WITH_WORKER, AFTER = ("prepare", "cancel"), ("dream", "update", "redact", "errors"), ("busy",)


@contextmanager
def running(cli: Cli, log: Path, *arguments: str) -> Iterator[None]:
    """A command in the background, gone at the end."""
    with log.open("wb") as file:
        process = subprocess.Popen(
            cli.command(*arguments),
            cwd=ROOT,
            env=cli.environment(),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)


def test_every_block_of_the_page_is_run() -> None:
    assert tuple(BLOCKS) == (*WITHOUT_WORKER, *WITH_WORKER, *AFTER)
