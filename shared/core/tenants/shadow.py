"""Names and ids of shadows: copies of a store that an evaluation dreams over, and that nothing else sees.

A shadow's name is `<evaluation>/<mark>/<store>`; no store that a person makes has a slash in its name.
"""

SHADOW_PREFIX = "shadow_"


def name_shadow(evaluation_id: str, mark: str, store: str) -> str:
    """Return the name of a new shadow of a store, or of a shadow."""
    return f"{evaluation_id}/{mark}/{original_name(store)}"


def is_shadow(name: str) -> bool:
    """Tell whether a store's name is that of a shadow."""
    return "/" in name


def original_name(name: str) -> str:
    """Return the name of the store that a shadow is a copy of; that of any other store is returned as it is."""
    return name.rpartition("/")[2]


def find_evaluation_id(name: str) -> str:
    """Return the evaluation that a shadow belongs to; empty for any other store."""
    return name.partition("/")[0] if is_shadow(name) else ""
