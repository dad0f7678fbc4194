"""Take words out of a JSON value: out of its strings and its keys. It stays valid, and keeps its shape."""

from collections.abc import Collection, Iterator
from typing import Any

from shared.core.forgetting.words import Finder, replace_in

#: The images of a memory in an effect, and what says that one has lost words, so that no undo brings it back as it is.
_IMAGES = {"before": "is_before_redacted", "after": "is_after_redacted"}


def replace_in_json(value: Any, find: Finder, *, own: Collection[str] = ()) -> Any:  # noqa: ANN401 - any JSON
    """Return a JSON value without these words; the same object when none stand in it.

    Args:
        value: what `json.loads` returns.
        find: what is to be forgotten.
        own: keys whose values are slowwave's own words or ids, and stay.
    """
    match value:
        case str():
            return replace_in(value, find)
        case list():
            kept = [replace_in_json(one, find, own=own) for one in value]
            return value if all(a is b for a, b in zip(kept, value, strict=True)) else kept
        case dict():
            return _replace_in_object(value, find, own)
        case _:
            return value


def _replace_in_object(value: dict[str, Any], find: Finder, own: Collection[str]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    is_changed = False
    for key, one in value.items():
        name = replace_in(key, find)
        while name in kept:  # two keys have become one
            name += "+"
        kept[name] = one if key in own and isinstance(one, str) else replace_in_json(one, find, own=own)
        is_changed = is_changed or name != key or kept[name] is not one
    if not is_changed:
        return value
    marks = {mark: True for image, mark in _IMAGES.items() if kept.get(image) is not value.get(image)}
    return kept | marks if isinstance(kept.get("after"), dict) else kept


def strings_of_json(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    """Yield the strings and the keys of a JSON value."""
    match value:
        case str():
            yield value
        case list():
            for one in value:
                yield from strings_of_json(one)
        case dict():
            for key, one in value.items():
                yield key
                yield from strings_of_json(one)
