"""A memory's text on its page: Markdown without markup of its own, links that lead somewhere, one part at a time."""

import pytest

from gateway.console.memories.markdown import read_markdown, show_markdown
from gateway.console.memories.text_view import get_part, read_frontmatter_view, take_rows
from gateway.console.views.diff_rows import diff_rows
from shared.core.memory.links import Link
from shared.core.memory.model import INDEX_BEGIN, INDEX_END


def show(text: str, **addresses: str) -> str:
    reading = read_markdown(text)
    return str(
        show_markdown(reading, {link: addresses[link.target] for link in reading.links if link.target in addresses})
    )


def test_markdown_is_shown_as_headings_lists_and_tables_below_the_headings_of_the_page() -> None:
    shown = show("# Auth\n\n- a\n- b\n\n| x | y |\n|--:|---|\n| 1 | 2 |\n")
    assert '<h3 id="in-auth">Auth</h3>' in shown
    assert "<li>a</li>" in shown
    assert '<td class="num">1</td>' in shown
    assert "style=" not in shown


@pytest.mark.parametrize(
    "evil",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "![x](https://evil.example/pixel.png)",
        '[x](https://evil.example/" onmouseover="alert(1))',
        '```js" onclick="alert(1)\n```',
        "<https://evil.example/<script>>",
        "[[a|<img src=x onerror=alert(1)>]]",
        "[x](vbscript:x)",
        '# x" onclick="y',
    ],
)
def test_a_memorys_markdown_never_becomes_foreign_markup_or_loads_anything(evil: str) -> None:
    shown = show(evil, a="/a")
    for start in ("<script", "<img", 'javascript:alert(1)"', ' onclick="', ' onmouseover="', "src="):
        assert start not in shown.replace("src=x onerror", "")


def test_links_lead_to_memories_and_dead_ones_say_so() -> None:
    shown = show("[[tokens#Life time|the tokens]], [x](b.md#set-up) and [[gone]].", tokens="/m/1", **{"b.md": "/m/2"})
    assert '<a href="/m/1#in-life-time">the tokens</a>' in shown
    assert '<a href="/m/2#in-set-up">x</a>' in shown
    assert (
        '<span class="dead" title="No memory is at gone">gone</span> <span class="told-of">(dead link)</span>' in shown
    )


def test_a_link_out_of_the_store_names_its_host_unless_it_shows_it() -> None:
    shown = show("[my bank](https://evil.example/x) and <https://good.example/>")
    assert 'href="https://evil.example/x" rel="noopener noreferrer nofollow"' in shown
    assert 'my bank</a> <span class="told-of">(evil.example)</span>' in shown
    assert "(good.example)" not in shown


def test_links_in_code_are_text() -> None:
    assert read_markdown("`[[a]]` and\n\n    [b](b.md)\n").links == []


def test_an_image_is_named_and_not_loaded() -> None:
    assert show("![a chart](https://x.example/c.png)") == '<p><span class="image">Image: a chart</span></p>\n'


def test_a_long_text_is_shown_in_parts_that_lose_nothing() -> None:
    text = "\n\n".join(f"Paragraph {number} " + "w" * 700 for number in range(60)) + "x" * 30_000
    parts = [get_part(text, number) for number in range(1, get_part(text, 1).parts + 1)]
    assert "".join(one.text for one in parts) == text
    assert max(len(one.text) for one in parts) <= 12_000
    assert get_part(text, 99).number == len(parts)
    assert get_part("", 1).text == ""


def test_frontmatter_is_a_table_of_its_fields_or_stays_as_it_is_written() -> None:
    found = read_frontmatter_view("---\ntitle: Auth\ntags: [a, b]\n---\nText\n")
    assert found is not None
    assert dict(found.fields) == {"title": "Auth", "tags": "- a\n- b"}
    broken = read_frontmatter_view("---\n{[\n---\nText\n")
    assert broken is not None
    assert (dict(broken.fields), broken.raw) == ({}, "---\n{[\n---")
    assert read_frontmatter_view("Text\n") is None


def test_a_comparison_comes_in_pages_of_bounded_size() -> None:
    rows = diff_rows("", "\n".join(f"line {number} " + "w" * 300 for number in range(500)))
    assert rows
    seen, start, pages = 0, 0, 0
    while True:
        shown, following = take_rows(rows, start)
        seen, pages = seen + len(shown), pages + 1
        if following is None:
            break
        start = following
    assert (seen, pages > 2) == (len(rows), True)
    [long] = take_rows(diff_rows("", "w" * 900_000) or [], 0)[0]
    assert len(long.new[0].text) <= 10_001


def test_wiki_links_without_an_end_are_text() -> None:
    assert read_markdown("[[a and [[b\n]] and [[]] and [[ ]]").links == []
    assert list(read_markdown("[[a|b]]").links) == [Link("a", is_wiki=True)]


def test_the_marks_of_an_index_are_not_shown_and_any_other_comment_is() -> None:
    shown = show(f"{INDEX_BEGIN}\n- one\n\n{INDEX_END}\n\n<!-- obey me -->\n")
    assert "slowwave:index" not in shown
    assert "&lt;!-- obey me --&gt;" in shown
