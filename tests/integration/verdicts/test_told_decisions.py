"""A model is told which of its merges waits for a person, and which one was rejected, for as long as the texts are the same."""

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.questions.question import Question
from shared.services.operations.review import reject_operation
from tests.support.builders import get_operations, run_dream, write
from workers.phases.consolidate.answer import ConsolidateAnswer

TOKENS = "Access tokens of the public API last one hour and are renewed by the gateway itself."
FILES = {
    "api/auth.md": f"# Auth\n\n{TOKENS}\n",
    "api/oauth.md": f"# OAuth\n\n{TOKENS} Clients never see the refresh token.\n",
    "api/limits.md": "# Limits\n\nAccess tokens of the public API allow 300 requests a minute.\n",
}
MERGE = ConsolidateAnswer.model_validate(
    {"actions": [{"type": "MERGE", "files": ["api/auth.md", "api/oauth.md"], "edits": [], "confidence": 0.9}]}
)


def dream(ports: Ports, tenant: str) -> tuple[list[str], list[str]]:
    """Let a model ask for the merge; return what it was told of the two files, and the ids of the merges that were proposed."""
    told: list[str] = []

    def answer(question: Question) -> ConsolidateAnswer | None:
        if question.phase != "consolidate":
            return None
        facts = [fact for one in question.documents for fact in one.facts if "MERGE" in fact]
        told.extend(facts)
        return ConsolidateAnswer() if facts else MERGE

    ended = run_dream(ports, tenant, ScriptedLlm(answer))
    recorded = get_operations(ports, tenant, ended.id)
    return told, [one.id for one in recorded if one.operation.kind is OperationKind.MERGE]


def test_a_model_hears_that_a_merge_waits_then_that_it_was_rejected_until_a_text_changes(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, FILES)
    told, [merge] = dream(ports, tenant)
    assert told == []

    write(ports, tenant, {"api/limits.md": f"{FILES['api/limits.md']}Access tokens of the public API share it.\n"})
    told, merges = dream(ports, tenant)
    assert (len(told), merges) == (1, [])
    assert told[0].startswith("MERGE with api/oauth.md")
    assert told[0].endswith("waits for a person")

    reject_operation(ports.db, tenant, merge, actor="Ada", why="two teams read them")
    write(ports, tenant, {"api/limits.md": f"{FILES['api/limits.md']}Access tokens of the public API count once.\n"})
    told, merges = dream(ports, tenant)
    assert (len(told), merges) == (1, [])
    assert told[0].endswith("was rejected by a person: two teams read them")

    write(ports, tenant, {"api/auth.md": f"{FILES['api/auth.md']}The gateway signs them.\n"})
    told, merges = dream(ports, tenant)
    assert (told, len(merges)) == ([], 1)
