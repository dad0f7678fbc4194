"""The result of an exam, and what holds of a model by its results."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from shared.core.exam.draws import EXAM_VERSION
from shared.core.exam.grading import Grade

#: The time after which a model is examined again: behind a name, a provider may change it.
EXAM_DAYS = 90
#: The owner of the endpoint that tenants share.
INSTALLATION = "installation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedModel:
    """A model at an endpoint, which one exam is about.

    Attributes:
        owner: whose endpoint it is: `installation`, `tenant:ID` or `tenant:ID/STORE`.
        server: the adapter and, where there is one, its address, region or project, without a password.
        model: its name there.
    """

    owner: str
    server: str
    model: str

    @property
    def is_own(self) -> bool:
        """Tell whether the endpoint is a tenant's own, so that its exam says nothing to others."""
        return self.owner != INSTALLATION


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamResult:
    """One exam of a model, or what a person set in its place.

    Attributes:
        id: of the row.
        examined: the model and its endpoint.
        fingerprint: of the prompts, the settings and the exam; empty if a person set it, which holds for all prompts.
        passed: whether the model has passed.
        reason: why not, in one sentence; or a person's reason.
        grade: what was counted; all 0 if a person set it.
        taken_at: when it ended.
        expires_at: when the model is examined again; None: a person's word holds until there is another result.
        set_by: the person who set it; empty for an exam.
        tokens: what it took, questions and answers.
        cost_usd: what it cost; 0.0 if the price is not known.
    """

    id: str
    examined: ExaminedModel
    fingerprint: str
    passed: bool
    reason: str
    grade: Grade
    taken_at: datetime
    expires_at: datetime | None
    set_by: str = ""
    tokens: int = 0
    cost_usd: float = 0.0

    @classmethod
    def of_grade(
        cls,
        identifier: str,
        examined: ExaminedModel,
        fingerprint: str,
        grade: Grade,
        *,
        now: datetime,
        tokens: int,
        usd: float,
    ) -> Self:
        """Return the result of an exam that has ended now."""
        return cls(
            id=identifier, examined=examined, fingerprint=fingerprint, passed=grade.passed, reason=grade.reason,
            grade=grade, taken_at=now, expires_at=now + timedelta(days=EXAM_DAYS), tokens=tokens, cost_usd=usd,
        )  # fmt: skip


def exam_fingerprint(prompts: Iterable[str], effort: str) -> str:
    """Return the fingerprint of what an exam depends on besides the model: 64 hex digits."""
    whole = json.dumps([EXAM_VERSION, *prompts, effort], ensure_ascii=False)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def find_valid(results: Iterable[ExamResult], fingerprint: str, now: datetime) -> ExamResult | None:
    """Return the newest result of one model that holds now for these prompts; None: it has to take an exam.

    Results of other prompts, of an older exam and expired ones do not hold.
    """
    holding = (
        one
        for one in results
        if one.fingerprint in {"", fingerprint} and (one.expires_at is None or one.expires_at > now)
    )
    return max(holding, key=lambda one: (one.taken_at, one.id), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamPrice:
    """The estimated size and cost of an exam; `usd` is None if the price of the model is not known."""

    model: str
    prompt_tokens: int
    answer_tokens: int
    usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamStanding:
    """The standing of a model that dreams ask.

    Attributes:
        examined: the model.
        is_on: whether models are examined at all.
        holding: the result that holds now.
        last: the newest result, which may have expired or be of other prompts.
        stores: the names of the stores whose dreams ask it.
    """

    examined: ExaminedModel
    is_on: bool
    holding: ExamResult | None
    last: ExamResult | None = None
    stores: tuple[str, ...] = ()

    @property
    def has_passed(self) -> bool:
        """Tell whether what the model decides may be applied."""
        return self.is_on and self.holding is not None and self.holding.passed

    def say(self) -> str:
        """Return the standing as one line for people."""
        if not self.is_on:
            return "not passed: exams are switched off"
        one = self.holding
        if one is None:
            why = "" if self.last is None else ", since its last one expired or asked with other prompts"
            return f"not passed: its next dream examines it{why}"
        if one.set_by:
            return f"{'passed' if one.passed else 'not passed'}: set by hand ({one.reason})"
        return "passed" if one.passed else f"not passed: {one.reason}"
