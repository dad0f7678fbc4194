"""Paths of memories over `/v1`, with the official SDK: any ending, up to 1,024 bytes, and what dreams do with them."""

from collections.abc import Callable
from pathlib import Path

import anthropic
import pytest
from typer.testing import Result

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from tests.integration.api.api_support import a_client, a_token, an_app
from tests.support.builders import run_dream
from tests.support.sdk import an_sdk

LIMITS = "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n"
CONFIG = '{"calls_a_minute": 600, "note": "The API allows 600 calls a minute per key."}\n'
LONG = f"/{'x' * 1_023}"


@pytest.fixture
def sdk(ports: Ports, tenant: str) -> anthropic.Anthropic:
    return an_sdk(a_client(an_app(ports)), a_token(ports, tenant, rate_per_minute=10_000))


def test_a_path_ends_in_anything_and_has_up_to_1024_bytes(sdk: anthropic.Anthropic) -> None:
    memories = sdk.beta.memory_stores.memories
    store = sdk.beta.memory_stores.create(name="Notes").id
    made = {
        path: memories.create(store, path=path, content="x")
        for path in ("/notes", "/notes/today", "/prefs.txt", "/data/config.json", LONG)
    }
    assert all(memory.path == path for path, memory in made.items())
    assert memories.retrieve(made[LONG].id, memory_store_id=store).path == LONG
    assert [one.path for one in memories.list(store, depth=1)] == ["/data/", "/notes", "/notes/", "/prefs.txt", LONG]
    assert [one.path for one in memories.list(store, path_prefix="/notes/")] == ["/notes/today"]
    moved = memories.update(made["/notes"].id, memory_store_id=store, path="/notes.yaml")
    assert moved.path == "/notes.yaml"
    memories.delete(made["/prefs.txt"].id, memory_store_id=store)
    assert "/prefs.txt" not in [one.path for one in memories.list(store)]


@pytest.mark.parametrize(
    "path",
    [f"{LONG}x", f"/{'é' * 512}", "notes", "/", "/a//b", "/a/../b", "/a/", "/a\u202eb", "/cafe\u0301", "/half\ud800"],
)
def test_any_other_path_is_refused(path: str, sdk: anthropic.Anthropic) -> None:
    store = sdk.beta.memory_stores.create(name="Notes").id
    with pytest.raises((anthropic.BadRequestError, UnicodeEncodeError)):
        sdk.beta.memory_stores.memories.create(store, path=path, content="x")


def test_a_dream_merges_texts_without_an_ending_and_leaves_files_alone(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str
) -> None:
    stores = sdk.beta.memory_stores
    store = stores.create(name="Notes").id
    for path, content in {
        "/api/limits": LIMITS, "/api/throttle": LIMITS + "Burst is 50.\n",
        "/api/a.json": CONFIG, "/api/b.json": CONFIG,
    }.items():  # fmt: skip
        stores.memories.create(store, path=path, content=content)
    run_dream(ports, tenant, OfflineLlm(), store=name_of(ports, tenant, store))
    after = {one.path: one.to_dict()["content"] for one in stores.memories.list(store, view="full")}
    assert after["/api/a.json"] == after["/api/b.json"] == CONFIG
    assert len({"/api/limits", "/api/throttle"} & set(after)) == 1
    with ports.db.transaction(tenant) as uow:
        assert not any(memory.is_dirty for memory in uow.memories(store).find_live())  # none is looked at again


def test_an_export_writes_files_that_could_do_something_only_when_it_is_told_to(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str, tmp_path: Path, command_line: Callable[..., Result]
) -> None:
    store = sdk.beta.memory_stores.create(name="Notes").id
    for path in ("/a.md", "/.envrc", "/notes"):
        sdk.beta.memory_stores.memories.create(store, path=path, content="x\n")
    written = {}
    for option in ((), ("--any-ending",)):
        folder = tmp_path / f"out{len(option)}"
        named = ["--tenant", tenant, "--store", name_of(ports, tenant, store)]
        done = command_line("export", str(folder), *named, *option)
        written[option] = sorted(path.name for path in folder.iterdir() if path.name != ".slowwave")
        assert done.exit_code == (0 if option else 5), done.output  # what was left out is named
    assert written == {(): ["a.md"], ("--any-ending",): [".envrc", "a.md", "notes"]}


def name_of(ports: Ports, tenant: str, store_id: str) -> str:
    with ports.db.transaction(tenant) as uow:
        return uow.store_listing.get(store_id).name
