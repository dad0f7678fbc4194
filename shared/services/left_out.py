"""Leave out of what comes in what was forgotten before: every entry calls this where it masks secrets."""

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from shared.core.forgetting.json_values import change_strings
from shared.counting import count
from shared.ports.database import UnitOfWork

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


def leave_out(uow: UnitOfWork, store_id: str, text: str) -> str:
    """Return a text that is about to be stored, with a mark for what was forgotten in the store."""
    kept = uow.leave_out(store_id)(text)
    if kept != text:
        count("slowwave_forgotten_left_out_total")
    return kept


def leave_out_of(uow: UnitOfWork, store_id: str, item: T) -> T:
    """Return a value whose texts, and lists of texts, are without what was forgotten; words of slowwave's own stay."""
    changed: dict[str, object] = {}
    for one in fields(item):
        value = getattr(item, one.name)
        if type(value) is str:
            changed[one.name] = leave_out(uow, store_id, value)
        elif type(value) is tuple and all(type(part) is str for part in value):
            changed[one.name] = tuple(leave_out(uow, store_id, part) for part in value)
    return replace(item, **changed)


def leave_out_of_json(uow: UnitOfWork, store_id: str, value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return a JSON value whose strings and keys are without what was forgotten."""
    return change_strings(value, lambda text: leave_out(uow, store_id, text))


def name_of_session(external_id: str) -> str:
    """Return the text by which a forgotten session is known when it is imported again."""
    return f"session {external_id}"


def is_forgotten_session(uow: UnitOfWork, store_id: str, external_id: str) -> bool:
    """Tell whether a session was forgotten, or its id says what was."""
    leave = uow.leave_out(store_id)
    return any(leave(text) != text for text in (external_id, name_of_session(external_id)))
