"""Each format tells who said what, when, in which session of which project. The samples are invented."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.adapters.files.transcripts.formats import FORMATS, find_files, find_format, name_session
from shared.core.sessions.model import EventKind, Origin, is_spoken
from shared.core.sessions.origin import find_origin
from shared.core.sessions.transcript import FoundEvent, Item, SkippedLine

SAMPLES = Path(__file__).parent / "samples"
RULE = "Remember: invoices go out on the third."
LEAD = "Ben leads billing."
#: What people said in each sample, as a dream would read it: session, minute in UTC, words.
SAID: dict[str, list[tuple[str, str, str]]] = {
    "aider": [
        (".aider.chat.history 2026-03-04 09:10:00", "2026-03-04 09:10", "Remember: invoices go out\non the third."),
        (".aider.chat.history 2026-03-05 09:10:00", "2026-03-05 09:10", LEAD),
    ],
    "chatgpt": [("6a-1", "2026-03-04 09:12", RULE), ("6a-2", "2026-03-04 09:12", LEAD)],
    "claude_ai": [("c-1", "2026-03-04 09:11", RULE), ("c-2", "2026-03-05 09:11", LEAD)],
    "cline": [("1772615460000", "2026-03-04 09:11", RULE)],
    "codex": [("0198cccc", "None", "Use tabs."), ("0199aaaa", "2026-03-04 09:11", RULE)],
    "cursor": [("7d2e", "2026-03-04 09:11", RULE)],
    "gemini": [("g1", "2026-03-04 09:11", RULE)],
    "git_log": [
        (
            "shop.git",
            "2026-03-05 09:11",
            f"Send invoices on the third\n\nThe bank books them on the fourth.\n\ncommit {'3' * 40}",
        )
    ],
    "hermes": [("20260305_ann", "2026-03-05 09:11", LEAD), ("20260304_091000_ab", "2026-03-04 09:10", RULE)],
    "letta": [("sam/agent-0", "2026-03-04 09:12", RULE), ("sam/agent-0", "2026-03-04 09:16", LEAD)],
    "nanobot": [
        ("workspace/memory/history", "2026-03-04 09:20", "Ann said that invoices go out on the third."),
        ("workspace/memory/history", "2026-03-05 09:20", "Ben took over billing."),
        ("telegram:777", "2026-03-04 09:11", RULE),
    ],
    "openclaw": [("5f1c", "2026-03-04 09:12", RULE)],
    "opencode": [("ses_1", "2026-03-04 09:12", RULE)],
    "plain": [
        ("langchain", "None", "Use tabs."),
        ("t-1", "None", RULE),
        ("openai", "None", RULE),
        ("thread", "2026-03-04 09:12", RULE),
        ("tuning", "None", "Use tabs."),
        ("tuning/2", "None", LEAD),
    ],
    "slack": [
        ("billing/2026-03-04", "2026-03-04 09:12", "Invoices go out on the third, @Ben & team: see the page"),
        ("billing/2026-03-04", "2026-03-04 09:13", "I lead billing from now on."),
    ],
    "specstory": [
        ("5c7d5c23-0691-4467-b98e-0fb865b4a639", "2026-03-04 09:11", RULE),
        ("5c7d5c23-0691-4467-b98e-0fb865b4a639", "2026-03-04 09:15", LEAD),
    ],
}
PROJECTS = {
    "cline/tasks/1772615460000/api_conversation_history.json",
    "codex/sessions/2026/03/04/rollout-2026-03-04T09-10-00-0199aaaa.jsonl",
    "cursor/projects/srv-ann-shop/agent-transcripts/7d2e/7d2e.jsonl",
    "opencode/export/ses_1.json",
}


def read_sample(folder: Path) -> Iterator[Item]:
    for path in find_files(folder):
        found = find_format(path)
        assert found is not None, path
        yield from found.read(path, lambda _size: None, name_session(path, folder))


def events_of(name: str) -> list[FoundEvent]:
    return [item for item in read_sample(SAMPLES / name) if isinstance(item, FoundEvent)]


def origin_of(event: FoundEvent) -> Origin:
    return event.origin or find_origin(event.kind, event.text, role=event.role, session=event.session).origin


def test_every_format_is_known_by_its_own_sample() -> None:
    found = {known.name for path in find_files(SAMPLES) if (known := find_format(path))}
    elsewhere = {"claude-code", "daily-log", "locomo"}  # in test_transcripts.py
    assert found == {known.name for known in FORMATS} - elsewhere


@pytest.mark.parametrize("name", SAID)
def test_what_people_said_is_read_with_its_session_and_time_and_nothing_else_counts_as_theirs(name: str) -> None:
    said = [event for event in events_of(name) if is_spoken(event.kind, origin_of(event))]
    words = [find_origin(event.kind, event.text, role=event.role, session=event.session).words for event in said]
    found = [(event.session, str(event.at)[:16], text) for event, text in zip(said, words, strict=True)]
    assert found == SAID[name]


@pytest.mark.parametrize("name", SAID)
def test_each_message_is_kept_once_and_has_the_same_id_when_it_is_read_again(name: str) -> None:
    found = [(event.session, event.event_id) for event in events_of(name)]
    assert len(set(found)) == len(found)
    assert [(event.session, event.event_id) for event in events_of(name)] == found


def test_what_the_model_said_and_what_tools_returned_is_told_apart() -> None:
    for name in set(SAID) - {"aider", "git_log", "slack"}:
        kinds = {event.kind for event in events_of(name)}
        assert EventKind.ASSISTANT in kinds, name
    for name in ("cline", "codex", "hermes", "letta", "openclaw"):
        assert [e.kind for e in events_of(name)].count(EventKind.TOOL_RESULT) == 1, name
    for name in ("chatgpt", "codex", "cursor", "hermes", "letta", "openclaw", "opencode", "specstory"):
        assert [e.kind for e in events_of(name)].count(EventKind.TOOL_CALL) == 1, name


def test_what_a_scheduler_or_another_agent_sent_is_no_persons() -> None:
    for name, sent in (
        ("hermes", "Write the digest."),
        ("nanobot", "Write the digest."),
        ("openclaw", "Tell me when the report is there."),
        ("codex", "Review the changes."),
        ("opencode", "Find the invoices."),
        ("git_log", "Raise the version of a library"),
        ("slack", "Deployed 3.2"),
        ("letta", "Ann logged in"),
    ):
        [event] = [event for event in events_of(name) if event.text == sent]
        assert not is_spoken(event.kind, origin_of(event)), name


def test_a_speaker_is_called_by_the_name_that_the_host_knows() -> None:
    assert [event.role for event in events_of("slack")] == ["Ann", "Ben", "deploys"]
    assert [event.role for event in events_of("git_log")] == ["renovate[bot]", "Ann Lee"]


def test_the_project_is_called_the_same_whichever_tool_kept_the_session() -> None:
    found = {path: known.find_project(SAMPLES / path) for path in PROJECTS if (known := find_format(SAMPLES / path))}
    assert found == dict.fromkeys(PROJECTS, "-srv-ann-shop")


def test_files_that_are_read_with_their_session_are_not_looked_at_by_themselves() -> None:
    names = {path.name for path in find_files(SAMPLES)}
    assert not names & {
        "sessions.json",
        "ui_messages.json",
        "users.json",
        "channels.json",
        "msg_5.json",
        "prt_8.json",
        "p.json",
    }


def test_sessions_keep_the_titles_that_the_host_gave_them() -> None:
    found = {item.title for name in SAID for item in read_sample(SAMPLES / name) if isinstance(item, SkippedLine)}
    assert {"Invoices", "Billing", "Digest", "Look around", "sam"} <= found


def test_a_branch_that_was_edited_away_is_not_read() -> None:
    assert not [event for event in events_of("chatgpt") if "second" in event.text]
