"""A dream with embeddings offers what is said in other words; when they fail, words alone decide, and the log has a warning."""

from dataclasses import replace

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.core.dream.operations import OperationKind
from shared.core.questions.question import Question
from shared.ports.dreams import RecordedOperation
from shared.ports.embedder import Embedder
from shared.services.dreams.read import get_dream_progress
from tests.integration.meaning.embedders import FailingEmbedder, SubjectEmbedder, meaning_by
from tests.integration.meaning.vectors_support import count_vectors, find_paths
from tests.integration.undo.undo_support import a_rich_store, want_everything
from tests.support.builders import get_operations, run_dream, write

_SAID, _SAID_AGAIN = "ops/db.md", "infra/storage.md"
#: Each in a folder of its own, so that none is shown only because it lies beside another one.
_NOTES = {
    _SAID: "The production database is PostgreSQL 15.\n",
    _SAID_AGAIN: "Our live data sits in Amazon's managed Postgres, major 15.\n",
    **{
        f"{name}/note.md": f"{name.title()} keeps {thing} in the {place}.\n"
        for name, thing, place in (
            ("anna", "bicycles", "cellar"), ("bert", "apples", "kitchen"), ("cleo", "stamps", "attic"),
            ("dora", "maps", "car"), ("emil", "tulips", "garden"), ("finn", "kites", "shed"),
            ("gina", "songs", "lounge"), ("hugo", "paints", "studio"), ("iris", "skis", "garage"),
        )
    },
}  # fmt: skip


def dream_with(ports: Ports, tenant: str, embedder: Embedder | None) -> tuple[Dream, list[set[str]]]:
    """A dream, and which paths each question about candidates showed."""
    shown: list[set[str]] = []

    def answer(question: Question) -> None:
        if question.phase == "consolidate":
            shown.append({document.path for document in question.documents})

    here = replace(ports, meaning=meaning_by(embedder) if embedder is not None else None)
    return run_dream(here, tenant, ScriptedLlm(answer)), shown


def merges_of(ports: Ports, dream: Dream) -> list[RecordedOperation]:
    found = get_operations(ports, dream.tenant_id, dream.id)
    return [one for one in found if one.operation.kind is OperationKind.MERGE]


def have_met(shown: list[set[str]]) -> bool:
    return any({_SAID, _SAID_AGAIN} <= paths for paths in shown)


def test_a_model_is_shown_what_says_the_same_in_other_words(ports: Ports, tenant: str) -> None:
    write(ports, tenant, _NOTES)
    _, without = dream_with(ports, tenant, None)
    write(ports, tenant, {_SAID: "The production database is PostgreSQL 16.\n"})
    dream, shown = dream_with(ports, tenant, SubjectEmbedder())
    assert (have_met(without), have_met(shown)) == (False, True)
    assert dream.state is DreamState.COMPLETED
    assert count_vectors(ports, tenant) == len(_NOTES)


def test_without_embeddings_a_dream_makes_no_vector(ports: Ports, tenant: str) -> None:
    write(ports, tenant, _NOTES)
    dream_with(ports, tenant, None)
    assert count_vectors(ports, tenant) == 0


def test_a_dream_whose_embedder_fails_is_completed_and_says_so(ports: Ports, tenant: str) -> None:
    write(ports, tenant, _NOTES)
    dream, shown = dream_with(ports, tenant, FailingEmbedder(fails_at=1))
    assert dream.state is DreamState.COMPLETED
    assert not have_met(shown)
    assert dream.summary is not None
    assert dream.summary.reasons["no_vectors"] == 1
    report = str(get_dream_progress(ports.db, tenant, dream.id))
    assert "words alone" in report
    assert "cannot be reached" in report


def test_a_second_dream_embeds_only_what_has_changed(ports: Ports, tenant: str) -> None:
    write(ports, tenant, _NOTES)
    embedder = SubjectEmbedder()
    dream_with(ports, tenant, embedder)
    write(ports, tenant, {_SAID: "The production database is PostgreSQL 16.\n"})
    dream_with(ports, tenant, embedder)
    assert embedder.seen[len(_NOTES) :] == ["The production database is PostgreSQL 16."]


def test_what_a_dream_wrote_has_its_vector_when_the_dream_is_over(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    here = replace(ports, meaning=meaning_by(SubjectEmbedder()))
    run_dream(here, tenant, ScriptedLlm(want_everything))
    assert {"web/cookies.md", "office/door.md"} <= find_paths(ports, tenant), "the dream has changed these"


def test_without_a_model_nothing_is_proposed_because_it_means_the_same(ports: Ports, tenant: str) -> None:
    write(ports, tenant, _NOTES)
    here = replace(ports, meaning=meaning_by(SubjectEmbedder()))
    assert merges_of(here, run_dream(here, tenant, OfflineLlm())) == []
