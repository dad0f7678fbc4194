"""A person gets all that is known of them, and a wish to forget is carried out as forgetting once a person agrees."""

import json
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from typer.testing import Result

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.errors import ConflictError
from shared.core.learning.feedback import FeedbackKind, NewFeedback
from shared.core.sessions.model import EventKind, Window
from shared.core.sessions.transcript import FoundEvent
from shared.services.approval import approve
from shared.services.forgetting.forget import forget
from shared.services.forgetting.known_of import find_known
from shared.services.forgetting.wanted import Kind, Target
from shared.services.operations.review import reopen_operation
from shared.services.sessions.feedback import record_feedback
from shared.services.sessions.ingest import ImportTarget, import_session_items
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.undo.undo_support import of_kind
from tests.support.builders import a_store, run_dream, take_picture, write
from tests.support.database.columns import find_columns_holding

WORD = "zq4711xx"


def _a_store_that_knows(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"people/list.md": "# People\n\n- Mara Vogel waters the roses.\n- Jo cuts the hedge.\n"})
    write(ports, tenant, {"people/list.md": "# People\n\n- Mara Vogel feeds the cat.\n- Jo cuts the hedge.\n"})
    write(ports, tenant, {"tea.md": "# Tea\n\nGreen tea is in the drawer.\n"})
    target = ImportTarget(tenant_id=tenant, store="default", source="plain")
    text = "The garden gate opens at seven."
    event = FoundEvent(line=1, session="s1", event_id="e1", kind=EventKind.USER, role="Mara Vogel", text=text, at=None)
    import_session_items(ports.db, target, [event])
    wrong = NewFeedback(kind=FeedbackKind.CORRECTION, text="No, Mara Vogel has a dog.")
    record_feedback(ports.db, tenant, "default", [wrong])


def test_a_person_gets_memories_with_versions_events_and_what_stands_elsewhere(ports: Ports, tenant: str) -> None:
    _a_store_that_knows(ports, tenant)
    known = find_known(ports.db, tenant, "default", "mara vogel")
    assert [one.path for one in known.memories] == ["people/list.md"]
    assert [one.text for one in known.memories[0].statements] == ["Mara Vogel feeds the cat."]
    assert "waters the roses" in known.memories[0].versions[-1].content
    assert [one.values["text"] for one in known.events] == ["The garden gate opens at seven."]
    assert "feedback" in {one.table for one in known.elsewhere}


def test_the_command_writes_a_folder_and_the_api_answers_the_same(
    ports: Ports, tenant: str, command_line: Callable[..., Result], tmp_path: Path
) -> None:
    _a_store_that_knows(ports, tenant)
    folder = tmp_path / "mara"
    done = command_line("memory", "known-of", f"{tenant}/default", "--person", "Mara Vogel", "--out", str(folder))
    assert done.exit_code == 0, done.output
    written = json.loads((folder / "known.json").read_text())
    client = a_client(an_app(ports))
    client.headers.update(bearer(a_token(ports, tenant)))
    given = client.get("/api/stores/default/known-of", params={"person": "Mara Vogel"}).json()
    assert given["memories"] == written["memories"]
    assert "The garden gate opens at seven." in (folder / "events.txt").read_text()
    assert len(list(folder.glob("memories/*/*.md"))) == 2


def test_a_wish_to_forget_is_carried_out_when_a_person_agrees_and_no_reopening_brings_it_back(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_store(ports, tenant)
    write(ports, tenant, {f"people/{WORD}.md": f"# Number\n\nThe number of the house is {WORD} from today on.\n"})
    asked = NewFeedback(kind=FeedbackKind.FORGET, subject=f"people/{WORD}.md")
    record_feedback(ports.db, tenant, "default", [asked])
    wish = of_kind(ports, tenant, run_dream(ports, tenant, OfflineLlm()), OperationKind.FORGET)
    approve(ports.db, ports.ids, tenant, wish.id, actor="ada")
    assert find_columns_holding(owner_connection, tenant, WORD) == []
    with pytest.raises(ConflictError, match="redacted"):
        reopen_operation(ports.db, tenant, wish.id, actor="ada", force=True)
    assert find_columns_holding(owner_connection, tenant, WORD) == []


def test_a_person_is_forgotten_with_what_they_said_and_what_names_them_and_others_stay(
    ports: Ports, tenant: str
) -> None:
    _a_store_that_knows(ports, tenant)
    done = forget(ports.db, tenant, "default", Target(Kind.PERSON, "Mara Vogel"), actor="ada")
    assert done.rewritten == ("people/list.md",)
    live = {one.path: one.content for one in take_picture(ports, tenant).memories.values()}
    assert live["people/list.md"] == "# People\n\n- Jo cuts the hedge.\n"
    assert live["tea.md"] == "# Tea\n\nGreen tea is in the drawer.\n"
    known = find_known(ports.db, tenant, "default", "Mara Vogel")
    assert (known.memories, known.events, known.elsewhere) == ((), (), ())
    with ports.db.transaction(tenant) as uow:
        session = uow.sessions(uow.stores.get("default").id).get("s1")
        window = Window(session_id=session.id, after=0, upto=1)
        (events,) = uow.gathering(uow.stores.get("default").id).find_windows([window], max_chars=100)
    assert [(one.role, one.text) for one in events] == [("[forgotten]", "[forgotten]")]
