"""A dispatch that sends nothing: a benchmark runs the phases itself."""


class Silent:
    """Implements `Dispatch`."""

    def send_dream(self, *_: object, **__: object) -> None:
        """Send nothing."""

    def send_chain(self, *_: object, **__: object) -> None:
        """Send nothing."""

    def send_check(self, *_: object, **__: object) -> None:
        """Send nothing."""

    def send_evaluation(self, *_: object, **__: object) -> None:
        """Send nothing."""

    def send_delivery(self, *_: object, **__: object) -> None:
        """Send nothing."""
