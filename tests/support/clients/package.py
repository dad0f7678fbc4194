"""The Python client as its wheel has it, with the classes of this code's own document, beside the sources of the checkout."""

import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from deploy.clients import PYTHON, write_models

NAME = "slowwave_client"


def make_package(document: Mapping[str, Any], folder: Path) -> None:
    """Put the package into a folder, complete."""
    shutil.copytree(PYTHON / NAME, folder / NAME, ignore=shutil.ignore_patterns("models.py", "__pycache__"))
    write_models(document, folder / NAME / "models.py")


def find_example(name: str) -> str:
    """Return a block of the client's README that a test runs."""
    readme = (PYTHON / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- run: {name} -->\n```python\n(.*?)```", readme, re.DOTALL)
    assert found, name
    return found[1]


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Let the process import the package of a folder until the end of the block."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name == NAME or name.startswith(f"{NAME}.")]:
            del sys.modules[name]
