"""What looks like a secret is taken out of texts before they are stored, unless the installation says otherwise."""

from functools import cache

from shared.adapters.secrets.mask import SecretMask
from shared.settings import Settings


def find_mask(settings: Settings) -> SecretMask | None:
    """Return what masks texts, made once for each process; None where texts are stored as they are."""
    return _mask() if settings.mask_secrets else None


@cache
def _mask() -> SecretMask:
    return SecretMask()
