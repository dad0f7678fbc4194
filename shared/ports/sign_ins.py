"""What browsers that are signed in, or about to be, are remembered by."""

from typing import Protocol


class SignIns(Protocol):
    """Texts by a secret word that only one browser has. Raises ServiceUnavailableError when it cannot be reached."""

    def put(self, token: str, text: str, *, seconds: int) -> None:
        """Keep a text for so long; what was kept under the same word is replaced."""

    def get(self, token: str) -> str | None:
        """Return the text, or None when its time is over."""

    def replace(self, token: str, text: str) -> None:
        """Replace a text that is still kept; its end stays."""

    def remove(self, token: str) -> None:
        """Forget a text."""
