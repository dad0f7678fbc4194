"""Take the question of a prompt apart, so that a page can fold the documents in it."""

import json
import re
from dataclasses import dataclass

#: The first line of a question names the marker that frames its documents (`shared/core/questions/question.py`).
_MARKER = re.compile(r"===[0-9a-f]{4,64}===")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of a question: a framed document with its head, or what stands between documents, without one."""

    text: str
    title: str = ""
    facts: str = ""


def fold_documents(question: str) -> list[Piece]:
    """Return the pieces of a question in their order; one that names no marker is one piece."""
    lines = question.split("\n")
    found = _MARKER.search(lines[0])
    if found is None:
        return [Piece(text=question)] if question else []
    marker = found.group()
    pieces = [Piece(text=lines[0])]
    head: str | None = None
    body: list[str] = []
    for line in lines[1:]:
        if line.startswith(marker):
            pieces += _piece_of(head, body)
            head, body = line[len(marker) :].strip() or None, []
        else:
            body.append(line)
    return [*pieces, *_piece_of(head, body)]


def _piece_of(head: str | None, body: list[str]) -> list[Piece]:
    text = "\n".join(body).strip("\n")
    if head is None:
        return [Piece(text=text)] if text else []
    known = _read_head(head)
    if known is None or not text:
        return [Piece(text="\n".join(part for part in (head, text) if part))]
    rest = ", ".join(
        f"{value}" if name == "role" else f"{name}: {value}" for name, value in known.items() if name != "path"
    )
    return [Piece(text=text, title=str(known.get("path", "in part")), facts=rest)]


def _read_head(head: str) -> dict[str, object] | None:
    try:
        known = json.loads(head)
    except (ValueError, RecursionError):
        return None
    return known if isinstance(known, dict) else None
