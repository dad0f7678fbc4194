"""Read the JSON that directives written for RockBot ask for as slowwave's own answers.

`{"toDelete": [ids], "toSave": [{"content", "category", "tags", "sourceIds"}]}`: a saved text with several sources is a
merge of them; one with a single source replaces its text. The sources of a merge go with it (RockBot's exhaustive
deletion); ids that stand only in `toDelete` stay there. Ids are the paths that were offered. Category and tags refine
those of the file.
"""

from collections.abc import Mapping
from typing import Any


def read_memory_contract(value: Any) -> Any:  # noqa: ANN401 - whatever a model sent
    """Return an answer of RockBot's memory contract with `actions` in place of `toSave`; anything else as it is."""
    if not isinstance(value, Mapping) or not {"toSave", "toDelete"} & set(value):
        return value
    saved = [one for one in _items(value.get("toSave")) if isinstance(one, Mapping)]
    sources = {source for one in saved for source in _ids(one)}
    alone = [one for one in _items(value.get("toDelete")) if isinstance(one, str) and one not in sources]
    rest = {name: item for name, item in value.items() if name not in {"toSave", "toDelete"}}
    return {**rest, "actions": [*_items(value.get("actions")), *map(_action, saved)], "toDelete": alone}


def _action(saved: Mapping[str, Any]) -> dict[str, object]:
    sources, content = _ids(saved), saved.get("content")
    more = {
        "reason": saved.get("reason") or "",
        "category": _text(saved.get("category")),
        "tags": _texts(saved.get("tags")),
    }
    if len(sources) > 1:
        return {"type": "MERGE", "files": sources, "mergedContent": content, **more}
    if sources:
        return {"type": "TEMPORAL_UPDATE", "files": sources, "updatedContent": content, **more}
    return {"type": "SKIP", "files": (), "reason": "toSave without sourceIds: nothing offered says it"}


def _ids(saved: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(one for one in _items(saved.get("sourceIds")) if isinstance(one, str)))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    return [one for one in _items(value) if isinstance(one, str)]


def _items(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []
