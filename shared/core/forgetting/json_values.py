"""Change the words of a JSON value: its strings and its keys. It stays valid, and keeps its shape."""

from collections.abc import Callable, Collection, Iterator
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
    return change_strings(value, lambda text: replace_in(text, find), own=own, finish=_mark_images)


def change_strings(
    value: Any,  # noqa: ANN401 - any JSON
    change: Callable[[str], str],
    *,
    own: Collection[str] = (),
    finish: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]] = lambda _, after: after,
) -> Any:  # noqa: ANN401 - any JSON
    """Return a JSON value with another text for each of its strings and keys; the same object when none changes.

    Args:
        value: what `json.loads` returns.
        change: returns the other text.
        own: keys whose values stay if they are strings.
        finish: completes an object that has changed, from what it was and what it is now.
    """
    match value:
        case str():
            changed = change(value)
            return value if changed == value else changed
        case list():
            kept = [change_strings(one, change, own=own, finish=finish) for one in value]
            return value if all(a is b for a, b in zip(kept, value, strict=True)) else kept
        case dict():
            after: dict[str, Any] = {}
            for key, one in value.items():
                name = change(key)
                while name in after:  # two keys have become one: neither value is lost
                    name += "+"
                is_own = key in own and isinstance(one, str)
                after[name] = one if is_own else change_strings(one, change, own=own, finish=finish)
            is_same = after.keys() == value.keys() and all(after[key] is one for key, one in value.items())
            return value if is_same else finish(value, after)
        case _:
            return value


def _mark_images(value: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    marks = {mark: True for image, mark in _IMAGES.items() if after.get(image) is not value.get(image)}
    return after | marks if isinstance(after.get("after"), dict) else after


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
