"""Show a memory's text as a page: Markdown without HTML, links to other memories, and no image that is loaded.

The texts are a tenant's and may be hostile. Everything is escaped by the renderer, tags in a text are text, and of its links
only those that lead to memories of the store, to the web or to a mail address can be followed.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup

from shared.core.memory.links import Link
from shared.core.memory.model import INDEX_BEGIN, INDEX_END, INDEX_LINE, MORE_LINE
from shared.core.splitting.links import anchor_of

_MARKS = frozenset({INDEX_BEGIN, INDEX_END})
_FOLLOWED = frozenset({"http", "https", "mailto"})
_LONGEST_WIKI = 300
#: Headings of a text stand below those of the page.
_DEEPER = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"}
_ALIGNED = {"text-align:right": "num", "text-align:center": "mid"}
#: Ids of a text begin so, in order that none is one of the page's own.
ANCHOR = "in-"


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that was read once: its parts, and the links to other memories in it."""

    tokens: Sequence[Token]
    links: Collection[Link]


def read_markdown(text: str) -> Reading:
    """Return a text's parts without an index's marks, and its links to memories; those to the web are not memories."""
    shown = text.replace(INDEX_LINE, MORE_LINE)
    tokens = _PARSER.parse("\n".join(line for line in shown.split("\n") if line not in _MARKS))
    found = {link for token in _all_of(tokens) if (link := _link_of(token)) and link.target}
    return Reading(tokens, [link for link in found if not link.leaves_the_store])


def show_markdown(reading: Reading, addresses: Mapping[Link, str]) -> Markup:
    """Return the page of a text; a link to a memory without an address is marked as dead."""
    _prepare(reading.tokens, addresses)
    return Markup(_PARSER.renderer.render(reading.tokens, _PARSER.options, {}))  # noqa: S704 - the renderer escapes all that is a text's own


def _all_of(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()


def _link_of(token: Token) -> Link | None:
    if token.type != "link_open":
        return None
    target = str(token.attrGet("href") or "").partition("#")[0]
    return Link(target, is_wiki=bool(token.meta.get("wiki")))


def _prepare(tokens: Sequence[Token], addresses: Mapping[Link, str]) -> None:
    seen: dict[str, int] = {}
    for place, token in enumerate(tokens):
        if token.type in {"heading_open", "heading_close"}:
            token.tag = _DEEPER[token.tag]
        if token.type == "heading_open":
            anchor = anchor_of(tokens[place + 1].content)
            number = seen.get(anchor, 0)
            seen[anchor] = number + 1
            token.attrSet("id", f"{ANCHOR}{anchor}-{number}" if number else f"{ANCHOR}{anchor}")
        if token.type in {"th_open", "td_open"}:
            style = str(token.attrs.pop("style", ""))
            if style in _ALIGNED:
                token.attrSet("class", _ALIGNED[style])
        if token.children:
            token.children = list(_lead(token.children, addresses))


def _lead(tokens: Sequence[Token], addresses: Mapping[Link, str]) -> Iterator[Token]:
    """Yield the parts of a line, links with their addresses; each followed by its note."""
    opened, label = None, ""
    for token in tokens:
        link = _link_of(token)
        if link is not None:
            opened, label = token, ""
            _set_address(token, link, addresses)
        label += token.content
        if token.type == "link_close" and opened is not None:
            token.tag = opened.tag
        yield token
        if token.type == "link_close" and opened is not None:
            told, opened = opened.meta.get("told", ""), None
            if told and told not in label:
                yield Token("link_told", "", 0, content=told)


def _set_address(token: Token, link: Link, addresses: Mapping[Link, str]) -> None:
    """Set the address of a link and a note: the host of an external link, or that the link is dead."""
    href = str(token.attrGet("href") or "")
    anchor = href.partition("#")[2]
    below = f"#{ANCHOR}{anchor_of(anchor) if link.is_wiki else anchor}" if anchor else ""
    host = _find_host(href) if link.leaves_the_store else ""
    address = below if anchor and not link.target else addresses.get(link, "")
    if host:
        token.attrs = {"href": href, "rel": "noopener noreferrer nofollow", "class": "outside"}
        token.meta["told"] = host
    elif address:
        token.attrs = {"href": address if address == below else address + below}
    else:
        token.tag = "span"
        token.attrs = {"class": "dead", "title": f"No memory is at {link.target}"}
        token.meta["told"] = "dead link"


def _find_host(address: str) -> str:
    """Return the host of a web address, or the address of a mail; empty for what cannot be followed."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return (parts.hostname or parts.path) if parts.scheme.lower() in _FOLLOWED else ""


def _read_wiki(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's own form of a rule
    """Read `[[notes#Heading|what it is called]]`."""
    if not state.src.startswith("[[", state.pos):
        return False
    end = state.src.find("]]", state.pos + 2, min(state.posMax, state.pos + _LONGEST_WIKI))
    inside = state.src[state.pos + 2 : end] if end > 0 else ""
    target, _, label = inside.partition("|")
    if not target.strip() or any(sign in inside for sign in "[]\n"):
        return False
    if not silent:
        token = state.push("link_open", "a", 1)
        token.attrs, token.meta = {"href": target.strip()}, {"wiki": True}
        state.push("text", "", 0).content = label.strip() or target.strip()
        state.push("link_close", "a", -1)
    state.pos = end + 2
    return True


def _show_image(_: RendererHTML, tokens: Sequence[Token], place: int, *__: Any) -> str:  # noqa: ANN401 - the renderer's own form
    token = tokens[place]
    return f'<span class="image">Image: {escape(token.content or str(token.attrGet("src")))}</span>'


def _show_told(_: RendererHTML, tokens: Sequence[Token], place: int, *__: Any) -> str:  # noqa: ANN401 - the renderer's own form
    return f' <span class="told-of">({escape(tokens[place].content)})</span>'


_TASKS = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}


def _mark_tasks(state: StateCore) -> None:
    """Show the boxes of a list of tasks."""
    for item, _, inline in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        first = inline.children[0] if item.type == "list_item_open" and inline.children else None
        if first is not None and first.content[:4] in _TASKS:
            first.content = _TASKS[first.content[:4]] + first.content[4:]


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.inline.ruler.before("link", "wiki", _read_wiki)
    parser.core.ruler.push("tasks", _mark_tasks)
    parser.add_render_rule("image", _show_image)
    parser.add_render_rule("link_told", _show_told)
    return parser


_PARSER = _make_parser()
