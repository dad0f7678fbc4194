"""The promises about sessions, clause by clause, on the whole path: transcript file, import, dream, memory."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import BaseModel

from shared.adapters.files.transcripts.formats import find_format
from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.memory.model import MemoryKind, kind_of
from shared.core.memory.provenance import FIELD, read_sources
from shared.core.questions.question import Question
from shared.ports.llm import Llm
from shared.services.memories.history import get_history
from shared.services.operations.undo import undo_dream
from shared.services.sessions.ingest import ImportTarget, import_session_items
from tests.support.builders import UNREACHABLE, a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.session_builders import get_session, tell
from workers.phases.gather.answer import GatherAnswer, GatheredMemory

_WRITTEN = datetime(2026, 3, 2, 9, tzinfo=UTC)
_WEDNESDAY = datetime(2026, 3, 4, 10, tzinfo=UTC)
_LIMITS = {"api/limits.md": "# Rate limits\n\nThe public API allows 300 requests a minute for each key.\n"}
_SAVE = "Remember that the staging cluster runs in eu-north-1."


def _state(words: str, piece: str, question: Question) -> GatheredMemory:
    """State a user's words, as a model would, in the place of the sentence about the same limit if there is one."""
    statement = words.removeprefix("No, ").removeprefix("Remember that ")
    old = next(
        (
            (document.path, line)
            for document in question.documents
            if document.role == "existing"
            for line in document.text.splitlines()
            if "requests a minute" in line and "requests a minute" in words and not line.startswith("-")
        ),
        (None, None),
    )
    return GatheredMemory(
        kind="correction" if words.startswith("No, ") else "save",
        window=piece,
        quote=words,
        statement=f"{statement[:1].upper()}{statement[1:]}",
        target=old[0],
        replaces=old[1],
        confidence=0.9,
    )


def _listening(question: Question) -> BaseModel | None:
    if question.phase != "gather":
        return None
    pieces = [document for document in question.documents if document.role == "session"]
    lines = [(piece.path, line) for piece in pieces for line in piece.text.splitlines() if "]* user" in line]
    return GatherAnswer(
        memories=tuple(
            _state(line.partition("Z: ")[2] or line.partition(": ")[2], path, question) for path, line in lines
        )
    )


@pytest.fixture(params=["offline", "scripted"])
def model(request: pytest.FixtureRequest) -> Llm:
    return OfflineLlm() if request.param == "offline" else ScriptedLlm(_listening)


def import_file(ports: Ports, tenant: str, folder: Path, *said: tuple[str, datetime], name: str = "s1") -> None:
    """Write a transcript in the plain format and import it as the command does."""
    a_store(ports, tenant)
    path = folder / f"{name}.jsonl"
    lines = [{"session": name, "role": "user", "content": text, "at": at.isoformat()} for text, at in said]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    found = find_format(path)
    assert found is not None
    target = ImportTarget(tenant_id=tenant, store="default", source=found.name)
    import_session_items(ports.db, target, found.read(path, lambda _size: None))


def live(ports: Ports, tenant: str) -> dict[str, str]:
    found = {m.path: m.content for m in take_picture(ports, tenant).memories.values() if m.state == "live"}
    return {path: content for path, content in found.items() if kind_of(path) is MemoryKind.TOPIC}


def limits(ports: Ports, tenant: str) -> tuple[str, str]:
    """Return the current text of the memory about limits, and its superseded statements."""
    now, _, superseded = live(ports, tenant)["api/limits.md"].rpartition("---\n")[2].partition("## Superseded")
    return now, superseded


def test_a_newer_statement_supersedes_the_fact_that_it_contradicts_with_lineage(
    ports: Ports, tenant: str, model: Llm, tmp_path: Path
) -> None:
    write(ports, tenant, texts(_LIMITS, at=_WRITTEN))
    said = "Remember that the public API allows 900 requests a minute for each key."
    import_file(ports, tenant, tmp_path, (said, _WEDNESDAY))
    run_dream(ports, tenant, model)
    now, superseded = limits(ports, tenant)
    assert "900 requests" in now
    assert "300 requests" not in now
    assert "300 requests" in superseded
    assert "until 2026-03-04" in superseded
    why = get_history(ports.db, tenant, "default", "api/limits.md", limit=None)
    assert why.entries[0].operation is not None
    assert why.entries[0].operation.operation.kind == "CORRECT"
    assert get_session(ports, tenant, "s1").id in str(why.provenance[FIELD])


def test_of_two_statements_in_two_sessions_the_later_one_holds(
    ports: Ports, tenant: str, model: Llm, tmp_path: Path
) -> None:
    write(ports, tenant, texts(_LIMITS, at=_WRITTEN))
    for name, number, day in (("late", 900, 2), ("early", 600, 1)):
        said = f"No, the public API allows {number} requests a minute for each key."
        import_file(ports, tenant, tmp_path, (said, _WEDNESDAY + timedelta(days=day)), name=name)
    run_dream(ports, tenant, model)
    now, superseded = limits(ports, tenant)
    assert "900 requests" in now
    assert "300 requests" not in now
    assert "600 requests" not in now
    assert "300 requests" in superseded


