"""ARCHITECTURE.md is the map: every path that it names exists, and it fits on two screens."""

import re

from tests.architecture.sources import ROOT

MAP = ROOT / "ARCHITECTURE.md"
#: A path is quoted and has a slash or an ending; `<name>` stands for any name.
_PATH = re.compile(r"`([\w.-]+(?:/[\w.<>-]+)+/?|[\w-]+\.(?:py|md|toml))`")
_LINK = re.compile(r"\]\(([^)#]+)\)")
_FOLDERS = ("shared/", "gateway/", "scheduler/", "workers/", "deploy/", "docs/", "tests/", "benchmarks/")


def find_paths(text: str) -> set[str]:
    """The paths that a text names, without those that are given relative to another one."""
    quoted = {path for path in _PATH.findall(text) if path.startswith(_FOLDERS)}
    return quoted | set(_LINK.findall(text))


def find_missing(paths: set[str]) -> list[str]:
    """The paths that match no file or folder of the repository."""
    return sorted(path for path in paths if not any(ROOT.glob(re.sub(r"<\w+>", "*", path.rstrip("/")))))


def test_every_path_on_the_map_exists() -> None:
    paths = find_paths(MAP.read_text(encoding="utf-8"))
    assert len(paths) > 40
    assert find_missing(paths) == []


def test_the_map_fits_on_two_screens() -> None:
    assert MAP.read_text(encoding="utf-8").count("\n") <= 110


def test_a_path_that_does_not_exist_is_found() -> None:
    assert find_missing(
        find_paths("`workers/phases/<name>/` and `workers/dream/dawn.py` and [a page](docs/none.md)")
    ) == [
        "docs/none.md",
        "workers/dream/dawn.py",
    ]
