"""A vector goes with the text that it was made of: never later, and never elsewhere."""

import pytest

from shared.all_ports import Ports
from shared.core.memory.model import MemoryState
from shared.ports.embedder import NewVector
from shared.services.memories.redact import redact_version
from shared.services.tenants.delete_store import delete_store
from tests.integration.meaning.embedders import FailingEmbedder, SubjectEmbedder
from tests.integration.meaning.vectors_support import NOTES, count_vectors, fill, find_paths, retire
from tests.support.builders import a_store, write


@pytest.fixture
def embedder(ports: Ports, tenant: str) -> SubjectEmbedder:
    """A store of three memories whose vectors are made."""
    write(ports, tenant, NOTES)
    found = SubjectEmbedder()
    assert fill(ports, tenant, found).made == len(NOTES)
    return found


def test_each_text_is_embedded_once(ports: Ports, tenant: str, embedder: SubjectEmbedder) -> None:
    assert fill(ports, tenant, embedder).made == 0
    assert len(embedder.seen) == len(NOTES)
    assert find_paths(ports, tenant) == set(NOTES)


def test_a_changed_text_loses_its_vector_at_once_and_gets_a_new_one(
    ports: Ports, tenant: str, embedder: SubjectEmbedder
) -> None:
    write(ports, tenant, {"ops/db.md": "The production database is MySQL.\n"})
    assert find_paths(ports, tenant) == set(NOTES) - {"ops/db.md"}
    assert fill(ports, tenant, embedder).made == 1
    assert embedder.seen[-1] == "The production database is MySQL."


@pytest.mark.parametrize("state", [MemoryState.ARCHIVED, MemoryState.REMOVED])
@pytest.mark.usefixtures("embedder")
def test_a_retired_memory_loses_its_vector(ports: Ports, tenant: str, state: MemoryState) -> None:
    retire(ports, tenant, "ops/db.md", state)
    assert count_vectors(ports, tenant) == len(NOTES) - 1


@pytest.mark.usefixtures("embedder")
def test_a_memory_that_is_only_read_or_ranked_keeps_its_vector(ports: Ports, tenant: str) -> None:
    store_id = a_store(ports, tenant).id
    with ports.db.transaction(tenant) as uow:
        lines = uow.memories(store_id).find_changed()
        uow.memories(store_id).set_dirty([(one.id, one.version) for one in lines], is_dirty=False)
    assert find_paths(ports, tenant) == set(NOTES)


@pytest.mark.usefixtures("embedder")
def test_no_vector_of_a_redacted_text_is_left(ports: Ports, tenant: str) -> None:
    store = a_store(ports, tenant)
    memory_id = retire(ports, tenant, "ops/db.md", MemoryState.ARCHIVED)
    redact_version(ports.db, tenant, store.id, memory_id, 1, actor="a test")
    with ports.db.transaction(tenant) as uow:
        assert uow.vectors(store.id).find_kept("subjects", [memory_id]) == set()


@pytest.mark.usefixtures("embedder")
def test_vectors_go_with_their_store(ports: Ports, tenant: str) -> None:
    rows = delete_store(ports.db, tenant, a_store(ports, tenant).id, actor="a test")
    assert rows["memory_vectors"] == len(NOTES)


@pytest.mark.usefixtures("embedder")
def test_a_vector_of_a_text_that_has_changed_meanwhile_is_not_kept(ports: Ports, tenant: str) -> None:
    store_id = a_store(ports, tenant).id
    with ports.db.transaction(tenant) as uow:
        memory = uow.memories(store_id).find_by_path("ops/db.md")
        assert memory is not None
        late = NewVector(memory_id=memory.id, content_hash="of an earlier text", vector=b"\0" * 20)
        assert uow.vectors(store_id).save("another-model", [late]) == 0
    assert count_vectors(ports, tenant, "another-model") == 0


def test_another_model_makes_all_vectors_anew(ports: Ports, tenant: str, embedder: SubjectEmbedder) -> None:
    other = SubjectEmbedder(model="another-model")
    assert fill(ports, tenant, other).made == len(embedder.seen)
    assert (count_vectors(ports, tenant), count_vectors(ports, tenant, "another-model")) == (0, len(NOTES))


def test_generated_files_have_no_vector(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"MEMORY.md": "# Memory\n\n- [db](ops/db.md)\n", "ops/db.md": "PostgreSQL.\n"})
    fill(ports, tenant, SubjectEmbedder())
    assert find_paths(ports, tenant) == {"ops/db.md"}


def test_a_limit_of_texts_is_kept_and_the_rest_comes_the_next_time(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    embedder = SubjectEmbedder(batch_size=1)
    assert [fill(ports, tenant, embedder, texts=2).made for _ in range(3)] == [2, 1, 0]


def test_a_failure_in_the_middle_keeps_what_was_made_before(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    made = fill(ports, tenant, FailingEmbedder(batch_size=1, fails_at=3))
    assert (made.made, count_vectors(ports, tenant)) == (2, 2)
    assert made.failure == "embeddings.example.com cannot be reached (ConnectError)"


def test_a_refused_text_does_not_keep_the_others_back(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    made = fill(ports, tenant, FailingEmbedder(refused_word="Thursdays"))
    assert (made.made, len(made.refused), made.failure) == (2, 1, "")
    assert find_paths(ports, tenant) == {"ops/db.md", "web/cookie.md"}
