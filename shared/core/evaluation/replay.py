"""Score models on the questions of past dreams: how many operations each would repeat, by people's verdicts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from shared.core.dream.effects import touched_ids
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import Create, Operation, OperationKind

#: The target of an operation, whatever its text.
Target = tuple[str, frozenset[str]]
_TAKEN_BACK = frozenset({OperationState.REJECTED, OperationState.UNDONE})


#: Kinds that turn two memories into one.
_JOINING = frozenset({OperationKind.MERGE, OperationKind.RETIRE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Documents by path: either all say the same about one subject, or they share a template and have distinct subjects."""

    name: str
    documents: Mapping[str, str]
    is_same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationTerms:
    """The models to evaluate, the actor, the number of dreams, and the limits of questions and cost for each model.

    With families, the questions are about those, instead of the dreams' questions.
    """

    models: Sequence[str]
    actor: str
    dreams: int = 5
    questions: int = 100
    max_usd: float = 1.0
    families: Sequence[Family] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastOperation:
    """A past operation of a dream, and a person's verdict: approved, rejected (or undone), or none."""

    operation: Operation
    state: OperationState
    review: ReviewState

    @property
    def is_approved(self) -> bool:
        """Tell whether a person approved it."""
        return self.review is ReviewState.APPROVED and self.state not in _TAKEN_BACK

    @property
    def is_rejected(self) -> bool:
        """Tell whether a person rejected or undid it."""
        return self.review is ReviewState.REJECTED or self.state in _TAKEN_BACK


@dataclass(kw_only=True)
class Agreement:
    """The number of past operations (`of`), and of those that a model proposes again (`wanted`)."""

    wanted: int = 0
    of: int = 0


@dataclass(kw_only=True)
class PairCount:
    """The number of pairs of documents (`of`), of pairs that are merged at once, and of proposed merges."""

    merged: int = 0
    proposed: int = 0
    of: int = 0


@dataclass(kw_only=True)
class ModelScore:
    """The results of one model on the questions.

    Attributes:
        model: its name.
        questions: the number of questions to it, repairs included.
        answered: the number of valid answers.
        unanswered: the other questions by outcome.
        left_out: changes that the rules refused or that the model decided against, by reason.
        operations: the number of operations from its answers.
        done: of the dreams' operations, the number that it proposes again.
        approved: the same for operations that people approved.
        rejected: the same for operations that people rejected or undid; less is better.
        same: of pairs of documents that say the same, the number that is merged; more is better.
        distinct: the same for pairs about distinct subjects; none should be merged.
        prompt_tokens: as billed.
        output_tokens: as billed.
        cost_usd: by list price.
        seconds: of all calls together.
        stopped: why some questions were not asked; empty if all were.
    """

    model: str
    questions: int = 0
    answered: int = 0
    unanswered: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    operations: int = 0
    done: Agreement = field(default_factory=Agreement)
    approved: Agreement = field(default_factory=Agreement)
    rejected: Agreement = field(default_factory=Agreement)
    same: PairCount = field(default_factory=PairCount)
    distinct: PairCount = field(default_factory=PairCount)
    prompt_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0
    stopped: str = ""

    def compare(self, wanted: Sequence[Operation], past: Iterable[PastOperation]) -> None:
        """Compare the operations that follow from a phase's answers with those of its dream."""
        self.operations += len(wanted)
        targets = {target_of(one) for one in wanted}
        for one in past:
            is_wanted = target_of(one.operation) in targets
            for again, counts in (
                (self.done, True),
                (self.approved, one.is_approved),
                (self.rejected, one.is_rejected),
            ):
                if counts:
                    again.of += 1
                    again.wanted += is_wanted

    def count_pairs(self, wanted: Sequence[Operation], family: Family, ids: Mapping[str, str]) -> None:
        """Count the outcome for each pair of a family's documents, whose ids are given by path."""
        self.operations += len(wanted)
        joining = [(touched_ids(one), one.propose_only) for one in wanted if one.kind in _JOINING]
        count = self.same if family.is_same else self.distinct
        for pair in combinations(family.documents, 2):
            both = {ids[path] for path in pair}
            found = [is_proposed for touched, is_proposed in joining if both <= touched]
            count.of += 1
            count.merged += bool(found) and not all(found)
            count.proposed += bool(found) and all(found)


def target_of(operation: Operation) -> Target:
    """Return the kind of an operation and the memories that it changes, or the paths that it creates."""
    ids = touched_ids(operation)
    made = frozenset(change.path for change in operation.changes if isinstance(change, Create))
    return str(operation.kind), ids or made
