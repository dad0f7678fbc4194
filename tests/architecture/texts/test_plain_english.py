"""Texts are plain English: they name who acts, and a docstring begins with what the thing is or does."""

import re

from tests.architecture.sources import name_of, tracked

#: Sentences with these hide who acts. Composed here, so that this file does not hold them.
_VAGUE = re.compile("|".join([*(f"{some}body" for some in ("no", "some", "every")), "who" + "ever"]), re.IGNORECASE)
#: A first sentence that begins so is a clause without a subject and a verb of its own.
_CLAUSE = re.compile(r'^\s*"""(?:What|Who|Whose|Which|Where|When|Whether|How|Why) .*', re.MULTILINE)
_SUFFIXES = (
    ".py",
    ".md",
    ".html",
    ".js",
    ".css",
    ".sh",
    ".toml",
    ".yaml",
    ".service",
    ".example",
    "Makefile",
    "Dockerfile",
)
#: What these hold is data: words that users say, and texts of an invented tenant.
DATA = (
    "gateway/demo_sessions/",
    "gateway/demo_tenant/",
    "shared/languages/",
)


def find_vague(text: str) -> list[str]:
    """The lines that hide who acts."""
    return [line.strip() for line in text.splitlines() if _VAGUE.search(line)]


def find_clauses(text: str) -> list[str]:
    """The docstrings that begin with a clause such as the title of a list, in place of a sentence or a noun."""
    return [line.strip() for line in _CLAUSE.findall(text)]


def test_texts_name_who_acts() -> None:
    vague = {
        name_of(path): lines
        for path in tracked()
        if name_of(path).endswith(_SUFFIXES) and not name_of(path).startswith(DATA)
        if (lines := find_vague(path.read_text(encoding="utf-8")))
    }
    assert vague == {}


def test_files_are_named_after_who_acts() -> None:
    assert [name_of(path) for path in tracked() if _VAGUE.search(name_of(path))] == []


def test_docstrings_begin_with_a_sentence_or_a_noun() -> None:
    clauses = {
        name_of(path): found for path in tracked(".py") if (found := find_clauses(path.read_text(encoding="utf-8")))
    }
    assert clauses == {}


def test_vague_lines_and_clauses_are_found() -> None:
    vague = "It waits until some" + "body answers.\nA reviewer answers.\nfor one in list_every" + "bodys():"
    assert len(find_vague(vague)) == 2
    quotes = '"' * 3
    assert find_clauses(f"{quotes}What an import came to, for people.{quotes}\n    {quotes}How a call ended.{quotes}")
    assert not find_clauses(f"{quotes}Count what an import did, for people.{quotes}")
