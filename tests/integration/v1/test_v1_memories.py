"""Stores and memories over `/v1` do what Anthropic publishes: the rows of docs/conformance.md, with the official SDK."""

import hashlib
from typing import Any

import anthropic
import pytest

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.api.api_support import a_client, a_token, an_app
from tests.support.sdk import an_sdk


@pytest.fixture
def sdk(ports: Ports, tenant: str) -> anthropic.Anthropic:
    return an_sdk(a_client(an_app(ports)), a_token(ports, tenant, rate_per_minute=10_000))


@pytest.fixture
def store(sdk: anthropic.Anthropic) -> str:
    return sdk.beta.memory_stores.create(name="Vault").id


def test_a_store_is_described_and_its_labels_are_changed_one_by_one(sdk: anthropic.Anthropic) -> None:
    stores = sdk.beta.memory_stores
    made = stores.create(name="Vault", description="Notes", metadata={"team": "a", "env": "b"})
    changed = stores.update(made.id, metadata={"team": None, "user": "c"}, description="More")
    assert (changed.name, changed.description, changed.metadata) == ("Vault", "More", {"env": "b", "user": "c"})
    assert stores.create(name="Vault").id != made.id  # names need not be unique
    for wrong in (
        {"name": ""},
        {"name": "x", "description": "x" * 1_025},
        {"name": "x", "metadata": {str(number): "" for number in range(17)}},
        {"name": "x", "metadata": {"k" * 65: ""}},
        {"name": "x", "metadata": {"k": "v" * 513}},
    ):
        with pytest.raises(anthropic.BadRequestError):
            stores.create(**wrong)


def test_an_archived_store_takes_no_writes_and_its_memories_are_read_deleted_and_redacted(
    sdk: anthropic.Anthropic, store: str
) -> None:
    stores = sdk.beta.memory_stores
    first = stores.memories.create(store, path="/a.md", content="one")
    stores.memories.update(first.id, memory_store_id=store, content="two")
    assert stores.archive(store).archived_at is not None
    resource: Any = {"type": "memory_store", "memory_store_id": store}
    for refused, given in (
        (stores.update, {"memory_store_id": store, "name": "x"}),
        (stores.memories.create, {"memory_store_id": store, "path": "/b.md", "content": ""}),
        (stores.memories.update, {"memory_id": first.id, "memory_store_id": store, "content": ""}),
        (sdk.beta.sessions.create, {"agent": "a", "environment_id": "e", "resources": [resource]}),
    ):
        with pytest.raises(anthropic.BadRequestError):
            refused(**given)
    assert stores.memories.retrieve(first.id, memory_store_id=store).content == "two"
    assert stores.memory_versions.redact(first.memory_version_id, memory_store_id=store).content is None
    stores.memories.delete(first.id, memory_store_id=store)
    assert store not in [one.id for one in stores.list()]
    assert store in [one.id for one in stores.list(include_archived=True)]


def test_a_memory_keeps_its_id_when_it_is_renamed_and_says_its_size_and_hash(
    sdk: anthropic.Anthropic, store: str
) -> None:
    memories, text = sdk.beta.memory_stores.memories, "# Café\r\n"
    made = memories.create(store, path="/a.md", content=text)
    assert made.content is None  # `view` is basic where a memory is written
    assert made.content_sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert made.content_size_bytes == len(text.encode())
    renamed = memories.update(made.id, memory_store_id=store, path="/A.md", view="full")
    assert (renamed.id, renamed.path, renamed.content) == (made.id, "/A.md", text)
    assert renamed.memory_version_id != made.memory_version_id
    memories.create(store, path="/a.md", content="")  # paths are case-sensitive, and this one is free again
    with pytest.raises(anthropic.ConflictError):
        memories.update(made.id, memory_store_id=store, path="/a.md")


