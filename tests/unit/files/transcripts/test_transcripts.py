"""Each transcript format turns its lines into events, and malformed lines into reports."""

import json
from pathlib import Path

import pytest

from shared.adapters.files.transcripts.formats import find_files, find_format, get_format
from shared.adapters.files.transcripts.json_lines import MAX_LINE_BYTES
from shared.core.errors import BadInputError
from shared.core.sessions.model import EventKind
from shared.core.sessions.origin import find_origin
from shared.core.sessions.transcript import FoundEvent, MalformedLine, SkippedLine
from tests.unit.files.transcripts.transcript_support import a_file, events, line, read

KINDS = {
    EventKind.USER: line("1", "please use tabs"),
    EventKind.TOOL_RESULT: line("2", [{"type": "tool_result", "content": [{"type": "text", "text": "no, not that"}]}]),
    EventKind.META: line("3", "Caveat", isMeta=True),
    EventKind.SIDECHAIN: line("4", "go and look", isSidechain=True),
    EventKind.COMMAND: line("5", "<command-name>/clear</command-name>"),
    EventKind.CONTINUED: line("6", "This session is being continued from a previous conversation that ran out."),
    EventKind.ASSISTANT: line("7", [{"type": "text", "text": "Done."}], "assistant"),
    EventKind.THINKING: line("8", [{"type": "thinking", "thinking": "Hm."}], "assistant"),
    EventKind.TOOL_CALL: line("9", [{"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}], "assistant"),
    EventKind.SUMMARY: {"type": "summary", "summary": "Tabs", "leafUuid": "x"},
    EventKind.SYSTEM: {"type": "system", "uuid": "11", "sessionId": "s1", "content": "Compacted"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_of_claude_code_is_what_it_is(kind: EventKind, tmp_path: Path) -> None:
    [event] = events(read(a_file(tmp_path, [KINDS[kind]]), "claude-code"))
    assert event.kind is kind


def test_texts_that_an_agents_program_adds_to_a_message_are_not_the_users(tmp_path: Path) -> None:
    text = "Use tabs.<system-reminder>Never use tabs.</system-reminder> Always.<system-reminder>open"
    [event] = events(read(a_file(tmp_path, [line("1", text)])))
    assert event.text == text
    assert find_origin(event.kind, event.text).words == "Use tabs. Always.<system-reminder>open"


def test_a_summary_of_a_message_does_not_take_the_messages_id(tmp_path: Path) -> None:
    summaries = [{"type": "summary", "summary": title, "leafUuid": "1"} for title in ("Tabs", "Tabs again")]
    found = events(read(a_file(tmp_path, [*summaries, line("1", "please use tabs")])))
    assert [event.kind for event in found] == [EventKind.SUMMARY, EventKind.SUMMARY, EventKind.USER]
    assert len({event.event_id for event in found}) == 3


def test_noise_is_skipped_and_its_title_kept(tmp_path: Path) -> None:
    path = a_file(
        tmp_path, [line("1", "x"), {"type": "file-history-snapshot"}, {"type": "ai-title", "aiTitle": "Tabs"}]
    )
    skipped = [item for item in read(path) if isinstance(item, SkippedLine)]
    assert [(item.line, item.what, item.title) for item in skipped] == [
        (2, "file-history-snapshot", ""),
        (3, "ai-title", "Tabs"),
    ]


def test_lines_without_a_session_belong_to_the_files_own(tmp_path: Path) -> None:
    path = a_file(tmp_path, [KINDS[EventKind.SUMMARY], line("1", "x")])
    assert {event.session for event in events(read(path))} == {"s1"}


def test_a_malformed_line_is_named_and_the_next_one_read(tmp_path: Path) -> None:
    bad = [
        b'{"type": "user"\n',
        b"[1, 2]\n",
        b"\xff\xfe\n",
        b'{"a": "\\ud8"}\n',
        b"\n",
        b"{}\n",
        b"[" * 100_000 + b"\n",
    ]
    items = read(a_file(tmp_path, [line("1", "x"), *bad, line("2", "y")]))
    assert [item.line for item in items if isinstance(item, MalformedLine)] == [2, 3, 4, 5, 7, 8]
    assert [event.event_id for event in events(items)] == ["1", "2"]


def test_broken_characters_and_absurd_times_are_put_up_with(tmp_path: Path) -> None:
    odd = [
        json.dumps(line("1", "half \ud83d, nul \x00")).encode() + b"\n",
        json.dumps(line("2", "bytes XX")).encode().replace(b"XX", b"\xff\xfe") + b"\n",
        *[line(str(n), "x", timestamp=at) for n, at in enumerate(ABSURD, 3)],
    ]
    found = events(read(a_file(tmp_path, odd)))
    assert len(found) == 2 + len(ABSURD)
    assert {event.at for event in found[2:]} == {None}


ABSURD: list[object] = [
    "99999-01-01T00:00:00Z",
    "-1",
    "",
    None,
    10**40,
    -1,
    "0001-01-01T00:00:00+14:00",
    [],
    1e308,
    True,
]


def test_a_line_beyond_measure_is_passed_over(tmp_path: Path) -> None:
    long = b'{"type": "user", "text": "' + b"x" * MAX_LINE_BYTES + b'"}\n'
    items = read(a_file(tmp_path, [line("1", "x"), long, line("2", "y")]))
    assert [(item.line, type(item)) for item in items] == [(1, FoundEvent), (2, MalformedLine), (3, FoundEvent)]


def test_the_plain_format_takes_roles_and_any_usual_time(tmp_path: Path) -> None:
    lines = [
        {"role": "user", "content": "a", "at": 1_700_000_000},
        {"role": "Assistant", "content": [{"type": "text", "text": "b"}], "at": 1_700_000_000_000},
        {"role": "tool", "content": "c", "at": "2023-11-14T22:13:20"},
        {"role": "moderator", "content": "d", "session": "other", "id": "m1"},
        {"role": 3, "content": "e"},
    ]
    items = read(a_file(tmp_path, lines, "talk.jsonl"))
    found = events(items)
    assert [event.kind.value for event in found] == ["user", "assistant", "tool_result", "meta"]
    assert len({event.at for event in found[:3]}) == 1
    assert [event.session for event in found] == ["talk", "talk", "talk", "other"]
    assert isinstance(items[-1], MalformedLine)


def test_a_plain_file_that_grew_keeps_the_ids_of_its_lines(tmp_path: Path) -> None:
    lines = [{"role": "user", "content": "ok"}, {"role": "user", "content": "ok"}]
    before = events(read(a_file(tmp_path, lines)))
    after = events(read(a_file(tmp_path, [*lines, {"role": "user", "content": "ok"}])))
    assert len({event.event_id for event in after}) == 3
    assert [event.event_id for event in after[:2]] == [event.event_id for event in before]


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_of_messages_is_read_as_its_lines_would_be(tmp_path: Path, indent: int | None) -> None:
    lines = [{"role": "user", "content": "We use pnpm."}, {"role": "assistant", "content": "Noted."}]
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([*lines, 7], indent=indent))
    items = read(path)
    as_lines = events(read(a_file(tmp_path, lines, "chat.jsonl")))
    assert events(items) == as_lines
    assert items[2] == MalformedLine(line=3, reason="no JSON object")


def test_locomo_turns_are_dated_by_their_session(tmp_path: Path) -> None:
    turn = {"speaker": "Ann", "dia_id": "D1:1", "text": "Hi", "blip_caption": "a cat"}
    talk = {"session_1": [turn, {"speaker": "Bob"}], "session_1_date_time": "1:56 pm on 8 May, 2023"}
    path = tmp_path / "l.json"
    path.write_text(json.dumps([{"sample_id": "conv-1", "conversation": talk}]))
    items = read(path)
    [event] = events(items)
    assert (event.session, event.event_id, event.role) == ("conv-1/session_1", "D1:1", "Ann")
    assert str(event.at) == "2023-05-08 13:56:00+00:00"
    assert event.text == "Hi [image: a cat]"
    assert isinstance(items[1], MalformedLine)


def test_a_document_over_many_lines_is_recognised(tmp_path: Path) -> None:
    talk = {"sessionId": "g1", "projectHash": "h", "messages": [{"id": "1", "type": "user", "content": "hello"}]}
    path = tmp_path / "g.jsonl"
    path.write_text(json.dumps(talk, indent=2))
    [event] = events(read(path))
    assert (event.session, event.kind) == ("g1", EventKind.USER)


def test_a_daily_logs_entries_are_events_with_their_time(tmp_path: Path) -> None:
    path = tmp_path / "logs/2026/02/2026-02-07.md"
    path.parent.mkdir(parents=True)
    path.write_text("# Saturday\n\n- 09:15 Ann wants tabs.\n  Everywhere.\n- went home\n")
    found = events(read(path))
    assert [event.text for event in found] == ["# Saturday", "- 09:15 Ann wants tabs.\n  Everywhere.", "- went home"]
    assert [str(event.at) for event in found] == [
        "2026-02-07 00:00:00+00:00",
        "2026-02-07 09:15:00+00:00",
        "2026-02-07 09:15:00+00:00",
    ]
    before = [event.event_id for event in found]
    path.write_text(path.read_text() + "- went home\n")
    assert [event.event_id for event in events(read(path))][:3] == before
    assert len({event.event_id for event in events(read(path))}) == 4


def test_a_folder_is_searched_for_what_looks_like_a_transcript(tmp_path: Path) -> None:
    kept = [a_file(tmp_path, [line("1", "x")], "p/a.jsonl"), a_file(tmp_path, [b"- x\n"], "logs/2026/02/2026-02-07.md")]
    a_file(tmp_path, [b"# no transcript\n"], "README.md")
    (tmp_path / "link.jsonl").symlink_to(kept[0])
    assert find_files(tmp_path) == sorted(kept)
    assert find_format(a_file(tmp_path, [{"a": 1}], "b.json")) is None
    with pytest.raises(BadInputError, match="no file or folder"):
        find_files(tmp_path / "absent")
    with pytest.raises(BadInputError, match="claude-code"):
        get_format("nonsense")
