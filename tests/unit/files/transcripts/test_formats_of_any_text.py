"""Laws over all formats: whatever a file holds, reading it ends in events, in lines that are named, or in a plain refusal."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.adapters.files.transcripts.formats import FORMATS, Format, find_files, find_format, name_session
from shared.core.errors import BadInputError
from shared.core.sessions.transcript import FoundEvent, Item, keep_text

SAMPLES = Path(__file__).parent / "samples"
PATHS = find_files(SAMPLES)
JSON = [path for path in PATHS if path.suffix in (".json", ".jsonl", ".af")]
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        1e308,
        "",
        "x",
        "\ud800\x00",
        [],
        [1],
        {},
        {"a": 1},
        [{"type": "text"}],
        [[]],
        [{"type": [], "text": 5}],
    ]
) | st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
LAW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def read_as(known: Format, path: Path) -> list[Item]:
    """Return what is read, or nothing of a file that is refused; any other error is a fault."""
    items: list[Item] = []
    with suppress(BadInputError):
        items.extend(known.read(path, lambda _size: None, name_session(path, path)))
    known.find_project(path)
    return items


def check(items: Iterable[Item]) -> None:
    for item in items:
        assert item.line >= 1
        if isinstance(item, FoundEvent):
            assert item.session
            assert item.event_id
            assert item.at is None or item.at.tzinfo is not None
            keep_text(item.text, item.kind, None)


def ids_of(items: Iterable[Item]) -> list[tuple[str, str]]:
    return [(item.session, item.event_id) for item in items if isinstance(item, FoundEvent)]


def a_copy(folder: Path, of: Path, data: bytes) -> Path:
    """Write a file where its format looks for it, below a folder of the test."""
    path = folder / of.relative_to(SAMPLES)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
@LAW
@given(
    data=st.binary()
    | st.text().map(lambda text: text.encode("utf-8", "surrogatepass"))
    | ODD.map(lambda value: json.dumps(value).encode())
)
def test_any_bytes_are_read_or_refused(known: Format, data: bytes, tmp_path: Path) -> None:
    for name in ("a.json", "a.jsonl", "2026-03-04.json", "logs/2026/03/2026-03-04.md", "a.git.log"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        check(read_as(known, path))


@pytest.mark.parametrize("of", PATHS, ids=lambda path: path.relative_to(SAMPLES).parts[0])
@LAW
@given(data=st.data())
def test_a_file_that_is_cut_or_overwritten_anywhere_is_read_as_far_as_it_goes(
    of: Path, data: st.DataObject, tmp_path: Path
) -> None:
    whole = of.read_bytes()
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    put = data.draw(
        st.binary(max_size=20) | st.text(max_size=20).map(lambda text: text.encode("utf-8", "surrogatepass"))
    )
    path = a_copy(tmp_path, of, whole[:start] + put + whole[end:])
    known = find_format(of)
    assert known is not None
    check(read_as(known, path))
    with suppress(BadInputError):  # of bytes that look like another encoding
        find_format(path)


def places_in(value: object, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the places of all values in a document."""
    items: Iterable[tuple[Any, object]] = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    return [place, *(inner for key, held in items for inner in places_in(held, (*place, key)))]


def put_in(document: Any, place: tuple[Any, ...], value: object) -> Any:
    if not place:
        return value
    held = document
    for key in place[:-1]:
        held = held[key]
    held[place[-1]] = value
    return document


@pytest.mark.parametrize("of", JSON, ids=lambda path: path.relative_to(SAMPLES).parts[0])
@LAW
@given(data=st.data())
def test_a_value_of_any_type_anywhere_costs_its_own_message_and_no_other(
    of: Path, data: st.DataObject, tmp_path: Path
) -> None:
    is_lines = of.suffix == ".jsonl"
    text = of.read_text(encoding="utf-8")
    document = [json.loads(line) for line in text.splitlines()] if is_lines else json.loads(text)
    has_talks = is_lines and any("messages" in line for line in document)  # whose lines are not its messages
    place = data.draw(st.sampled_from(places_in(document)))
    changed = put_in(document, place, data.draw(ODD))
    if is_lines and not isinstance(changed, list):
        return
    written = "\n".join(map(json.dumps, changed)) if is_lines else json.dumps(changed, indent=2)
    path = a_copy(tmp_path, of, written.encode())
    known = find_format(of)
    assert known is not None
    items = read_as(known, path)
    check(items)
    if is_lines and len(place) > 1 and place[0] > 0 and not has_talks:
        before = [item for item in read_as(known, of) if item.line != place[0] + 1]
        texts = Counter(item.text for item in before if isinstance(item, FoundEvent))
        assert not texts - Counter(item.text for item in items if isinstance(item, FoundEvent))


@pytest.mark.parametrize("of", PATHS, ids=lambda path: path.relative_to(SAMPLES).parts[0])
@LAW
@given(data=st.data())
def test_a_file_that_grew_keeps_the_ids_of_what_stood_in_it(of: Path, data: st.DataObject, tmp_path: Path) -> None:
    known = find_format(of)
    assert known is not None
    grown = grow(of, data.draw)
    if grown is None:
        return
    before = ids_of(read_as(known, a_copy(tmp_path, of, of.read_bytes())))
    after = ids_of(read_as(known, a_copy(tmp_path, of, grown)))
    assert len(set(after)) == len(after)
    assert set(before) <= set(after)


def grow(of: Path, draw: Callable[[st.SearchStrategy[Any]], Any]) -> bytes | None:
    """Return a file with its last part once more, as if it had been said again; None for one that does not grow by parts."""
    text = of.read_text(encoding="utf-8")
    times: int = draw(st.integers(1, 3))
    if of.suffix == ".jsonl":
        last = json.loads(text.splitlines()[-1])
        last = [
            {**last, **({key: f"{last[key]}-{n}" for key in ("id", "session_id") if key in last})} for n in range(times)
        ]
        last = [{**one, "cursor": 10 + n} if "cursor" in one else one for n, one in enumerate(last)]
        return (text + "\n".join(map(json.dumps, last)) + "\n").encode()
    if of.name == ".aider.chat.history.md":
        return (text + "\n#### And again.\n\nYes.\n" * times).encode()
    if of.suffix == ".md":
        return (text + "\n_**User**_\n\nAnd again.\n" * times).encode()
    if of.suffix == ".log":
        return (
            "".join(f"commit {n:040d}\nAuthor: Ann <a@b>\n\n    Again\n\n" for n in range(times)).encode()
            + text.encode()
        )
    return None
