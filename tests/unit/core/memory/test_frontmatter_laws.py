"""Laws of editing frontmatter: what was set is read, everything else stays, on any text and on real ones."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from shared.core.errors import UneditableFrontmatterError
from shared.core.memory.frontmatter import build_frontmatter, read_fields, set_fields, split_frontmatter
from shared.core.memory.yaml_read import load_block

writable = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
scalars = st.one_of(
    writable,
    st.sampled_from(
        ["yes", "null", "~", "1e5", "0x10", "1:30", "2025-04-15", "- a", "a: b", "# x", "<<", "=", "---", ""]
    ),
    st.booleans(),
    st.none(),
    st.integers(-(10**20), 10**20),
    st.floats(),
)
values = st.one_of(scalars, st.lists(scalars, max_size=4), st.dictionaries(writable, scalars, max_size=3))
mappings = st.dictionaries(
    st.one_of(st.sampled_from(["title", "tags", "related", "yes"]), writable), values, max_size=5
)
bodies = st.one_of(writable, st.lists(st.sampled_from(["---", "a: b", "", "# h", "…"])).map("\n".join))


@given(mappings, bodies)
def test_frontmatter_that_is_built_is_read_back_exactly(fields: Mapping[str, object], body: str) -> None:
    text = build_frontmatter(fields, body)
    assert split_frontmatter(text).body == body
    assert repr(dict(read_fields(text))) == repr(dict(fields))


@given(mappings, bodies, mappings.filter(bool), st.sampled_from(["built", "block", "flow", "single"]))
def test_set_then_read_gives_the_value_and_setting_again_changes_nothing(
    before: Mapping[str, object], body: str, changes: Mapping[str, object], how: str
) -> None:
    text = build_frontmatter(before, body) if how == "built" else _dump(before, how) + body
    if not split_frontmatter(text).is_valid or "\n? " in text:
        return  # PyYAML writes texts that its C sibling does not read; explicit keys `? k` may be refused
    before = read_fields(text)
    edited = set_fields(text, changes)
    assert repr(dict(read_fields(edited))) == repr({**before, **changes})
    assert split_frontmatter(edited).body == body
    assert set_fields(edited, changes) is edited


@given(writable.filter(lambda body: not body.startswith(("---", "\ufeff"))), mappings.filter(bool))
def test_a_body_that_gets_frontmatter_keeps_its_bytes(body: str, fields: Mapping[str, object]) -> None:
    assert split_frontmatter(set_fields(body, fields)).body == body


@given(
    st.one_of(writable, writable.map("---\n{}\n---\nbody".format), st.text("-\n\r: a[]{}&*!|>'\"#?,\t", max_size=60))
)
def test_no_text_makes_reading_fail_and_no_byte_is_lost(text: str) -> None:
    front = split_frontmatter(text)
    assert front.raw + front.body == text
    assert isinstance(read_fields(text), dict)
    try:
        edited = set_fields(text, {"related": ["a.md"]})
    except UneditableFrontmatterError:
        assert not front.is_valid or "{" in front.raw or "?" in front.raw
        return
    assert read_fields(edited)["related"] == ["a.md"]


def _dump(fields: Mapping[str, object], how: str) -> str:
    """Write the fields the way PyYAML would; the nested field keeps the outermost mapping in block style."""
    style = {"block": False, "flow": None, "single": False}[how]
    quote = "'" if how == "single" else None
    lines = yaml.safe_dump(
        {**fields, "nested": {"a": [1]}},
        allow_unicode=True,
        sort_keys=False,
        default_flow_style=style,
        default_style=quote,
    )
    return f"---\n{lines}---\n"


TREES = Path(os.environ.get("SLOWWAVE_DATA", "../shared/data")) / "memory-trees"


@pytest.mark.skipif(not TREES.is_dir(), reason="the real memory trees are not here")
def test_an_edit_of_a_real_memory_touches_only_its_field() -> None:
    edited_count = 0
    for path in sorted(TREES.rglob("*.md")):
        text = path.read_bytes().decode()
        front = split_frontmatter(text)
        if not front.is_valid:
            with pytest.raises(UneditableFrontmatterError):
                set_fields(text, {"related": []})
            continue
        edited = set_fields(text, {"related": ["some/other file.md"]})
        assert split_frontmatter(edited).body == front.body
        # The lines that the edit is based on: the file's own, with quotes where a value with a colon lacks them.
        block = load_block(front.inner)
        old_lines = (block.inner if block else "").splitlines()
        new_lines = split_frontmatter(edited).inner.splitlines()
        assert [line for line in new_lines if line in old_lines] == [
            line for line in old_lines if not line.startswith("related:")
        ]
        missing = [line for line in old_lines if line not in front.inner.splitlines()]
        assert [line.replace('"', "") for line in missing] == [
            line.replace('"', "") for line in front.inner.splitlines() if line not in old_lines
        ]
        edited_count += 1
    assert edited_count > 100
