"""Messages of pydantic reach people without the name of a Python exception."""

import json
import re
from pathlib import Path

import pytest
from pydantic import BaseModel, field_validator

from gateway.cli.evaluate.families import read_families
from gateway.console.settings.changes import read_form
from shared.core.errors import BadInputError
from shared.core.inputs.wrong_values import say_wrong
from tests.architecture.sources import name_of, tracked

_READS_MESSAGES = re.compile(r"""\[["']msg["']\]""")


class Clock(BaseModel):
    time_zone: str

    @field_validator("time_zone")
    @classmethod
    def _check(cls, value: str) -> str:
        raise ValueError(f"there is no time zone {value}")


def test_the_name_of_a_python_exception_is_no_part_of_a_message() -> None:
    assert say_wrong("Value error, 'root' is not one of 'agent'") == "'root' is not one of 'agent'"
    assert say_wrong("Value error, a; Value error, b") == "a; b"


def test_a_form_of_the_console_names_the_field_and_what_is_wrong() -> None:
    with pytest.raises(BadInputError, match=r"^time zone: there is no time zone Mars$"):
        read_form(Clock, {"time_zone": "Mars"})


def test_a_file_of_families_is_refused_by_name_and_reason(tmp_path: Path) -> None:
    (tmp_path / "duplicates.json").write_text(json.dumps([{"family": "f", "documents": {"a.md": "one"}}]))
    with pytest.raises(BadInputError, match=r"^duplicates.json is not a list of families: Dictionary should have at"):
        read_families(tmp_path)


def test_one_module_reads_the_messages_of_pydantic() -> None:
    """The loader of language files stands below the core, and only developers see its errors."""
    sources = [
        path for path in tracked(".py") if name_of(path).startswith(("gateway/", "scheduler/", "shared/", "workers/"))
    ]
    reading = {name_of(path) for path in sources if _READS_MESSAGES.search(path.read_text("utf-8"))}
    assert reading == {"shared/core/inputs/wrong_values.py", "shared/languages/language_file.py"}
