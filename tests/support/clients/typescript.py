"""The TypeScript client, compiled in a copy of its sources. Fetches nothing: the packages are those that `make clients` has put there."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.clients import TYPESCRIPT, build_typescript, read_document

_PACKAGES = TYPESCRIPT / "node_modules"
_OLDEST_NODE = 20


def has_node() -> bool:
    """Tell whether Node is new enough, and has the packages, so that nothing is to be fetched."""
    if not (shutil.which("npm") and shutil.which("node") and _PACKAGES.is_dir()):
        return False
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return int(version.removeprefix("v").partition(".")[0]) >= _OLDEST_NODE


needs_node = pytest.mark.skipif(not has_node(), reason="Node 20 or its packages are missing (make clients)")


def compile_client(folder: Path) -> None:
    """Put a copy of the sources into a folder, which does not exist yet, and compile it with the types of this code's document."""
    shutil.copytree(
        TYPESCRIPT, folder, ignore=shutil.ignore_patterns("node_modules", "dist", "schema.ts", "openapi.json")
    )
    (folder / "node_modules").symlink_to(_PACKAGES)
    build_typescript(read_document(), folder)


def run_script(folder: Path, script: str, **variables: str) -> str:
    """Run a script of package.json, which must succeed, and return what it says."""
    return run_program(folder, ["npm", "run", "--silent", script], **variables)


def run_program(folder: Path, command: list[str], given: str = "", **variables: str) -> str:
    """Run a program in a folder, which must succeed, and return what it says."""
    done = subprocess.run(
        command, cwd=folder, env=os.environ | variables, input=given, capture_output=True, text=True, timeout=150,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
