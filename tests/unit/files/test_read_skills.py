"""Folders of skills: what becomes a skill, what its file, and what is refused with its reason."""

from pathlib import Path

import pytest

from shared.adapters.files.found import FoundFile, Refusal, RefusedFile
from shared.adapters.files.read_skills import read_skills
from shared.core.errors import BadInputError


def lay(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def test_a_folder_of_skills_is_read_with_the_files_beside_them(tmp_path: Path) -> None:
    files = {
        "mail/SKILL.md": b"---\nname: mail\n---\nSend.\n",
        "mail/scripts/send.py": b"print()\r\n",
        "mcp/cal/SKILL.md": b"x",
    }
    found = [one for one in read_skills(lay(tmp_path, files)) if isinstance(one, FoundFile)]
    assert {one.path: one.content.encode() for one in found} == {f"skills/{name}": data for name, data in files.items()}


def test_the_folder_of_one_skill_is_that_skill(tmp_path: Path) -> None:
    folder = lay(tmp_path / "mail", {"SKILL.md": b"x", "notes.txt": b"y"})
    found = list(read_skills(folder))
    assert [one.path for one in found] == ["skills/mail/SKILL.md", "skills/mail/notes.txt"]


def test_files_outside_skills_and_binary_files_are_refused_with_a_reason(tmp_path: Path) -> None:
    files = {"mail/SKILL.md": b"x", "mail/logo.png": b"\x89PNG\xff\x00", "README.md": b"z", "other/a.md": b"z"}
    refused = [one for one in read_skills(lay(tmp_path, files)) if isinstance(one, RefusedFile)]
    assert {(one.path, one.code) for one in refused} == {
        ("skills/mail/logo.png", Refusal.NOT_UTF8),
        ("README.md", Refusal.NOT_A_SKILL),
        ("other/a.md", Refusal.NOT_A_SKILL),
    }


def test_a_link_is_never_followed(tmp_path: Path) -> None:
    lay(tmp_path, {"secret.txt": b"s", "skills/mail/SKILL.md": b"x"})
    (tmp_path / "skills" / "mail" / "link.txt").symlink_to(tmp_path / "secret.txt")
    found = list(read_skills(tmp_path / "skills"))
    assert [one.path for one in found if isinstance(one, FoundFile)] == ["skills/mail/SKILL.md"]
    assert [one.code for one in found if isinstance(one, RefusedFile)] == [Refusal.SYMLINK_OUTSIDE]


def test_no_folder_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read"):
        list(read_skills(tmp_path / "nowhere"))
    with pytest.raises(BadInputError, match="is a file"):
        list(read_skills(lay(tmp_path, {"a": b""}) / "a"))
