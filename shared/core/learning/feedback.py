"""Feedback of people and tools on an agent's work, and workflow runs: what an agent did, step by step."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from shared.core.errors import BadInputError
from shared.core.memory.writers import Rank
from shared.core.sessions.transcript import clean_id, clean_text

#: The longest text that is kept. Feedback is a sentence or a page; anything longer is a pasted document.
MAX_TEXT_CHARS = 20_000
MAX_NAME_CHARS = 200
MAX_STEPS = 100
MAX_STEP_CHARS = 500


class FeedbackKind(StrEnum):
    """The kinds of feedback. The names but the last are RockBot's, in this project's spelling."""

    CORRECTION = "correction"
    TOOL_FAILURE = "tool_failure"
    SESSION_SUMMARY = "session_summary"
    THUMBS_UP = "thumbs_up"
    THUMBS_DOWN = "thumbs_down"
    FORGET = "forget"  # of a memory: a person decides


class Rating(StrEnum):
    """The rating of a session, in a session summary; no other feedback has one."""

    NONE = ""
    POOR = "poor"
    FAIR = "fair"
    GOOD = "good"


class RunOutcome(StrEnum):
    """The outcome of a workflow."""

    SUCCESS = "success"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFeedback:
    """Feedback to be recorded. Feedback with an `external_id` that the store already has is not recorded again.

    Attributes:
        kind: the kind of feedback.
        text: the words, or the error; may be empty for thumbs.
        rating: of a session summary.
        subject: its subject: a memory's path or id, a domain, a tool's name; may be empty.
        skill: the skill that it is about, if that is known.
        session: the session that it belongs to, by the id of its source, if any.
        external_id: the source's id of the feedback; if empty, each recording is new feedback.
        occurred_at: the time at which it was given; None: now.
        rank: the trust in its writer.
    """

    kind: FeedbackKind
    text: str = ""
    rating: Rating = Rating.NONE
    subject: str = ""
    skill: str = ""
    session: str = ""
    external_id: str = ""
    occurred_at: datetime | None = None
    rank: Rank = Rank.AGENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """Feedback as it is stored; `consumed_by` is the dream that has made use of it."""

    id: str
    external_id: str
    kind: FeedbackKind
    text: str
    rating: Rating
    subject: str
    skill: str
    session: str
    occurred_at: datetime
    consumed_by: str | None = None
    rank: Rank = Rank.AGENT


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """A workflow run to be recorded.

    Attributes:
        description: the task in words; runs of one kind have the same or nearly the same description.
        steps: the steps taken, in order.
        outcome: how it ended.
        classification: the kind of failure, such as `timeout`; empty when it was not classified.
        error: the last words of a run that failed.
        skills: the names of skills that were used.
        session: as in `NewFeedback`.
        external_id: as in `NewFeedback`.
        occurred_at: as in `NewFeedback`.
    """

    description: str
    steps: tuple[str, ...] = ()
    outcome: RunOutcome = RunOutcome.SUCCESS
    classification: str = ""
    error: str = ""
    skills: tuple[str, ...] = ()
    session: str = ""
    external_id: str = ""
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowRun:
    """A workflow run as it is stored; `consumed_by` is the dream that has learnt from it."""

    id: str
    external_id: str
    description: str
    steps: tuple[str, ...]
    outcome: RunOutcome
    classification: str
    error: str
    skills: tuple[str, ...]
    session: str
    occurred_at: datetime
    consumed_by: str | None = None


def check_feedback(feedback: NewFeedback) -> NewFeedback:
    """Return feedback in a form that can be stored: without NUL and half surrogate pairs, cut to size.

    Raises:
        BadInputError: a rating is missing or not allowed, or the feedback is empty.
    """
    text = cut(feedback.text, MAX_TEXT_CHARS)
    is_summary = feedback.kind is FeedbackKind.SESSION_SUMMARY
    if is_summary != bool(feedback.rating):
        raise BadInputError("A session_summary needs a rating (poor, fair or good); other feedback takes none")
    if not text.strip() and feedback.kind in {FeedbackKind.CORRECTION, FeedbackKind.TOOL_FAILURE}:
        raise BadInputError(f"A {feedback.kind} needs a text that says what was corrected or what failed")
    return NewFeedback(
        kind=feedback.kind,
        text=text,
        rating=feedback.rating,
        subject=cut(feedback.subject, MAX_NAME_CHARS).strip(),
        skill=cut(feedback.skill, MAX_NAME_CHARS).strip(),
        session=clean_id(feedback.session),
        external_id=clean_id(feedback.external_id),
        occurred_at=feedback.occurred_at,
        rank=feedback.rank,
    )


def check_run(run: NewRun) -> NewRun:
    """Return a run in a form that can be stored. Raises BadInputError without a description or a failure's words."""
    description = cut(run.description, MAX_TEXT_CHARS)
    if not description.strip():
        raise BadInputError("A workflow run needs a description of its task")
    return NewRun(
        description=description,
        steps=tuple(cut(step, MAX_STEP_CHARS) for step in run.steps[:MAX_STEPS]),
        outcome=run.outcome,
        classification=cut(run.classification, MAX_NAME_CHARS).strip(),
        error=cut(run.error, MAX_TEXT_CHARS),
        skills=tuple(dict.fromkeys(cut(skill, MAX_NAME_CHARS).strip() for skill in run.skills[:MAX_STEPS])),
        session=clean_id(run.session),
        external_id=clean_id(run.external_id),
        occurred_at=run.occurred_at,
    )


def cut(text: str, limit_chars: int) -> str:
    """Return a text that can be stored, cut with a mark if it is too long."""
    head = clean_text(text[: limit_chars + 1])
    return head if len(head) <= limit_chars else f"{head[: limit_chars - 1]}…"
