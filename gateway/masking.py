"""Mask secrets in texts before they are stored, unless the installation turns that off."""

import re
from collections import Counter
from functools import cache

from shared.adapters.secrets.mask import SecretMask
from shared.settings import Settings


def find_mask(settings: Settings) -> SecretMask | None:
    """Return the mask, made once per process; None if masking is off."""
    return _mask() if settings.mask_secrets else None


_MARK = re.compile(r"\[masked: ([^\]\n]{1,60})\]")


def name_masked(given: str, stored: str) -> list[str]:
    """Return the kinds of secrets that were masked in a text before it was stored, each as often as it was found."""
    found = Counter(_MARK.findall(stored)) - Counter(_MARK.findall(given)) if given else Counter[str]()
    return sorted(found.elements())


def tell_masked(given: str, stored: str) -> str:
    """Return the end of a sentence, about what was masked; empty if nothing was."""
    kinds = name_masked(given, stored)
    return f"; masked: {', '.join(kinds)}" if kinds else ""


@cache
def _mask() -> SecretMask:
    return SecretMask()
