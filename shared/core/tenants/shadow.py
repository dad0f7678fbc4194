"""Names and ids of shadows: copies of a store that an evaluation dreams over, and that nothing else sees.

A shadow's name is `<evaluation>/<repeat>.<mark>/<store>`; no store that a person makes has a slash in its name.
"""

SHADOW_PREFIX = "shadow_"


def name_shadow(evaluation_id: str, mark: str, store: str, repeat: int) -> str:
    """Return the name of a new shadow of a store, or of a shadow; `repeat` counts those that dream alike."""
    return f"{evaluation_id}/{repeat}.{mark}/{original_name(store)}"


def is_shadow(name: str) -> bool:
    """Tell whether a store's name is that of a shadow."""
    return "/" in name


def original_name(name: str) -> str:
    """Return the name of the store that a shadow is a copy of; that of any other store is returned as it is."""
    return name.rpartition("/")[2]


def find_evaluation_id(name: str) -> str:
    """Return the evaluation that a shadow belongs to; empty for any other store."""
    return name.partition("/")[0] if is_shadow(name) else ""


def find_repeat(name: str) -> int:
    """Return which of the shadows that dream alike a shadow is; 0 for the first one, and for any other store."""
    return int(name.split("/")[1].partition(".")[0]) if is_shadow(name) else 0


def find_ending(name: str) -> str:
    """Return what the ids of a shadow's rows end with; empty for any other store, whose ids end with nothing."""
    return "." + name.split("/")[1].partition(".")[2] if is_shadow(name) else ""