def test_a_memory_has_at_most_102400_bytes(sdk: anthropic.Anthropic, store: str) -> None:
    memories = sdk.beta.memory_stores.memories
    assert memories.create(store, path="/full.md", content="é" * 51_200).content_size_bytes == 102_400
    for path, content in (("/a.md", "x" * 102_401), ("/b.md", "é" * 51_201)):
        with pytest.raises(anthropic.BadRequestError):
            memories.create(store, path=path, content=content)


def test_a_change_or_deletion_with_another_hash_is_a_conflict_and_changes_nothing(
    sdk: anthropic.Anthropic, store: str
) -> None:
    memories = sdk.beta.memory_stores.memories
    made = memories.create(store, path="/a.md", content="one")
    other = "0" * 64
    with pytest.raises(anthropic.ConflictError) as refused:
        memories.update(
            made.id,
            memory_store_id=store,
            path="/b.md",
            precondition={"type": "content_sha256", "content_sha256": other},
        )
    assert refused.value.type == "memory_precondition_failed_error"
    with pytest.raises(anthropic.ConflictError):
        memories.delete(made.id, memory_store_id=store, expected_content_sha256=other)
    assert memories.retrieve(made.id, memory_store_id=store).path == "/a.md"
    assert memories.delete(made.id, memory_store_id=store, expected_content_sha256=made.content_sha256).id == made.id


def test_a_list_of_whole_memories_has_at_most_20_on_a_page(sdk: anthropic.Anthropic, store: str) -> None:
    memories = sdk.beta.memory_stores.memories
    for number in range(21):
        memories.create(store, path=f"/{number:02}.md", content=str(number))
    page = memories.list(store, view="full", limit=100)
    assert [one.to_dict()["content"] for one in page.data] == [str(number) for number in range(20)]
    assert page.next_page is not None
    assert len(memories.list(store, limit=100).data) == 21


def test_every_change_is_a_version_with_its_author_and_versions_stay_after_the_memory(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str, store: str
) -> None:
    memories, versions = sdk.beta.memory_stores.memories, sdk.beta.memory_stores.memory_versions
    made = memories.create(store, path="/a.md", content="one")
    agent = an_sdk(a_client(an_app(ports)), a_token(ports, tenant, Role.AGENT, rate_per_minute=10_000))
    agent.beta.memory_stores.memories.update(made.id, memory_store_id=store, content="two")
    memories.delete(made.id, memory_store_id=store)
    found = list(versions.list(store, memory_id=made.id, view="full"))
    assert [(one.operation, one.content) for one in found] == [
        ("deleted", None), ("modified", "two"), ("created", "one"),
    ]  # fmt: skip
    assert [one.path for one in found] == ["/a.md"] * 3
    authors = [one.created_by.to_dict()["api_key_id"] for one in found if one.created_by]
    assert authors[0] == authors[2] != authors[1]
    mine = versions.list(store, api_key_id=str(authors[1]))
    assert [one.id for one in mine] == [found[1].id]
    assert [one.id for one in versions.list(store, operation="created")] == [made.memory_version_id]
    assert [one.id for one in versions.list(store, created_at_gte=found[1].created_at)] == [found[0].id, found[1].id]


def test_a_redacted_version_has_neither_text_nor_path_and_says_who_redacted_it(
    sdk: anthropic.Anthropic, store: str
) -> None:
    memories, versions = sdk.beta.memory_stores.memories, sdk.beta.memory_stores.memory_versions
    made = memories.create(store, path="/a.md", content="one")
    with pytest.raises(anthropic.BadRequestError):
        versions.redact(made.memory_version_id, memory_store_id=store)  # it is the current one
    memories.update(made.id, memory_store_id=store, content="two")
    gone = versions.redact(made.memory_version_id, memory_store_id=store)
    assert (gone.content, gone.path, gone.content_sha256, gone.content_size_bytes) == (None, None, None, None)
    assert gone.redacted_at is not None
    assert gone.redacted_by == gone.created_by
    assert versions.retrieve(made.memory_version_id, memory_store_id=store).to_dict() == gone.to_dict()
