"""`memory why`: where a memory came from."""

import pytest

from shared.all_ports import Ports
from shared.core.errors import NotFoundError
from shared.services.memories.history import get_history
from tests.integration.undo.undo_support import Dreamt
from tests.support.builders import write


def test_a_merged_memory_names_its_dream_operation_reason_and_what_went_into_it(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    why = get_history(ports.db, tenant, "default", "web/cookies.md", limit=None)
    newest, oldest = why.entries[0], why.entries[-1].version
    assert newest.operation is not None
    operation = newest.operation.operation
    assert (operation.kind, newest.version.dream_id, operation.phase) == ("MERGE", dream.id, "consolidate")
    assert operation.reason
    assert newest.together_with == ("web/cookies-twin.md",)
    assert (oldest.change, oldest.author, oldest.dream_id) == ("create", "agent", None)


def test_the_sessions_and_quotes_that_a_text_names_are_shown(ports: Ports, tenant: str) -> None:
    said = "---\nsources:\n  - session: ses_1\n    quote: use tabs\n---\n# Style\n\nTabs.\n"
    write(ports, tenant, {"style.md": said})
    why = get_history(ports.db, tenant, "default", "style.md", limit=None)
    assert why.provenance == {"sources": [{"session": "ses_1", "quote": "use tabs"}]}


def test_the_history_of_an_unknown_memory_says_that_there_is_none(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"style.md": "x"})
    with pytest.raises(NotFoundError, match=r"no memory 'gone\.md'"):
        get_history(ports.db, tenant, "default", "gone.md", limit=None)
