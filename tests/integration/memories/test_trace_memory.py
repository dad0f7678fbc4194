"""`memory why`: where a memory came from."""

import pytest

from shared.core.errors import NotFoundError
from shared.ports.ports import Ports
from shared.services.memories.history import trace_memory
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything
from tests.support.builders import write


def test_a_merged_memory_names_its_dream_operation_reason_and_what_went_into_it(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    dream = dream_of_everything(ports, tenant)
    why = trace_memory(ports.db, tenant, "default", "web/cookies.md")
    newest, oldest = why.steps[0], why.steps[-1]
    assert (newest.kind, newest.dream_id, newest.phase) == ("MERGE", dream.id, "consolidate")
    assert newest.reason
    assert newest.together_with == ("web/cookies-twin.md",)
    assert (oldest.change, oldest.author, oldest.dream_id) == ("create", "agent", None)


def test_the_sessions_and_quotes_that_a_text_names_are_shown(ports: Ports, tenant: str) -> None:
    said = "---\nsources:\n  - session: ses_1\n    quote: use tabs\n---\n# Style\n\nTabs.\n"
    write(ports, tenant, {"style.md": said})
    why = trace_memory(ports.db, tenant, "default", "style.md")
    assert why.provenance == {"sources": [{"session": "ses_1", "quote": "use tabs"}]}


def test_what_was_never_there_is_said(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"style.md": "x"})
    with pytest.raises(NotFoundError, match=r"no memory 'gone\.md'"):
        trace_memory(ports.db, tenant, "default", "gone.md")
