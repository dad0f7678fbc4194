"""The steps of each operation of the client: see `calls`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar
from urllib.parse import quote

from slowwave_client.calls import Call, Pause, Steps, get, named, post, read
from slowwave_client.errors import ConflictError, NotFoundError, WaitTooLongError
from slowwave_client.models import (
    Appended,
    Dream,
    DreamNow,
    Evaluation,
    EvaluationDetail,
    EventInput,
    HitPage,
    Log,
    Memory,
    MemoryLine,
    MemoryLinePage,
    Operation,
    Probes,
    Redo,
    Session,
    State,
    Store,
    Undo,
)

Lasting = TypeVar("Lasting", DreamNow, EvaluationDetail)
ACTIVE = frozenset({"queued", "running"})
_FIRST_LOOK_SECONDS, _LONGEST_LOOK_SECONDS = 0.2, 5.0
#: As many events as the API takes at once.
_EVENTS_AT_ONCE = 500
_ID = "mem_"


def start_dream(
    store: str, *, force: bool, dry_run: bool, only: Literal["digest", "compaction"] | None, again: str | None
) -> Steps[Dream]:
    """Start a dream."""
    body = named(store=store, force=force, dry_run=dry_run, only=only)
    return post(Dream, "/api/dreams", body, again)


def wait_for_dream(dream_id: str, seconds: float | None) -> Steps[DreamNow]:
    """Look at a dream until it has ended, ever less often."""
    return _wait(lambda: get_dream(dream_id), f"The dream {dream_id}", seconds)


def _wait(look: Callable[[], Steps[Lasting]], name: str, seconds: float | None) -> Steps[Lasting]:
    until, pause = None if seconds is None else time.monotonic() + seconds, _FIRST_LOOK_SECONDS
    while True:
        seen = yield from look()
        if seen.state not in ACTIVE:
            return seen
        if until is not None and time.monotonic() + pause > until:
            raise WaitTooLongError(f"{name} is still {seen.state} after {seconds:g} seconds")
        yield Pause(pause)
        pause = min(pause * 1.5, _LONGEST_LOOK_SECONDS)


def get_dream(dream_id: str) -> Steps[DreamNow]:
    """Read a dream."""
    return get(DreamNow, f"/api/dreams/{quote(dream_id, safe='')}")


def get_dream_log(dream_id: str) -> Steps[Log]:
    """Read what a dream did and why."""
    return get(Log, f"/api/dreams/{quote(dream_id, safe='')}/log")


def cancel_dream(dream_id: str) -> Steps[State]:
    """Ask a dream to stop."""
    return post(State, f"/api/dreams/{quote(dream_id, safe='')}/cancel", None, None)


def undo_dream(dream_id: str, *, force: bool) -> Steps[Undo]:
    """Undo a dream."""
    return post(Undo, f"/api/dreams/{quote(dream_id, safe='')}/undo", {"force": force}, None)


def redo_dream(dream_id: str, *, force: bool) -> Steps[Redo]:
    """Redo an undone dream."""
    return post(Redo, f"/api/dreams/{quote(dream_id, safe='')}/redo", {"force": force}, None)


def start_evaluation(store: str, order: Mapping[str, Any], again: str | None) -> Steps[Evaluation]:
    """Start an evaluation of a store."""
    return post(Evaluation, f"{stores(store)}/evaluations", named(**order), again)


def get_probes(store: str) -> Steps[Probes]:
    """Read the questions of its own that a store keeps."""
    return get(Probes, f"{stores(store)}/probes")


def set_probes(store: str, probes: Sequence[Mapping[str, Any]]) -> Steps[Probes]:
    """Replace the questions of its own that a store keeps."""
    return read(Probes, (yield Call("PUT", f"{stores(store)}/probes", body={"probes": list(probes)})))


def wait_for_evaluation(store: str, evaluation_id: str, seconds: float | None) -> Steps[EvaluationDetail]:
    """Look at an evaluation until it has ended, ever less often."""
    return _wait(lambda: get_evaluation(store, evaluation_id), f"The evaluation {evaluation_id}", seconds)


def get_evaluation(store: str, evaluation_id: str) -> Steps[EvaluationDetail]:
    """Read an evaluation with its report."""
    return get(EvaluationDetail, _evaluation(store, evaluation_id))


def cancel_evaluation(store: str, evaluation_id: str) -> Steps[Evaluation]:
    """Cancel an evaluation."""
    return post(Evaluation, f"{_evaluation(store, evaluation_id)}/cancel", None, None)


def set_arm(store: str, arm: str, settings: Mapping[str, Any]) -> Steps[Store]:
    """Put a store into an arm, with its settings there."""
    return read(Store, (yield Call("PATCH", stores(store), body=named(arm=arm, **settings))))


def find_memory_id(store: str, id_or_path: str) -> Steps[str]:
    """Return the id of a live memory. Raises NotFoundError for a path that no live memory has."""
    if id_or_path.startswith(_ID) and "." not in id_or_path and "/" not in id_or_path:
        return id_or_path
    found = yield from find_line(store, id_or_path)
    if found is None:
        problem = {"type": "not-found", "detail": f"There is no memory at {id_or_path} in the store {store}"}
        raise NotFoundError(404, problem, "")
    return found.id


def find_line(store: str, path: str) -> Steps[MemoryLine | None]:
    """Return the live memory at a path without its text, or None."""
    page = yield from get(MemoryLinePage, f"{stores(store)}/memories", prefix=path, limit=1)
    first = page.data[0] if page.data else None  # by path: the shortest with this beginning is the first
    return first if first is not None and first.path == path else None


def get_memory(store: str, id_or_path: str) -> Steps[Memory]:
    """Read a memory with its text."""
    memory_id = yield from find_memory_id(store, id_or_path)
    return (yield from get(Memory, _memory(store, memory_id)))


def put_memory(store: str, path: str, content: str, *, fields: Mapping[str, Any]) -> Steps[Memory]:
    """Create the memory at a path, or change its text and fields."""
    try:
        memory_id = yield from find_memory_id(store, path)
    except NotFoundError:
        try:
            return (yield from create_memory(store, path, content, fields=fields))
        except ConflictError:  # someone else was quicker
            memory_id = yield from find_memory_id(store, path)
    changes = {name: value for name, value in fields.items() if name in {"importance", "pinned"}}
    return (yield from change_memory(store, memory_id, {"content": content, **changes}))


def create_memory(store: str, path: str, content: str, *, fields: Mapping[str, Any]) -> Steps[Memory]:
    """Create a memory. Raises ConflictError for a path that is taken."""
    body = {"path": path, "content": content, **named(**fields)}
    return post(Memory, f"{stores(store)}/memories", body, None)


def change_memory(store: str, memory_id: str, changes: Mapping[str, Any]) -> Steps[Memory]:
    """Change a memory; with `content_sha256` only if its text has that hash."""
    body = named(**changes)
    answer = yield Call("PATCH", _memory(store, memory_id), body=body, is_safe="content_sha256" not in body)
    return read(Memory, answer)


def delete_memory(store: str, id_or_path: str) -> Steps[Memory]:
    """Archive a memory."""
    memory_id = yield from find_memory_id(store, id_or_path)
    return read(Memory, (yield Call("DELETE", _memory(store, memory_id))))


def search_memories(store: str, words: str, limit: int) -> Steps[HitPage]:
    """Search live and archived memories."""
    return get(HitPage, f"{stores(store)}/search", q=words, limit=limit)


def append_events(
    store: str,
    session: str,
    events: Sequence[EventInput | Mapping[str, Any]],
    *,
    labels: Mapping[str, str] | None,
    is_over: bool,
) -> Steps[Appended]:
    """Append events to a session, which the first of them begins; the counts are of all of them."""
    begun = yield from post(
        Session, f"{stores(store)}/sessions", {"external_id": session, "labels": dict(labels or {})}, None
    )
    path, sent = f"{stores(store)}/sessions/{quote(begun.id, safe='')}/events", [_event(one) for one in events]
    added = known = start = 0
    while True:
        part, start = sent[start : start + _EVENTS_AT_ONCE], start + _EVENTS_AT_ONCE
        is_last = start >= len(sent)
        body = {"events": part, "current": not (is_over and is_last)}
        appended = yield from post(Appended, path, body, None)
        added, known = added + appended.added, known + appended.known
        if is_last:
            return appended.model_copy(update={"added": added, "known": known})


def get_operation(operation_id: str) -> Steps[Operation]:
    """Read an operation."""
    return get(Operation, f"/api/reviews/{quote(operation_id, safe='')}")


def decide(
    operation_id: str, verdict: Literal["approve", "reject", "reopen", "assign", "comment"], body: Mapping[str, Any]
) -> Steps[Operation]:
    """Decide about an operation, or ask and tell others about it."""
    return post(Operation, f"/api/reviews/{quote(operation_id, safe='')}/{verdict}", named(**body), None)


def stores(store: str) -> str:
    """Return the address of a store."""
    return f"/api/stores/{quote(store, safe='')}"


def _evaluation(store: str, evaluation_id: str) -> str:
    return f"{stores(store)}/evaluations/{quote(evaluation_id, safe='')}"


def _memory(store: str, memory_id: str) -> str:
    return f"{stores(store)}/memories/{quote(memory_id, safe='')}"


def _event(event: EventInput | Mapping[str, Any]) -> dict[str, Any]:
    checked = event if isinstance(event, EventInput) else EventInput.model_validate(event)
    return checked.model_dump(mode="json", exclude_unset=True)
