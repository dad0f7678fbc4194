"""The README's table "where your memory lives → how to connect it": every tool, format and page that a row names exists."""

import re

from gateway.cli.connect.tools import TOOLS
from shared.adapters.files.transcripts.formats import FORMATS
from tests.architecture.sources import ROOT
from tests.architecture.texts.test_documented_commands import find_commands, find_mistake

_README = (ROOT / "README.md").read_text(encoding="utf-8")
_CONNECT = (ROOT / "docs" / "connect.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def read_rows() -> dict[str, str]:
    """Return how each place is connected, by its name."""
    table = _README.split("| where your memory lives |")[1].split("\n\n")[0]
    return dict(_ROW.findall(table))


def test_every_row_shows_a_command_that_exists_or_a_page() -> None:
    for place, how in read_rows().items():
        commands = re.findall(r"`slowwave ([^`]+)`", how)
        pages = re.findall(r"\]\(([^)#]+)\)", how)
        assert commands or pages, place
        assert [(one, wrong) for one in commands if (wrong := find_mistake(one))] == []
        assert [page for page in pages if not (ROOT / page).is_file()] == []
    assert find_commands(ROOT / "README.md")


def test_the_tools_that_it_names_are_those_that_connect_knows() -> None:
    named = next(place for place, how in read_rows().items() if "connect TOOL" in how)
    assert named.split(", ") == [tool.title for tool in TOOLS]


def test_the_number_of_formats_is_that_of_the_readers_and_the_guide_has_a_row_for_each() -> None:
    told = re.search(r"(\d+) formats", " ".join(read_rows().values()))
    assert told
    assert int(told[1]) == len(FORMATS)
    rows = re.findall(r"^\| [^|]+ \| `([a-z-]+)` \| [^|]+ \|$", _CONNECT, re.MULTILINE)
    assert sorted(rows) == sorted(one.name for one in FORMATS)


def test_what_it_names_of_memories_elsewhere_stands_in_the_guide_with_its_command() -> None:
    elsewhere = next(place for place, how in read_rows().items() if how.startswith("`slowwave import DIR"))
    guide = _CONNECT.split("## Memories")[1].casefold()
    for name in re.split(r", | and ", elsewhere.casefold()):
        missing = [word for word in name.split() if word.rstrip("s") not in guide]
        assert missing == [], name
