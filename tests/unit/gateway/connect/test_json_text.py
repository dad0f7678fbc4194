"""Additions to a JSON file leave every other byte as it is, and are taken away again without a trace."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.cli.connect.json_text import add_value, count_known, find_value, remove_value

_KEYS = st.sampled_from(["a", "b", "mcpServers", "hooks", 'with "quotes"', "ü"])
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(_KEYS, below, max_size=3),
    max_leaves=10,
)
_LAYOUTS: tuple[dict[str, object], ...] = (
    {"indent": 2},
    {"indent": 4},
    {"indent": "\t"},
    {},
    {"separators": (",", ":")},
)
SERVER = {"command": "slowwave", "args": ["mcp"], "env": {"SLOWWAVE_KEY": "swk_1"}}
PATH = ("mcpServers", "slowwave")


@given(whole=st.dictionaries(_KEYS, _VALUES, max_size=4), layout=st.sampled_from(_LAYOUTS))
def test_what_is_added_is_there_and_goes_again_without_a_trace(
    whole: dict[str, object], layout: dict[str, object]
) -> None:
    whole = {**whole, "mcpServers": {}} if not isinstance(whole.get("mcpServers", {}), dict) else whole
    before = json.dumps(whole, ensure_ascii=False, **layout)  # type: ignore[arg-type]
    known = count_known(before, PATH)
    after = add_value(before, PATH, SERVER, is_element=False)
    assert json.loads(after)["mcpServers"]["slowwave"] == SERVER
    assert {**json.loads(after), "mcpServers": None} == {**whole, "mcpServers": None}
    assert remove_value(after, PATH, SERVER, is_element=False, known=known) == before


@given(others=st.lists(_VALUES, max_size=3), layout=st.sampled_from(_LAYOUTS))
def test_an_element_of_a_list_goes_again_without_its_neighbours(
    others: list[object], layout: dict[str, object]
) -> None:
    before = json.dumps({"hooks": {"SessionEnd": others}}, ensure_ascii=False, **layout)  # type: ignore[arg-type]
    path, hook = ("hooks", "SessionEnd"), {"hooks": [{"type": "command"}]}
    after = add_value(before, path, hook, is_element=True)
    assert json.loads(after)["hooks"]["SessionEnd"] == [*others, hook]
    assert remove_value(after, path, hook, is_element=True, known=2) == before


def test_an_entry_is_laid_out_like_its_neighbours() -> None:
    before = '{\n    "theme": "dark",\n    "mcpServers": {\n        "other": {}\n    }\n}\n'
    after = add_value(before, PATH, {"command": "slowwave"}, is_element=False)
    assert after == before.replace(
        '"other": {}', '"other": {},\n        "slowwave": {\n            "command": "slowwave"\n        }'
    )


def test_comments_and_trailing_commas_stay() -> None:
    before = '{\n  // mine\n  "a": 1, /* and\n  this */\n}\n'
    after = add_value(before, PATH, SERVER, is_element=False)
    assert find_value(after, PATH) == SERVER
    assert remove_value(after, PATH, SERVER, is_element=False, known=0) == before


def test_what_the_tool_added_around_an_entry_stays_when_the_entry_goes() -> None:
    after = add_value("{}\n", PATH, SERVER, is_element=False)
    theirs = json.dumps({**json.loads(after), "seen": 1}, indent=2)
    assert json.loads(remove_value(theirs, PATH, SERVER, is_element=False, known=0)) == {"seen": 1}
    shared = add_value(theirs, ("mcpServers", "other"), {}, is_element=False)
    left = json.loads(remove_value(shared, PATH, SERVER, is_element=False, known=0))
    assert left == {"mcpServers": {"other": {}}, "seen": 1}


@pytest.mark.parametrize(
    "text", ["", "[]", "{a: 1}", "{'a': 1}", '{"a": 1', '{"a" 1}', '{"a": 1} x', '{"mcpServers": [1]}']
)
def test_what_is_not_understood_is_not_touched(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        add_value(text, PATH, SERVER, is_element=False)
