"""The prompt that was sent to a model for one question."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The texts of one call in their order: the rules and the instructions, then the question in its pieces.

    The schema of the answer goes beside them and is not part of it: it is the code's, and the same in every call of a phase.
    """

    system: tuple[str, ...]
    question: tuple[str, ...]
