"""Mask secrets in texts before they are stored, unless the installation turns that off."""

from functools import cache

from shared.adapters.secrets.mask import SecretMask
from shared.core.policy.masked import name_masked
from shared.settings import Settings


def find_mask(settings: Settings) -> SecretMask | None:
    """Return the mask, made once per process; None if masking is off."""
    return _mask() if settings.mask_secrets else None


def tell_masked(given: str, stored: str) -> str:
    """Return the end of a sentence, about what was masked; empty if nothing was."""
    kinds = name_masked(given, stored)
    return f"; masked: {', '.join(kinds)}" if kinds else ""


@cache
def _mask() -> SecretMask:
    return SecretMask()
