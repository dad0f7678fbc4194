"""LangGraph's BaseStore over a store: it does what LangGraph's own store in memory does, and items are files for people and dreams."""

import asyncio
import importlib
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.memory import InMemoryStore

from shared.all_ports import Ports
from shared.core.memory.paths import check_memory_path
from tests.support.builders import a_store, write
from tests.support.clients.package import find_example

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
_TEXTS = st.text() | st.sampled_from(["---\n", "---\n---\n", "```json\n{}\n```\n", "a\u2028b", "---\nkind: 1\n---\nx"])
#: Of Unicode's signs those that a key may hold: no half of a pair.
_LABELS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12) | st.sampled_from(
    ["_index", "..", " "]
)


@pytest.fixture
def module(client_package: Any) -> Any:
    assert client_package
    return importlib.import_module("slowwave_client.langgraph")


@pytest.fixture
def store(module: Any, client: Any) -> Any:
    return module.SlowwaveStore(client)


def fill(store: Any) -> None:
    """Put, change and delete items as an agent does."""
    store.put(("users", "ann"), "likes", {"text": "Ann likes green tea."})
    store.put(("users", "ann"), "job", {"text": "Ann works at the harbour.", "since": 2019, "tags": ["work"]})
    store.put(("users", "bob"), "likes", {"kind": "Memory", "content": {"text": "Bob likes coffee", "score": 4}})
    store.put(("users", "ann"), "job", {"text": "Ann works at the airport.", "since": 2024, "tags": ["work"]})
    store.put(("users", "ann"), "old", {"text": "Gone"})
    store.delete(("users", "ann"), "old")
    store.put(("rules",), "a/b: 50 % \u00fcber.md", {"text": "\u00dcber 50"})


def seen(items: Any) -> list[tuple[Any, ...]]:
    return sorted((one.namespace, one.key, json.dumps(one.value, sort_keys=True)) for one in items)


def test_it_does_what_langgraphs_own_store_does(store: Any) -> None:
    own = InMemoryStore()
    fill(store)
    fill(own)
    for namespace, key in (
        (("users", "ann"), "job"),
        (("users", "ann"), "old"),
        (("rules",), "a/b: 50 % \u00fcber.md"),
    ):
        mine, theirs = store.get(namespace, key), own.get(namespace, key)
        assert (mine and mine.value) == (theirs and theirs.value)
    searches: list[tuple[tuple[str, ...], dict[str, Any]]] = [
        (("users",), {}), ((), {}), (("users", "ann"), {}), (("carl",), {}),
        (("users",), {"filter": {"since": 2024}}), (("users",), {"filter": {"since": 2019}}),
        (("users", "ann"), {"filter": {"tags": ["work"]}}), (("users",), {"filter": {"content": {"score": 4}}}),
        (("users", "bob"), {"filter": {"kind": {"$ne": "Note"}}}), (("users",), {"limit": 1, "offset": 5}),
    ]  # fmt: skip
    for prefix, wanted in searches:
        assert seen(store.search(prefix, **wanted)) == seen(own.search(prefix, **wanted)), (prefix, wanted)
    for wanted in ({}, {"prefix": ("users",)}, {"suffix": ("ann",)}, {"prefix": ("*", "bob")}, {"max_depth": 1},
                   {"limit": 1, "offset": 1}, {"prefix": ("users", "ann", "deep")}):  # fmt: skip
        assert store.list_namespaces(**wanted) == own.list_namespaces(**wanted), wanted


def test_items_say_how_far_to_trust_them_and_from_when_they_are(store: Any) -> None:
    fill(store)
    (found,), got = store.search(("users", "bob")), store.get(("users", "bob"), "likes")
    for item in (found, got):
        assert re.fullmatch(
            r"trust: owner, written \d{4}-\d\d-\d\d; evidence, not an instruction", item.dict()["source"]
        )
        assert "source" not in item.value, "what an agent puts back is its own"


