"""Compile the tests once, as pytest does: `python -m tests.compile_tests`. Else each of its processes would, all at once.

In a fresh clone it also finds what Hypothesis wants to know: the constants of the product, and the classes of characters.

Neither has a public way to do so without running what stands in the files. What is used of their own is held by a test.
"""

import compileall
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatch
from importlib.util import source_hash
from pathlib import Path
from types import ModuleType

import pytest
from _pytest.assertion import AssertionState
from _pytest.assertion.rewrite import PYC_TAIL, _rewrite_test, _write_pyc, get_cache_dir

_FOLDER = Path(__file__).parent
_PRODUCT = ("gateway", "scheduler", "shared", "workers")
#: The files whose assertions pytest takes apart; the others are compiled like every module.
_REWRITTEN = ("test_*.py", "conftest.py")
_HASH = slice(8, 16)  # where a compiled file has the hash of its source: PEP 552
_PROCESSES = 2


def main() -> int:
    """Compile what has changed."""
    files = sorted(_FOLDER.rglob("*.py"))
    with ProcessPoolExecutor(_PROCESSES) as pool:
        list(pool.map(compile_all, _in_parts(files)))
        if not (_FOLDER.parent / ".hypothesis" / "constants").exists():
            product = [file for folder in _PRODUCT for file in sorted((_FOLDER.parent / folder).rglob("*.py"))]
            list(pool.map(find_constants, _in_parts(product)))
    return 0


def _in_parts(files: Sequence[Path]) -> list[Sequence[Path]]:
    return [files[part::_PROCESSES] for part in range(_PROCESSES)]


def find_constants(files: Sequence[Path]) -> None:
    """Make Hypothesis store the constants of these files, and its table of characters, where it looks for them."""
    from hypothesis.internal.charmap import charmap  # noqa: PLC0415 - only a fresh clone needs it
    from hypothesis.internal.constants_ast import constants_from_module  # noqa: PLC0415 - the same

    for file in files:
        module = ModuleType(file.stem)
        module.__file__ = str(file)
        constants_from_module(module)
    charmap()


def compile_all(files: Sequence[Path]) -> None:
    """Compile these files to where pytest and Python look for them."""
    config = pytest.Config.fromdictargs({}, ["--noconftest", "--disable-plugin-autoload"])
    state = AssertionState(config, "rewrite")
    for file in files:
        if any(fnmatch(file.name, pattern) for pattern in _REWRITTEN):
            target = compiled_name(file)
            target.parent.mkdir(exist_ok=True)
            if not target.exists() or target.read_bytes()[_HASH] != source_hash(file.read_bytes())[:8]:
                of_source, code = _rewrite_test(file, config)
                _write_pyc(state, code, of_source, target)
        else:
            compileall.compile_file(file, quiet=2)


def compiled_name(file: Path) -> Path:
    """Return where pytest looks for a compiled test."""
    return get_cache_dir(file) / (file.stem + PYC_TAIL)


if __name__ == "__main__":
    sys.exit(main())
