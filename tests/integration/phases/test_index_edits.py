"""Lines that an agent writes into a generated index become a topic file in the next dream, and undo takes that back."""

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.memory.model import Author
from shared.services.operations.undo import undo_dream
from tests.support.builders import run_dream, take_picture, write

NOTES = {"api/auth.md": "# Auth\n\nTokens expire.\n", "ops/backup.md": "# Backup\n\nEvery night.\n"}


def live(ports: Ports, tenant: str) -> dict[str, str]:
    return {m.path: m.content for m in take_picture(ports, tenant).memories.values() if m.state == "live"}


def test_lines_of_an_agent_in_generated_indexes_survive_the_next_dreams(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    run_dream(ports, tenant, OfflineLlm())
    before = live(ports, tenant)
    last = before["MEMORY.md"].splitlines()[-1]
    changed = {
        "api/_index.md": f"{before['api/_index.md']}- [Auth](auth.md) — ask Bob first\n",
        "MEMORY.md": before["MEMORY.md"].replace(last, f"Ann has the pager on Mondays.\n{last}"),
    }
    write(ports, tenant, changed, author=Author.AGENT)
    edited = live(ports, tenant)
    dream = run_dream(ports, tenant, OfflineLlm())
    after = live(ports, tenant)
    assert "ask Bob first" in after["api/notes-of-the-index.md"]
    assert "Ann has the pager on Mondays." in after["notes-of-the-index.md"]
    assert dream.summary is not None
    assert dream.summary.reasons["index_by_hand_moved"] == 2
    again = run_dream(ports, tenant, OfflineLlm())
    assert again.summary is not None
    assert live(ports, tenant) == after
    undo_dream(ports.db, tenant, dream.id, actor="a test")
    assert live(ports, tenant) == edited