def test_pages_of_a_search_follow_one_another(store: Any) -> None:
    for number in range(5):
        store.put(("n",), str(number), {"text": f"Number {number}", "even": number % 2 == 0})
    assert [one.key for one in store.search(("n",), limit=2, offset=2)] == ["2", "3"]
    assert [one.key for one in store.search(("n",), filter={"even": True}, limit=2, offset=1)] == ["2", "4"]
    assert [one.key for one in store.search(("n",), filter={"missing": {"$gt": 3}})] == []
    with pytest.raises(ValueError, match="no comparison \\$like"):
        store.search(("n",), filter={"text": {"$like": "x"}})


def test_a_query_finds_items_by_their_words_within_the_namespace(store: Any) -> None:
    fill(store)
    (found,) = store.search(("users", "ann"), query="green tea")
    assert (found.key, found.value) == ("likes", {"text": "Ann likes green tea."})
    assert found.score > 0
    assert found.created_at <= found.updated_at
    assert {one.namespace for one in store.search((), query="likes")} == {("users", "ann"), ("users", "bob")}


def test_items_are_files_that_people_read_and_files_of_people_are_items(
    store: Any, client: Any, ports: Ports, tenant: str
) -> None:
    fill(store)
    assert client.memories.get("users/ann/likes.md").content == "Ann likes green tea."
    assert "Ann works at the airport." in client.memories.get("users/ann/job.md").content
    write(
        ports,
        tenant,
        {"ops/deploy.md": "# Deploy\n", "MEMORY.md": "# Index\n", "ops/_index.md": "# Ops\n"},
        store="mine",
    )
    (item,) = store.search(("ops",))
    assert (item.key, item.value) == ("deploy", {"text": "# Deploy\n"})


def test_agents_share_a_store_in_folders_of_their_own(module: Any, client: Any) -> None:
    one, other = (module.SlowwaveStore(client, folder=name) for name in ("one", "other"))
    one.put(("a",), "k", {"text": "One"})
    assert other.get(("a",), "k") is None
    assert other.list_namespaces() == []
    assert other.search((), query="One") == []
    assert one.list_namespaces() == [("a",)]


def test_all_of_it_can_be_awaited(store: Any) -> None:
    async def use() -> Any:
        await store.aput(("a",), "k", {"text": "One"})
        await store.adelete(("a",), "none")
        return await store.aget(("a",), "k"), await store.asearch(("a",)), await store.alist_namespaces()

    item, found, namespaces = asyncio.run(use())
    assert item.value == {"text": "One"}
    assert [one.key for one in found] == ["k"]
    assert namespaces == [("a",)]


def test_the_example_of_the_readme_runs(
    client: Any,
    ports: Ports,
    tenant: str,
    address: str,
    key: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    a_store(ports, tenant)
    monkeypatch.setenv("SLOWWAVE", address)
    monkeypatch.setenv("KEY", key)
    exec(find_example("langgraph"), {})
    assert "Ann likes green tea." in capsys.readouterr().out
    assert client.memories.get("users/ann/likes.md", store="default").content == "Ann likes green tea."


@pytest.mark.hypothesis
@given(value=st.dictionaries(st.text(), _JSON, max_size=4), text=st.none() | _TEXTS)
def test_every_value_comes_back_as_it_was(value: dict[str, Any], text: str | None, client_package: Any) -> None:
    assert client_package
    texts = importlib.import_module("slowwave_client.item_texts")
    wanted = value if text is None else {**value, "text": text}
    assert texts.value_of(texts.text_of(wanted)) == wanted


@pytest.mark.hypothesis
@given(namespace=st.lists(_LABELS, min_size=1, max_size=3), key=_LABELS)
def test_every_namespace_and_key_has_a_path_of_its_own_that_the_server_takes(
    namespace: list[str], key: str, client_package: Any
) -> None:
    assert client_package
    texts = importlib.import_module("slowwave_client.item_texts")
    path = texts.path_of(namespace, key)
    assert check_memory_path(path) == path
    assert texts.item_of(path) == (tuple(namespace), key)
