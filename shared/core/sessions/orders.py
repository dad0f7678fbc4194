"""Instructions about the memory itself: "delete all memories" asks for something, and states nothing worth remembering."""

import re

_LEAD = (
    r"\W{0,8}(?:(?:no|nope|please|now|just|ok(?:ay)?|and|so|then|actually|you (?:must|should|have to|need to)|"
    r"i (?:want|need) you to|(?:can|could|would) you)[,.!: ]{1,3}){0,5}"
)
_VERB = r"(?:delete|remove|erase|wipe|clear|forget|drop|purge|reset|destroy|discard|archive|throw away|get rid of)"
_WHICH = r"(?:(?:all|any|every|the|your|my|our|its|these|those|this|that|of|saved|stored|existing|old|wrong|whole|entire)\s{1,3}){0,6}"
_STOP = r"\W{0,3}$|\s?[,.;:!?)]"
_END = rf"(?={_STOP}|\s{{1,3}}(?:about|of|you|i|we|that|which|because|they|it|from|in|now|please|and|again)\b)"
_END_OF_ALL = rf"(?={_STOP}|\s{{1,3}}(?:you|i|we) (?:know|remember|have|told|said)\b)"
_ORDER = re.compile(
    rf"{_LEAD}{_VERB}\s{{1,3}}{_WHICH}(?:(?:memory|memories|all (?:my |your |our |the )?notes|what you (?:know|remember))"
    rf"{_END}|everything{_END_OF_ALL})",
    re.IGNORECASE,
)


def is_memory_order(text: str) -> bool:
    """Tell whether a text begins with an instruction to delete, forget or reset memories, whatever its reason."""
    return _ORDER.match(text[:400]) is not None
