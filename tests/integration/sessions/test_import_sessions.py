"""Importing transcripts: everything once, nothing lost, nothing that should not be stored."""

import os
import tracemalloc
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from shared.adapters.files.transcripts.formats import find_files, find_format, get_format
from shared.all_ports import Ports
from shared.core.errors import BadInputError
from shared.core.sessions.model import EventKind, Session, SessionEvent, Window
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, SkippedLine
from shared.services.sessions import ingest as import_sessions
from shared.services.sessions.ingest import ImportCounts, ImportTarget, import_files, import_session_items
from shared.services.sessions.live import append_events, open_live_session
from tests.support.builders import a_store, get_store
from tests.support.laws import some_quick

DATA = Path(os.environ.get("SLOWWAVE_DATA", Path(__file__).parents[4] / "shared" / "data"))


def an_event(number: int, text: str = "words", *, session: str = "s1", kind: EventKind = EventKind.USER) -> FoundEvent:
    return FoundEvent(line=number, session=session, event_id=f"e{number}", kind=kind, role="user", text=text)


def run(ports: Ports, tenant: str, items: Iterable[Item], *, masks: bool = True, current: bool = False) -> ImportCounts:
    a_store(ports, tenant)
    target = ImportTarget(
        tenant_id=tenant,
        store="default",
        source="plain",
        keeps_secrets=not masks,
        is_current=current,
    )
    return import_session_items(ports.db, target, items)


def stored(ports: Ports, tenant: str, session: str = "s1") -> tuple[Session, list[SessionEvent]]:
    with ports.db.transaction(tenant) as uow:
        store_id = uow.stores.get("default").id
        found = uow.sessions(store_id).get(session)
        everything = Window(session_id=found.id, after=0, upto=10_000)
        [window] = uow.gathering(store_id).find_windows([everything], max_chars=10**6)
        return found, window


def test_a_second_import_adds_nothing_and_its_counts_add_up(ports: Ports, tenant: str) -> None:
    items: list[Item] = [
        SkippedLine(line=1, what="x"),
        an_event(2),
        an_event(3),
        MalformedLine(line=4, reason="no JSON"),
    ]
    first, second = run(ports, tenant, items), run(ports, tenant, items)
    assert (first.added, first.known, first.skipped, first.malformed, first.lines) == (2, 0, 1, 1, 4)
    assert (second.added, second.known, second.skipped, second.malformed, second.lines) == (0, 2, 1, 1, 4)
    session, _ = stored(ports, tenant)
    assert (session.event_count, session.skipped_count, session.malformed_count) == (2, 1, 1)


def test_an_event_that_stands_twice_in_a_file_is_kept_once(ports: Ports, tenant: str) -> None:
    counts = run(ports, tenant, [an_event(1, "first"), an_event(1, "again"), an_event(2)])
    assert (counts.added, counts.known) == (2, 1)
    assert [event.text for event in stored(ports, tenant)[1]] == ["first", "words"]


def test_an_import_that_was_cut_off_goes_on_where_it_ended(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_sessions, "MAX_BATCH_EVENTS", 3)

    def cut_off() -> Iterator[Item]:
        yield from (an_event(number) for number in range(8))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(ports, tenant, cut_off())
    counts = run(ports, tenant, [an_event(number) for number in range(8)])
    assert (counts.known, counts.added) == (6, 2)
    assert [event.position for event in stored(ports, tenant)[1]] == list(range(1, 9))


def test_a_file_that_breaks_off_keeps_what_was_read_and_its_neighbours_lose_nothing(ports: Ports, tenant: str) -> None:
    def broken() -> Iterator[Item]:
        yield an_event(1, session="s2")
        raise BadInputError("not JSON from here on")

    a_store(ports, tenant)
    target = ImportTarget(tenant_id=tenant, store="default", source="plain")
    files: list[Iterable[Item]] = [[an_event(1)], broken(), [], [an_event(1, session="s3"), an_event(1)]]
    first, second, third, fourth = import_files(ports.db, [(target, items) for items in files])
    assert isinstance(first, ImportCounts)
    assert isinstance(second, BadInputError)
    assert isinstance(third, ImportCounts)
    assert isinstance(fourth, ImportCounts)
    assert (first.added, third.lines, fourth.added, fourth.known) == (1, 0, 1, 1)
    assert {name: len(stored(ports, tenant, name)[1]) for name in ("s1", "s2", "s3")} == {"s1": 1, "s2": 1, "s3": 1}
    assert get_store(ports, tenant).sessions == 3


