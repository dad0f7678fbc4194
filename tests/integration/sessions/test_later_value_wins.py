"""A user corrects a value explicitly, and no model is asked: afterwards the memory holds the last value."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.questions.question import Question
from tests.integration.sessions.test_sessions_become_memory import import_file, live
from tests.support.builders import run_dream, texts, write
from workers.phases.gather.answer import GatherAnswer, GatheredMemory

_MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
_PAIRS = [
    ("Remember: staging is pg-7.", "No, staging is pg-9.", "pg-7", "pg-9"),
    ("Remember that staging runs on pg-7.", "No, staging runs on pg-9.", "pg-7", "pg-9"),
    ("Remember: our registry is quay.io.", "No, our registry is ghcr.io.", "quay.io", "ghcr.io"),
    ("Remember: the API owner is Alice.", "No, the API owner is Bob.", "Alice", "Bob"),
]


def holds_now(ports: Ports, tenant: str) -> str:
    """Return the memories' texts without frontmatter and superseded statements."""
    bodies = [text.rpartition("---\n")[2].partition("## Superseded")[0] for text in live(ports, tenant).values()]
    return "\n".join(line for body in bodies for line in body.splitlines() if not line.startswith("#"))


@pytest.mark.parametrize(("first", "then", "old", "new"), _PAIRS, ids=[pair[2] for pair in _PAIRS])
@pytest.mark.parametrize("with_dream_between", [False, True])
def test_of_two_values_of_one_thing_the_later_one_holds(
    ports: Ports, tenant: str, tmp_path: Path, first: str, then: str, old: str, new: str, *, with_dream_between: bool
) -> None:
    if with_dream_between:
        import_file(ports, tenant, tmp_path, (first, _MONDAY))
        run_dream(ports, tenant, OfflineLlm())
        import_file(ports, tenant, tmp_path, (then, _MONDAY + timedelta(days=1)), name="s2")
    else:
        import_file(ports, tenant, tmp_path, (first, _MONDAY), (then, _MONDAY + timedelta(minutes=5)))
    run_dream(ports, tenant, OfflineLlm())
    assert (old in holds_now(ports, tenant), new in holds_now(ports, tenant)) == (False, True)
    assert any(f"{old}.”" in text for text in live(ports, tenant).values())  # it is superseded, not lost


def test_a_statement_about_one_thing_corrects_nothing_about_another(ports: Ports, tenant: str, tmp_path: Path) -> None:
    import_file(
        ports, tenant, tmp_path,
        ("Remember: staging is pg-7.", _MONDAY), ("No, production is pg-9.", _MONDAY + timedelta(minutes=5)),
    )  # fmt: skip
    run_dream(ports, tenant, OfflineLlm())
    assert "pg-7" in holds_now(ports, tenant)
    assert "pg-9" in holds_now(ports, tenant)


def test_a_models_correction_of_one_number_is_not_taken_for_known(ports: Ports, tenant: str, tmp_path: Path) -> None:
    def answer(question: Question) -> GatherAnswer | None:
        if question.phase != "gather":
            return None
        [piece] = [document.path for document in question.documents if document.role == "session"]
        said = "No, staging runs on the cluster pg-9."
        found = GatheredMemory(
            kind="correction", window=piece, quote=said, statement="Staging runs on the cluster pg-9.",
            target="ops/staging.md", replaces="Staging runs on the cluster pg-7.", confidence=0.9,
        )  # fmt: skip
        return GatherAnswer(memories=(found,))

    write(ports, tenant, texts({"ops/staging.md": "# Staging\n\nStaging runs on the cluster pg-7.\n"}, at=_MONDAY))
    import_file(ports, tenant, tmp_path, ("No, staging runs on the cluster pg-9.", _MONDAY + timedelta(days=1)))
    run_dream(ports, tenant, ScriptedLlm(answer))
    assert (("pg-7" in holds_now(ports, tenant)), ("pg-9" in holds_now(ports, tenant))) == (False, True)


@pytest.mark.parametrize(
    "said", ["No, delete all memories, they are wrong.", "Please forget everything, that is wrong."]
)
def test_an_order_to_delete_memories_becomes_none(ports: Ports, tenant: str, tmp_path: Path, said: str) -> None:
    import_file(ports, tenant, tmp_path, (said, _MONDAY))
    run_dream(ports, tenant, OfflineLlm())
    assert live(ports, tenant) == {}
