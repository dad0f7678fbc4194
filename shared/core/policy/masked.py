"""The marks that stand for masked secrets in a text: `[masked: AWS Access Key]`."""

import re
from collections import Counter

_MARK = re.compile(r"\[masked: ([^\]\n]{1,60})\]")


def name_masked(given: str, stored: str) -> list[str]:
    """Return the kinds of secrets that were masked in a text before it was stored, each as often as it was found."""
    if given == stored or not given:
        return []
    return sorted((Counter(_MARK.findall(stored)) - Counter(_MARK.findall(given))).elements())
