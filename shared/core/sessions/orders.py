"""Instructions about the memory itself: "delete all memories" asks for something, and states nothing worth remembering."""

from shared.languages.language_file import pattern_of

_ORDER = pattern_of("memory_orders", r"\W{0,8}<>", is_whole=False)


def is_memory_order(text: str) -> bool:
    """Tell whether a text begins with an instruction to delete, forget or reset memories, whatever its reason."""
    return _ORDER.match(text[:400]) is not None