def test_a_users_correction_is_only_proposed_against_what_was_written_after_it(
    ports: Ports, tenant: str, model: Llm, tmp_path: Path
) -> None:
    """It wins over anything older, and only over that."""
    write(ports, tenant, texts(_LIMITS, at=_WEDNESDAY + timedelta(days=1)))
    import_file(ports, tenant, tmp_path, ("No, the public API allows 900 requests a minute for each key.", _WEDNESDAY))
    dream = run_dream(ports, tenant, model)
    assert "300 requests" in limits(ports, tenant)[0]
    proposed = [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind == "CORRECT"]
    assert [op.state for op in proposed] == ["proposed"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Remember that billing was moved to Postgres yesterday.", "yesterday (2026-03-03)"),
        ("Remember that billing was moved to Postgres 3 days ago.", "3 days ago (2026-03-01)"),
        ("Remember that billing was moved to Postgres last Friday.", "Postgres last Friday."),
        ("Remember that billing was moved to Postgres recently.", "Postgres recently."),
        ("Remember that billing was moved by `run_yesterday --today` to Postgres.", "`run_yesterday --today` to"),
        ('Remember that billing prints "moved yesterday" when it was moved.', '"moved yesterday" when'),
        ("Remember that billing was moved to the table moved_yesterday in Postgres.", "moved_yesterday in"),
    ],
)
def test_relative_dates_follow_the_event_and_code_quotes_and_names_stay(
    ports: Ports, tenant: str, model: Llm, tmp_path: Path, said: str, kept: str
) -> None:
    import_file(ports, tenant, tmp_path, (said, _WEDNESDAY))
    run_dream(ports, tenant, model)
    (content,) = live(ports, tenant).values()
    assert kept in content.rpartition("---\n")[2]
    assert [source.day for source in read_sources(content)] == ["2026-03-04"]


def test_the_cursor_advances_on_a_clean_no_op_and_not_on_an_error(ports: Ports, tenant: str) -> None:
    session = tell(ports, tenant, "s1", _SAVE)
    run_dream(ports, tenant, ScriptedLlm({"gather": UNREACHABLE}))
    assert get_session(ports, tenant, "s1").gathered_position == 0
    run_dream(ports, tenant, ScriptedLlm())
    assert live(ports, tenant) == {}
    assert get_session(ports, tenant, "s1").gathered_position == session.last_position


def test_a_dreams_own_writes_are_no_activity_and_never_come_back_as_input(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "s1", _SAVE)
    run_dream(ports, tenant, OfflineLlm())
    asked = ScriptedLlm()
    again = run_dream(ports, tenant, asked)
    assert again.summary is not None
    assert again.summary.gathered == 0
    assert not [request for request in asked.requests if request.question.phase == "gather"]


def test_undoing_two_dreams_gives_each_its_own_window_back(ports: Ports, tenant: str) -> None:
    first = tell(ports, tenant, "s1", _SAVE)
    one = run_dream(ports, tenant, OfflineLlm())
    tell(ports, tenant, "s1", "Remember that invoices are numbered per country and year.")
    two = run_dream(ports, tenant, OfflineLlm())
    undo_dream(ports.db, tenant, two.id, actor="test")
    assert get_session(ports, tenant, "s1").gathered_position == first.last_position
    assert len(live(ports, tenant)) == 1
    undo_dream(ports.db, tenant, one.id, actor="test")
    assert get_session(ports, tenant, "s1").gathered_position == 0
    assert live(ports, tenant) == {}


def test_events_searched_by_an_older_detector_are_searched_again(ports: Ports, tenant: str) -> None:
    """The older one found nothing: its cues are not stored, and the dream finds them again."""
    tell(ports, tenant, "s1", _SAVE, detector_version=0)
    run_dream(ports, tenant, OfflineLlm())
    assert any("eu-north-1" in content for content in live(ports, tenant).values())


def test_a_daily_log_is_distilled_and_never_rewritten(ports: Ports, tenant: str, tmp_path: Path) -> None:
    path = tmp_path / "logs" / "2026" / "03" / "2026-03-04.md"
    path.parent.mkdir(parents=True)
    log = f"- 10:15 {_SAVE}\n- 11:00 let me run the tests\n"
    path.write_text(log)
    place = "logs/2026/03/2026-03-04.md"
    write(ports, tenant, {place: log})
    found = find_format(path)
    assert found is not None
    target = ImportTarget(tenant_id=tenant, store="default", source=found.name)
    import_session_items(ports.db, target, found.read(path, lambda _size: None))
    run_dream(ports, tenant, OfflineLlm())
    kept = {m.path: m for m in take_picture(ports, tenant).memories.values()}
    assert (kept[place].content, kept[place].state) == (log, "live")
    (content,) = live(ports, tenant).values()
    assert "eu-north-1" in content
    assert read_sources(content)[0].day == "2026-03-04"
