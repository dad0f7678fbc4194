"""The answer to a second question about a merge that lost specifics."""

from shared.core.questions.answer import Answer


class RepairAnswer(Answer):
    """A merged text again, now with the specifics that it had lost."""

    merged_content: str
