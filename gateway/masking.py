"""Mask secrets in texts before they are stored, unless the installation turns that off."""

from functools import cache

from shared.adapters.secrets.mask import SecretMask
from shared.settings import Settings


def find_mask(settings: Settings) -> SecretMask | None:
    """Return the mask, made once per process; None if masking is off."""
    return _mask() if settings.mask_secrets else None


@cache
def _mask() -> SecretMask:
    return SecretMask()
