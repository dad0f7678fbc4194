"""Skills in a store: kept byte for byte, used in sessions, left alone by everything that consolidates knowledge."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.errors import BadInputError, NotFoundError
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent
from shared.services.memories.skills import find_skill_files, find_skills, get_skill, record_skill_use
from shared.services.sessions.ingest import ImportTarget, import_session_items
from tests.support.builders import LONG_AGO, a_store, run_dream, take_picture, texts, write
from tests.support.session_builders import SAID_AT, tell

MAIL = "---\nname: mail\ndescription: Summarise an inbox\n---\n\nRead every mail, then list what is to be done.\n"
SCRIPT = "#!/bin/sh\r\nexit 0\n"
LAID = {
    "skills/mail/SKILL.md": MAIL,
    "skills/mail/run.sh": SCRIPT,
    "skills/mcp/cal/SKILL.md": "Look at the calendar.\n",
}


def test_skills_are_listed_with_their_files_and_uses_of_30_days(ports: Ports, tenant: str) -> None:
    write(ports, tenant, LAID)
    now = datetime.now(UTC)
    record_skill_use(ports.db, tenant, "default", "mail", "s1", now)
    record_skill_use(ports.db, tenant, "default", "mail", "s1", now)
    record_skill_use(ports.db, tenant, "default", "mail", "s2")
    record_skill_use(ports.db, tenant, "default", "mcp:cal", "s2", now - timedelta(days=31))
    mail, cal = find_skills(ports.db, tenant, "default")
    assert (mail.name, mail.uses, mail.files, mail.summary) == (
        "mail",
        2,
        ("skills/mail/run.sh",),
        "Summarise an inbox",
    )
    assert (cal.name, cal.uses, cal.files) == ("mcp/cal", 0, ())
    assert cal.last_used_at == now - timedelta(days=31)


def test_export_gives_back_what_was_written_byte_for_byte(ports: Ports, tenant: str) -> None:
    write(ports, tenant, LAID | {"api/a.md": "# A\n"})
    store = a_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        files = find_skill_files(uow, store.id)
    assert {f"skills/{file.path}": file.content for file in files} == LAID


def test_a_use_of_a_skill_that_is_none_is_refused(ports: Ports, tenant: str) -> None:
    write(ports, tenant, LAID)
    for name in ("nothing", "../mail", ""):
        with pytest.raises((NotFoundError, BadInputError)):
            record_skill_use(ports.db, tenant, "default", name, "s1")


def test_an_imported_session_brings_the_uses_of_its_tool_calls_once(ports: Ports, tenant: str) -> None:
    write(ports, tenant, LAID)
    target = ImportTarget(tenant_id=tenant, store="default", source="claude-code")
    call = FoundEvent(
        line=1, session="s9", event_id="e1", kind=EventKind.TOOL_CALL, role="assistant",
        text='Skill {"skill":"mail"}', at=datetime.now(UTC),
    )  # fmt: skip
    import_session_items(ports.db, target, [call])
    import_session_items(ports.db, target, [call])
    assert [skill.uses for skill in find_skills(ports.db, tenant, "default")] == [1, 0]


def test_openings_are_the_first_words_of_each_session_and_say_which_are_new(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "s1", (EventKind.ASSISTANT, "Hello."), "summarize my mail", "thanks")
    run_dream(ports, tenant, OfflineLlm())
    tell(ports, tenant, "s2", "deploy the gateway", at=SAID_AT + timedelta(days=1))
    tell(ports, tenant, "s3", (EventKind.TOOL_RESULT, "silence"))
    with ports.db.transaction(tenant) as uow:
        found = uow.skills(a_store(ports, tenant).id).find_openings(10, max_chars=9)
    assert [(one.text, one.is_new) for one in found] == [("deploy th", True), ("summarize", False)]


def test_a_dream_neither_merges_nor_prunes_skills_as_if_they_were_knowledge(ports: Ports, tenant: str) -> None:
    twins = {"skills/a/notes.md": "# Notes\n\nThe same words.\n", "skills/b/notes.md": "# Notes\n\nThe same words.\n"}
    write(ports, tenant, texts(LAID | twins, at=LONG_AGO))
    run_dream(ports, tenant, OfflineLlm())
    live = {m.path: m.content for m in take_picture(ports, tenant).memories.values() if m.state == "live"}
    assert {path: live.get(path) for path in LAID | twins} == LAID | twins
    assert "skills/_index.md" not in live


def test_a_skills_history_is_that_of_its_memory(ports: Ports, tenant: str) -> None:
    write(ports, tenant, LAID)
    write(ports, tenant, {"skills/mail/SKILL.md": MAIL + "And the sender.\n"})
    memory, view, versions = get_skill(ports.db, tenant, "default", "mail")
    assert [version.change for version in versions] == ["update", "create"]
    assert (view.name, memory.version) == ("mail", 2)