def test_small_files_share_a_transaction_and_each_store_gets_its_own(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    real = type(ports.db).transaction

    def counted(self: object, tenant_id: str) -> object:
        opened.append(tenant_id)
        return real(self, tenant_id)  # type: ignore[arg-type] # the database itself

    for store in ("one", "two"):
        a_store(ports, tenant, store)
    monkeypatch.setattr(type(ports.db), "transaction", counted)
    targets = [ImportTarget(tenant_id=tenant, store=store, source="plain") for store in ("one",) * 9 + ("two",) * 9]
    list(import_files(ports.db, [(one, [an_event(1, session=f"s{n}")]) for n, one in enumerate(targets)]))
    assert len(opened) == 2
    assert [get_store(ports, tenant, store).sessions for store in ("one", "two")] == [9, 9]


def test_a_session_is_activity_once_until_a_dream_has_gathered_it(ports: Ports, tenant: str) -> None:
    run(ports, tenant, [an_event(1), an_event(2, session="s2")])
    run(ports, tenant, [an_event(1), an_event(3)])
    assert get_store(ports, tenant).sessions == 2
    session, _ = stored(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        uow.gathering(session.store_id).advance([Window(session_id=session.id, after=0, upto=2)])
    run(ports, tenant, [an_event(1), an_event(3)])
    assert get_store(ports, tenant).sessions == 2
    run(ports, tenant, [an_event(4)])
    assert get_store(ports, tenant).sessions == 3


def test_the_session_that_is_still_lived_is_activity_when_it_ends(ports: Ports, tenant: str) -> None:
    run(ports, tenant, [an_event(1)], current=True)
    assert get_store(ports, tenant).sessions == 0
    assert stored(ports, tenant)[0].is_current
    run(ports, tenant, [an_event(1)])
    assert get_store(ports, tenant).sessions == 1
    assert not stored(ports, tenant)[0].is_current


def test_a_key_is_masked_unless_that_is_switched_off(ports: Ports, tenant: str) -> None:
    key = "AKIA" + "IOSFODNN7QWERTYU"
    counts = run(ports, tenant, [an_event(1, f"use {key}")])
    run(ports, tenant, [an_event(1, f"use {key}", session="s2")], masks=False)
    session, [event] = stored(ports, tenant)
    assert key not in event.text
    assert event.is_masked
    assert (counts.masked, session.masked_count) == (1, 1)
    assert key in stored(ports, tenant, "s2")[1][0].text


def test_long_results_are_cut_and_what_a_person_typed_is_not(ports: Ports, tenant: str) -> None:
    text = "begin " + "x" * 50_000 + " end"
    run(ports, tenant, [an_event(1, text), an_event(2, text, kind=EventKind.TOOL_RESULT)])
    _, [typed, result] = stored(ports, tenant)
    assert typed.text == text
    assert len(result.text) < 3_000
    assert result.text.startswith("begin")
    assert result.text.endswith("end")
    assert "characters left out" in result.text


def test_events_with_odd_characters_or_a_megabyte_of_text_are_stored_once(ports: Ports, tenant: str) -> None:
    odd = ["nul \x00", "half \ud83d pair", "\u202e turned", "x" * 1_000_000, "w " * 400_000, "é" * 150_000, ""]
    items = [an_event(number, text) for number, text in enumerate(odd)]
    assert run(ports, tenant, items).added == len(odd)
    assert run(ports, tenant, items).known == len(odd)


def test_memory_is_bounded_by_a_batch_and_not_by_the_file(ports: Ports, tenant: str, tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    with path.open("w") as file:
        file.writelines(f'{{"role": "tool", "content": "{number} {"word " * 4_000}"}}\n' for number in range(1_500))
    assert path.stat().st_size > 30_000_000
    tracemalloc.start()
    counts = run(ports, tenant, _read(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counts.added == 1_500
    assert peak < path.stat().st_size / 2


needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the benchmark data is not there")


@needs_data
@pytest.mark.parametrize("place", some_quick(["transcripts", "locomo/locomo10.json"], one_in=2))
def test_real_transcripts_go_in_twice_the_second_time_adding_nothing(place: str, ports: Ports, tenant: str) -> None:
    files = find_files(DATA / place)
    counts = [[run(ports, tenant, _read(path)) for path in files] for _ in range(2)]
    first, second = ([(c.added, c.known, c.skipped, c.malformed) for c in some] for some in counts)
    assert len(first) == (25 if place == "transcripts" else 1)
    assert all(added and not known for added, known, _, _ in first)
    assert second == [(0, added, skipped, malformed) for added, _, skipped, malformed in first]


@needs_data
def test_lines_kept_skipped_and_malformed_are_all_lines(ports: Ports, tenant: str) -> None:
    found = get_format("claude-code")
    for path in find_files(DATA / "transcripts"):
        lines = sum(bool(line.strip()) for line in path.read_bytes().split(b"\n"))
        assert run(ports, tenant, found.read(path, _ignore)).lines == lines


def _ignore(_size: int) -> None: ...


def _read(path: Path) -> Iterator[Item]:
    found = find_format(path)
    assert found is not None, path
    return found.read(path, _ignore)


def test_a_store_takes_no_session_that_its_settings_leave_out_and_the_import_counts_it(
    ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant, overrides={"sessions.exclude": "cron*, *heartbeat"})
    items = [an_event(1, session="cron-7"), an_event(2, session="a heartbeat"), an_event(3, session="chat")]
    counts = run(ports, tenant, items)
    assert (counts.added, counts.skipped, counts.lines) == (1, 2, 3)
    assert dict(counts.skipped_kinds) == {"left out by sessions.include or sessions.exclude": 2}
    assert counts.sessions == {"chat"}
    assert run(ports, tenant, items[:2]).skipped == 2


def test_a_store_that_includes_sessions_by_patterns_takes_no_other_live_one(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, overrides={"sessions.include": "chat-*"})
    target = ImportTarget(tenant_id=tenant, store="default", source="api", is_current=True)
    taken = open_live_session(ports.db, target, "chat-1")
    assert append_events(ports.db, target, taken.id, [an_event(1, session="x")])[1].added == 1
    with pytest.raises(BadInputError, match="takes no session 'cron'"):
        open_live_session(ports.db, target, "cron")
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("default")
        uow.stores.save(replace(store, overrides={"sessions.exclude": "chat-1"}))
    with pytest.raises(BadInputError, match=r"sessions.exclude"):
        append_events(ports.db, target, taken.id, [an_event(2, session="x")])


def test_a_pattern_matches_a_label_of_a_session_or_its_source(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, overrides={"sessions.exclude": "cron, branch=wip/*"})
    told = SkippedLine(line=2, what="session", session="s2", labels={"kind": "cron"})
    target = ImportTarget(tenant_id=tenant, store="default", source="plain", labels={"branch": "main"})
    counts = import_session_items(ports.db, target, [an_event(1), told, an_event(3, session="s2")])
    assert counts.sessions == {"s1"}
    assert dict(stored(ports, tenant)[0].labels) == {"branch": "main"}
    for source, labels in (("plain", {"branch": "wip/x"}), ("cron", {"branch": "main"})):
        left_out = replace(target, source=source, labels=labels)
        assert import_session_items(ports.db, left_out, [an_event(4, session="s3")]).added == 0


def test_a_live_session_keeps_its_labels_and_what_they_include(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, overrides={"sessions.include": "team=search"})
    target = ImportTarget(tenant_id=tenant, store="default", source="api", labels={"team": "search"}, is_current=True)
    begun = open_live_session(ports.db, target, "one")
    session, counts = append_events(ports.db, replace(target, labels={}), begun.id, [an_event(1, session="x")])
    assert counts.added == 1
    assert session.labels == {"team": "search"}
    with pytest.raises(BadInputError, match="takes no session 'two'"):
        open_live_session(ports.db, replace(target, labels={"team": "shop"}), "two")
