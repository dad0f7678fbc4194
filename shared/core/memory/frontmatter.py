"""Frontmatter of memories: read it, change single fields in place, and write it for new files.

The texts belong to people and agents. An edit keeps field order, quoting, flow style, comments, line endings and the
body byte for byte; an unsafe edit is refused. Only the quotes that a value with a colon lacks are put in with an edit of a field.
"""

from collections.abc import Mapping

from shared.core.errors import BadInputError, UneditableFrontmatterError
from shared.core.memory.headline import summary_of, title_of
from shared.core.memory.yaml_edit import BlockEditor, emit_field, is_same
from shared.core.memory.yaml_read import BOM, MAX_BLOCK_CHARS, Frontmatter, load_block, read_fields, split_frontmatter

__all__ = [
    "Frontmatter",
    "build_frontmatter",
    "read_fields",
    "set_fields",
    "split_frontmatter",
    "summary_of",
    "title_of",
]


def build_frontmatter(fields: Mapping[str, object], body: str, newline: str = "\n") -> str:
    """Return a new text: these fields in this order, then the body as it is.

    Raises:
        BadInputError: if a value cannot stand in YAML or the block would be too long to be read again.
    """
    lines = ["---", *(line for name, value in fields.items() for line in emit_field(name, value)), "---"]
    block = "".join(line + newline for line in lines)
    if len(block) > MAX_BLOCK_CHARS:
        raise BadInputError(f"The frontmatter would have {len(block)} characters; the maximum is {MAX_BLOCK_CHARS}.")
    return block + body


def set_fields(text: str, fields: Mapping[str, object]) -> str:
    """Return the text with these fields set; a text that has them already is returned unchanged.

    Raises:
        UneditableFrontmatterError: if the frontmatter is invalid or cannot be edited safely.
        BadInputError: if a value cannot stand in YAML.
    """
    if not fields:
        return text
    front = split_frontmatter(text)
    if not front.raw and front.is_closed:
        bom = BOM if text.startswith(BOM) else ""
        return bom + build_frontmatter(fields, text.removeprefix(BOM), front.newline)
    block = load_block(front.inner) if front.raw else None
    if block is None or block.is_flow:
        raise UneditableFrontmatterError
    before = {name: field.value for name, field in block.fields.items()}
    changes = {name: value for name, value in fields.items() if name not in before or not is_same(before[name], value)}
    if not changes:
        return text
    for keeps_items in (True, False):
        editor = BlockEditor(inner=block.inner, block=block, newline=front.newline, keeps_items=keeps_items)
        inner = editor.rewrite(changes)
        edited = front.raw[: front.start] + inner + front.raw[front.end :] + front.body
        if _is_faithful(edited, front, {**before, **changes}):
            return edited
    raise UneditableFrontmatterError("The frontmatter is written in a form whose fields cannot be changed safely.")


def _is_faithful(edited: str, front: Frontmatter, expected: Mapping[str, object]) -> bool:
    """Read an edited text again: the same body, the wanted fields, the others untouched, in the same order."""
    again = split_frontmatter(edited)
    return again.body == front.body and is_same(read_fields(edited), expected)


MAX_CONTENT_CHARS = 1_000_000


def body_of(text: str) -> str:
    """Return a text without its frontmatter; frontmatter that a model returns is dropped."""
    parts = split_frontmatter(text)
    return parts.body if parts.is_valid else text


def opening_of(text: str, limit_chars: int) -> str:
    """Return the beginning of a text without its frontmatter, in one line; it ends in `...` when there is more."""
    opening = " ".join(body_of(text).split())
    return opening if len(opening) <= limit_chars else f"{opening[:limit_chars]}..."


def preview_of(text: str, limit_chars: int) -> str:
    """Return the beginning of a text for a reader: its title and body, without the rest of its frontmatter.

    Cutting the raw text could end within the frontmatter, whose fields would then read as statements.
    """
    body = body_of(text).strip()
    title = read_fields(text).get("title")
    if not isinstance(title, str) or not body or body.startswith("#"):
        return body[:limit_chars]
    return f"# {title}\n\n{body}"[:limit_chars]


def with_body(original: str, body: str) -> str:
    """Return the original's frontmatter, byte for byte, with another body; NUL characters are dropped.

    Raises:
        UneditableFrontmatterError: the frontmatter cannot be read, so it cannot be separated from the body.
    """
    parts = split_frontmatter(original)
    if parts.raw and not parts.is_valid:
        raise UneditableFrontmatterError
    return parts.raw + body.replace("\x00", "")


def items_of(value: object) -> list[str | int | float]:
    """Return a list field's items unchanged; a single value counts as a list of one."""
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, str | int | float) and item != ""]


def strings_of(value: object) -> list[str]:
    """Return the items of a list field as texts."""
    return [str(item) for item in items_of(value)]
