"""Call what splits a memory, each with one hostile text: as headings, as topics, as links and as the text between them."""

from collections.abc import Callable, Mapping, Sequence

from shared.core.memory.part_of import find_common_whole, find_whole
from shared.core.policy.policy import SplitPolicy
from shared.core.splitting.cut import find_cut, is_list_of_parts
from shared.core.splitting.kept_lines import find_changed_text, find_lost_by_split
from shared.core.splitting.links import Places, anchor_of, find_places, lead_to_parts, list_anchors
from shared.core.splitting.outline import find_headings, find_plain_lines, find_topics
from shared.core.splitting.parts import name_of, write_split
from shared.core.splitting.plain_lines import count_plain, is_definition, read_plain
from tests.unit.core.growth.dressed import Entry, in_block, like

_POLICY = SplitPolicy(max_chars=20, max_topics=1, min_chars=10, min_part_chars=1)
_PLACES = Places(hub="a.md", files=frozenset({"a.md", "a-b.md"}), anchors={"b": ("a-b.md", "b")})


def _split(text: str) -> object:
    found = find_cut(text, _POLICY)
    return found and write_split("a.md", found, {0: text[:100]}, {"a.md"})


def _as_headings(text: str) -> str:
    return "\n".join(f"# {line}" for line in text.splitlines())


def _as_topics(text: str) -> str:
    return f"# A\n\n## {text[:1_000]}\n\n{text}\n\n## B\n\n[{text[:50]}]: x\n{text}\n"


def _find_places(text: str) -> object:
    return find_places("a.md", text, ["a.md"] * len(text.split("\n")))


ENTRIES: Mapping[Callable[..., object], Sequence[Entry]] = {
    find_whole: [lambda text: find_whole("a-b.md", in_block(f"part_of: {text}"))],
    find_common_whole: [lambda text: find_common_whole("a-b.md", in_block(f"part_of: {text}"), "a-c.md", text)],
    find_cut: [_split, lambda text: _split(_as_topics(text)), lambda text: _split(_as_headings(text))],
    write_split: [lambda text: _split(_as_topics(text))],
    is_list_of_parts: [lambda text: is_list_of_parts(["# Parts", text, f"- [{text}]({text})"])],
    find_headings: [lambda text: find_headings(text.split("\n")), lambda text: find_headings([f"# {text}"])],
    find_plain_lines: [lambda text: find_plain_lines(text.split("\n"))],
    find_topics: [lambda text: find_topics(text.split("\n")), lambda text: find_topics(_as_headings(text).split("\n"))],
    list_anchors: [lambda text: list_anchors(find_headings(_as_headings(text).split("\n")))],
    anchor_of: [anchor_of],
    find_places: [_find_places, lambda text: _find_places(_as_headings(text))],
    lead_to_parts: [
        lambda text: lead_to_parts("a-b.md", text, _PLACES),
        lambda text: lead_to_parts("a-b.md", f"[x](#b) {text} [x](a.md#b)", _PLACES),
    ],
    name_of: [lambda text: [name_of(one) for one in getattr(find_cut(_as_topics(text), _POLICY), "pieces", ())]],
    read_plain: [read_plain, lambda text: read_plain(f"# {text}")],
    count_plain: [count_plain],
    is_definition: [is_definition, lambda text: is_definition(f"[{text}]: x")],
    find_lost_by_split: [lambda text: find_lost_by_split(text, like(text), {"a-b.md": in_block(text), "a-c.md": text})],
    find_changed_text: [lambda text: find_changed_text(text, like(text))],
}
