"""Seal secrets with the installation's key (Fernet: AES and HMAC), which is not in the database."""

import base64
import hashlib
from collections.abc import Callable, Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from shared.core.errors import BadInputError, PermanentError


class FernetSealer:
    """Implements `Sealer`. The first key seals, all keys unseal, so that a key can be rotated without downtime."""

    def __init__(self, find_keys: Callable[[], Sequence[str]]) -> None:
        self._find_keys = find_keys

    def seal(self, owner: str, secret: str) -> str:
        """Return a secret sealed for its owner."""
        return self._fernet().encrypt(f"{owner} {secret}".encode()).decode()

    def unseal(self, owner: str, sealed: str) -> str:
        """Return a secret."""
        try:
            found, _, secret = self._fernet().decrypt(sealed.encode()).decode().partition(" ")
        except InvalidToken:
            raise PermanentError("A webhook's secret was encrypted with another SLOWWAVE_SECRETS_KEY") from None
        if found != owner:
            raise PermanentError(f"The webhook secret of {owner} was encrypted for another owner")
        return secret

    def _fernet(self) -> MultiFernet:
        keys = self._find_keys()
        if not keys:
            raise BadInputError(
                "No key to encrypt webhook secrets with: set SLOWWAVE_SECRETS_KEY, the same for every process, "
                "to the output of `openssl rand -hex 32`"
            )
        return MultiFernet([_fernet_of(key) for key in keys])


def _fernet_of(key: str) -> Fernet:
    """Return the cipher of a key. A key is a text of at least 256 random bits, so a plain hash gives the length needed."""
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(key.encode()).digest()))
