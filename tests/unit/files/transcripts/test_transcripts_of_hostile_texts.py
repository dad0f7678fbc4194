"""No file makes reading a transcript, or masking one, grow faster than the file does itself."""

import json
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from shared.adapters.files.transcripts.formats import FORMATS, find_format
from shared.adapters.secrets.mask import SecretMask
from tests.support.growth import LARGEST_SIZE, PIECES, QUICK_SIZE, find_growth

#: How a hostile text stands in a file: as it is, as one value, as a name, as many lines.
_DRESSES: tuple[Callable[[str], str], ...] = (
    lambda text: text,
    lambda text: json.dumps({"type": "user", "role": "user", "content": text, "message": {"content": text}}),
    lambda text: json.dumps({"role": "user", text: {"content": [{"type": text, "text": text}]}}),
    lambda text: "\n".join(json.dumps({"role": "user", "content": part, "at": part}) for part in text.split("\n")),
)
_MASK = SecretMask()
#: What the mask looks for begins or holds one of these.
_KEYS = ("sk-ant-", "AKIA", "-----BEGIN PRIVATE KEY-----", "https://a:b", "://a:b@", "eyJ", "hf_a", "password=", "AIza")


def _read_all(text: str, dress: Callable[[str], str], folder: Path) -> None:
    """Read a file that holds the text as each format does."""
    for name in ("2026-03-01.md", "a.jsonl", "a.json"):
        path = folder / name
        path.write_text(dress(text), encoding="utf-8", errors="replace")
        find_format(path)
        for one in FORMATS:
            if one.recognizes(path, []) or name.startswith("a."):
                list(one.read(path, lambda _: None))


def _find_grown(dress: int, pieces: tuple[str, ...], enough: int) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        run = partial(_read_all, dress=_DRESSES[dress], folder=Path(folder))
        return [grown for piece in pieces if (grown := find_growth(run, piece, enough))]


@pytest.mark.parametrize("dress", range(len(_DRESSES)))
def test_reading_grows_as_the_file_does(dress: int) -> None:
    assert _find_grown(dress, PIECES[dress::24], QUICK_SIZE) == []


@pytest.mark.thorough
@pytest.mark.parametrize("dress", range(len(_DRESSES)))
def test_reading_grows_as_the_file_does_up_to_a_megabyte(dress: int) -> None:
    assert _find_grown(dress, PIECES[dress::8], LARGEST_SIZE) == []


@pytest.mark.parametrize("piece", _KEYS)
def test_masking_grows_as_the_text_does(piece: str) -> None:
    assert find_growth(_MASK, piece, QUICK_SIZE) == ""


@pytest.mark.thorough
def test_masking_grows_as_the_text_does_up_to_a_megabyte() -> None:
    tried = (*PIECES, *_KEYS, *(f"{key} " for key in _KEYS), *(f"{key}§\n" for key in _KEYS))
    assert [grown for piece in tried if (grown := find_growth(_MASK, piece, LARGEST_SIZE))] == []
