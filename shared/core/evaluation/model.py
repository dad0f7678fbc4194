"""An evaluation: what was asked for, and how far it has come. It dreams over copies of a store, never over the store itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from shared.core.dream.phase_catalog import PhaseCatalog
from shared.core.errors import BadInputError
from shared.core.policy.profiles import PROFILES
from shared.core.questions.prices import FREE_MODEL

PREFIX = "eval"
MAX_DREAMS = 10
MAX_REPEATS = 9
MAX_OWN_PROBES = 1_000
#: A store keeps fewer: each dream over it is measured by them.
MAX_KEPT_PROBES = 200
MAX_PROBE_CHARS = 4_000
MAX_MODEL_CHARS = 256
MAX_USD = 10_000.0
#: Copies of texts stay no longer, and what is reserved for them.
LONGEST = timedelta(hours=24)
#: Models answer differently each time, so that one dream says little.
REPEATS_WITH_MODEL = 3
#: What JSON can say and PostgreSQL cannot store.
_NO_CHARACTER = re.compile("[\x00\ud800-\udfff]")


class EvaluationState(StrEnum):
    """The states of an evaluation; the last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELED = "canceled"


ACTIVE = frozenset({EvaluationState.QUEUED, EvaluationState.RUNNING})


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationOrder:
    """The request of a person who wants to know what dreams do to a store.

    Attributes:
        store: its name.
        actor: who asks.
        profile: the profile to dream with; None: the store's own.
        model: the model to dream with, or `offline` for the rules without one; None: the store's own.
        without: phases that are left out.
        ablate: also dream once without each optional phase that is switched on.
        dreams: so many dreams in a row.
        repeats: so many copies dream alike; None: 3 with a model, 1 without.
        max_usd: all dreams together cost no more.
        own: the owner's probes, rows with a `question` and its `evidence`; without any, those that the store keeps.
    """

    store: str
    actor: str
    profile: str | None = None
    model: str | None = None
    without: tuple[str, ...] = ()
    ablate: bool = False
    dreams: int = 1
    repeats: int | None = None
    max_usd: float = 1.0
    own: tuple[Mapping[str, object], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the order as it is stored."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "EvaluationOrder":
        """Return a stored order."""
        return cls(**{**stored, "without": tuple(stored["without"]), "own": tuple(stored["own"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One evaluation.

    Attributes:
        id: begins with `eval_`.
        terms: the fingerprint of what decides the verdict, stored before anything is measured; empty until then.
        progress: what it is doing, as a sentence.
        report: as `build_report` made it; None until it is done.
        reason: why it failed.
        cost_usd: of the dreams that have ended.
        work: what has been measured so far, for the next step.
    """

    id: str
    store_id: str
    store: str
    state: EvaluationState
    order: EvaluationOrder
    created_at: datetime
    terms: str = ""
    progress: str = ""
    report: Mapping[str, Any] | None = None
    reason: str = ""
    cost_usd: float = 0.0
    finished_at: datetime | None = None
    work: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_active(self) -> bool:
        """Tell whether it has not ended."""
        return self.state in ACTIVE


def check_order(order: EvaluationOrder, phases: PhaseCatalog) -> EvaluationOrder:
    """Return an order that can be carried out. Raises BadInputError saying what is wrong with it."""
    if order.profile is not None and order.profile not in PROFILES:
        raise BadInputError(f"There is no profile {order.profile!r}; choose one of {', '.join(sorted(PROFILES))}")
    if order.model is not None and not (1 <= len(order.model) <= MAX_MODEL_CHARS and order.model.isprintable()):
        raise BadInputError(f"A model's name has 1 to {MAX_MODEL_CHARS} printable characters")
    unknown = [name for name in order.without if name not in phases.switches]
    if unknown:
        raise BadInputError(
            f"{unknown[0][:100]!r} is no phase that can be left out; there are {', '.join(phases.switches)}"
        )
    _check_range("dreams", order.dreams, 1, MAX_DREAMS)
    if order.repeats is not None:
        _check_range("repeats", order.repeats, 1, MAX_REPEATS)
    if not 0 <= order.max_usd <= MAX_USD:
        raise BadInputError(f"max_usd is an amount from 0 to {MAX_USD:,.0f} dollars, not {order.max_usd:g}")
    if order.ablate and order.dreams > 1:
        raise BadInputError(
            "Leaving out each phase and several dreams in a row are two evaluations: ask for one of them"
        )
    check_probes(order.own, MAX_OWN_PROBES)
    return order


def count_repeats(order: EvaluationOrder, model: str) -> int:
    """Return how many copies dream alike: `model` is the one that they ask."""
    if order.repeats is not None:
        return order.repeats
    return 1 if model == FREE_MODEL else REPEATS_WITH_MODEL


def check_probes(rows: Sequence[Mapping[str, object]], most: int) -> None:
    """Raise BadInputError for too many rows, and for the first that has no question or evidence, or cannot be stored."""
    if len(rows) > most:
        raise BadInputError(f"At most {most:,} questions are taken here; these are {len(rows):,}")
    for number, row in enumerate(rows, start=1):
        question, evidence = row.get("question"), row.get("evidence")
        quotes = evidence if isinstance(evidence, list | tuple) else [evidence]
        texts = [one for one in (question, *quotes) if isinstance(one, str) and one.strip()]
        if len(texts) < 1 + max(1, len(quotes)):
            raise BadInputError(f"Probe {number} needs a question and its evidence: a quote, or a list of quotes")
        said = "".join((*texts, str(row.get("group") or "")))
        if len(said) > MAX_PROBE_CHARS:
            raise BadInputError(f"Probe {number} has more than {MAX_PROBE_CHARS:,} characters")
        if _NO_CHARACTER.search(said):
            raise BadInputError(f"Probe {number} holds a NUL or half a surrogate pair, which is no character of a text")


def _check_range(name: str, value: int, least: int, most: int) -> None:
    if isinstance(value, bool) or not least <= value <= most:
        raise BadInputError(f"{name} is a number from {least} to {most}, not {value}")
