"""The prompt that was sent to a model for one question."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The texts of one call in their order: the rules and the instructions, then the question in its pieces.

    The schema of the answer is sent separately: it belongs to the code, and is the same in every call of a phase.
    """

    system: tuple[str, ...]
    question: tuple[str, ...]
