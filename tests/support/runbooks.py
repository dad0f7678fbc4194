"""Runbooks as data: their sections, the alerts they name, and the commands of their console blocks."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "deploy" / "runbooks"
SECTIONS = ("Symptom and alert", "Check", "Fix", "Verify", "Escalate")
PLACEHOLDERS = frozenset({"TENANT", "STORE", "DREAM", "OPERATION", "ENDPOINT", "PATH", "FOLDER", "BACKUP"})
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"  # exit (\d)(?: or (\d))?.*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One line of a console block: what is run, and how it may end."""

    line: str
    exits: frozenset[int]

    def filled(self, values: dict[str, str]) -> str:
        """The line with the reader's own words for those in capitals. Raises KeyError for one that is missing."""
        return re.sub(rf"\b({'|'.join(PLACEHOLDERS)})\b", lambda found: values[found[1]], self.line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runbook:
    """One page."""

    name: str
    title: str
    sections: dict[str, str]

    @property
    def alerts(self) -> list[str]:
        said = self.sections["Symptom and alert"].strip().splitlines()[0]
        return re.findall(r"`(\w+)`", said)

    def commands(self, section: str) -> list[Command]:
        return [
            _command(line)
            for block in _CONSOLE.findall(self.sections[section])
            for line in block.splitlines()
            if line.startswith("$ ")
        ]


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "README")


@cache
def read_runbook(name: str) -> Runbook:
    text = (FOLDER / f"{name}.md").read_text()
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    return Runbook(name=name, title=parts[0].strip().removeprefix("# "), sections=sections)


def _command(line: str) -> Command:
    found = _EXIT.search(line)
    exits = frozenset(int(code) for code in found.groups() if code) if found else frozenset({0})
    return Command(line=_EXIT.sub("", line.removeprefix("$ ")), exits=exits)
