"""No address of a package registry and no path of a machine is in the repository."""

import re

from tests.architecture.sources import name_of, tracked

#: Put together, so that this file does not hold what it looks for.
_HOSTS = ["pypi" + r"\.org", "files" + r"\.pythonhosted", "artifact" + "ory", "nex" + r"us\.", "dev" + "pi"]
_OPTIONS = [
    r"--(?:extra-)?" + r"index-url[ =]",
    r"--find-" + r"links[ =]",
    r"PIP_INDEX" + "_URL",
    r"UV_DEFAULT" + "_INDEX",
]
_PLACES = [r"(?<![\w.~-])/" + place for place in (r"home/\w", r"Users/\w", r"root/\w", r"work/\w")]
_TEXTS = (
    ".py",
    ".md",
    ".toml",
    ".lock",
    ".txt",
    ".yaml",
    ".yml",
    ".ini",
    ".cfg",
    ".json",
    ".mako",
    ".sh",
    "Makefile",
    "Dockerfile",
)


def found(patterns: list[str]) -> list[str]:
    wanted = re.compile("|".join(patterns))
    return [
        f"{name_of(path)}:{number}: {line.strip()[:120]}"
        for path in tracked()
        if path.name.endswith(_TEXTS)
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if wanted.search(line)
    ]


def test_no_registry_is_named() -> None:
    assert found(_HOSTS + _OPTIONS) == []


def test_no_path_of_a_machine_is_named() -> None:
    assert found(_PLACES) == []


def test_the_search_would_find_them() -> None:
    assert re.search("|".join(_HOSTS), "https://" + "pypi" + ".org/simple")
    assert re.search("|".join(_PLACES), '"/' + 'home/ann/x"')
    assert not re.search("|".join(_PLACES), "https://example.org/home" + "/ann")
