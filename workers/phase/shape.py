"""The shape of a phase: read, ask, (repair,) plan. A phase returns operations; it never writes.

`read` and `look` are the only parts that touch a port. `ask` and `plan` are pure, so that a stored answer can be planned again
after a crash, and a dry run is the same run without the last step.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, TypeAdapter

from shared.core.dream.model import Dream, PhaseRun, PhaseState, Survey
from shared.core.dream.operations import OperationKind, Plan
from shared.core.dream.phase_catalog import PhaseEntry
from shared.core.merging.settled_clusters import Settled
from shared.core.policy.policy import ALL_PROPOSED, NOT_EXAMINED, Policy, Verified
from shared.core.questions.escalation import is_exam, plain_key
from shared.core.questions.question import Question
from shared.core.sessions.excerpts import Excerpt
from shared.core.sessions.model import Window
from shared.core.tenants.store import PendingMerge, Store
from shared.ports.database import UnitOfWork

#: Validated answers by question key. A question whose call failed, or was not asked in time, is absent.
Answers = Mapping[str, BaseModel]
#: A phase's own inputs.
InputsT = TypeVar("InputsT")


FindAlike = Callable[[Sequence[str], int], Mapping[str, Sequence[str]]]


def find_nothing_alike(_ids: Sequence[str], _limit: int) -> Mapping[str, Sequence[str]]:
    """Find nothing that is alike in meaning: there are no embeddings."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseContext:
    """The arguments of `read`: one transaction for reading, and the facts of the dream and its store."""

    uow: UnitOfWork
    store: Store
    dream: Dream
    policy: Policy
    now: datetime
    changed_at_start: int
    find_offered: Callable[[], "Offered"]  # from earlier phases of this dream; costs a query
    #: Whether a model answers this phase's questions, or rules do, which cost nothing and always say the same.
    has_model: Callable[[], bool] = lambda: True
    #: Ids of memories and a number to the ids of so many that are alike in meaning; none without embeddings.
    find_alike: FindAlike = find_nothing_alike
    #: An estimate writes nothing, so that no cues were found and stored before it reads.
    is_estimate: bool = False
    embedder_failure: str = ""  # why vectors are missing, for the log of the dream


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The arguments of `plan` besides inputs and answers."""

    policy: Policy
    now: datetime
    dream_id: str
    live_memories: int
    already_retired: int
    #: The model that answers this phase has passed its exam, so what the checks confirm is applied.
    has_passed: bool = False
    #: Rules answered instead of a model; they want only what is certain.
    is_by_rules: bool = False

    def find_reason_to_ask(self, doubt: str | None) -> str:
        """Return why a person decides about a change, or an empty text if it is applied.

        Args:
            doubt: what the checks, and a second reader where there is one, leave in doubt.
        """
        if doubt or self.is_by_rules:
            return doubt or ""
        if self.policy.merge.verified is Verified.PROPOSE:
            return ALL_PROPOSED
        return "" if self.has_passed else NOT_EXAMINED


@dataclass(frozen=True, slots=True)
class NothingToDo:
    """The result of `read` when there are no inputs: the phase is skipped with this reason."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """Findings of a phase that later phases of the same dream may use."""

    excerpts: tuple[Excerpt, ...] = ()
    #: The paths of the memories about which a model was asked whatever a careful reader would mend.
    shown: frozenset[str] = frozenset()


class Coverage(Enum):
    """The extent to which a phase has done its work."""

    NOTHING = auto()  # there was nothing to look at, or it is another phase's business
    READ = auto()  # the phase has looked, if only at a part
    MISSED = auto()  # there was something, and the phase could not look


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedPhase(Generic[InputsT]):
    """A phase of a dream that is about to end, and the transaction in which the dream ends.

    Everything here comes from stored rows, so that any worker can end a dream after a crash.
    """

    uow: UnitOfWork
    dream: Dream
    run: PhaseRun
    inputs: InputsT | None  # None: nothing was read, or the inputs were redacted
    spared: frozenset[str]  # keys of questions that the change gate has spared

    @property
    def is_through(self) -> bool:
        """Tell whether the phase asked what it wanted to, and got its answers; a budget may have ended it before its questions."""
        is_cut = self.run.state is PhaseState.SKIPPED and any(name.startswith("missing_") for name in self.run.counts)
        return self.run.state in {PhaseState.DONE, PhaseState.SKIPPED} and not is_cut

    def find_answered(self) -> frozenset[str]:
        """Return the keys of the phase's questions that have a stored answer; costs a query."""
        stored = self.uow.calls.find_answers(self.dream.id, self.run.phase)
        return frozenset(plain_key(key) for key in stored if not is_exam(key))


@dataclass(frozen=True, slots=True, kw_only=True)
class Consumed:
    """The activity and inputs of a store that a phase has consumed. The defaults consume nothing.

    Attributes:
        changed: (id, version) of each memory that was marked as changed when the dream began.
        unread: ids of memories that stay marked as changed, because no answer covers them.
        curations: the memory activity when the dream began.
        session_activity: the session activity when the dream began.
        memories: whether the changed memories were read.
        sessions: whether new events of sessions were read.
        windows: how far the cursors of sessions move.
        hints: the pending merges that the phase has considered.
        waiting_sessions: the number of sessions left although others were read: the next dream follows at once.
        waiting_changes: the number of changes that the next dream takes up: beyond the loss cap, or not shown yet.
        waiting_feedback: ids of feedback that waits for the next dream, even if other phases used it.
    """

    changed: tuple[tuple[str, int], ...] = ()
    unread: frozenset[str] = frozenset()
    curations: int = 0
    session_activity: int = 0
    memories: Coverage = Coverage.NOTHING
    sessions: Coverage = Coverage.NOTHING
    windows: tuple[Window, ...] = ()
    hints: tuple[PendingMerge, ...] = ()
    waiting_sessions: int = 0
    waiting_changes: int = 0
    waiting_feedback: frozenset[str] = frozenset()


def ask_nothing(_inputs: Any) -> tuple[Question, ...]:  # noqa: ANN401 - every phase has its own inputs
    """Return no question: the phase needs no model."""
    return ()


def repair_nothing(_inputs: Any, _answers: Answers) -> tuple[Question, ...]:  # noqa: ANN401 - the same
    """Return no question: the phase has nothing to ask twice."""
    return ()


def look_no_further(_context: PhaseContext, inputs: Any, _answers: Answers) -> Any:  # noqa: ANN401 - the same
    """Return the inputs as they are: no answer of the phase wants to see more."""
    return inputs


def settle_nothing(_inputs: Any, _answered: Collection[str], _touched: Collection[str]) -> Settled:  # noqa: ANN401 - the same
    """Return no cluster: the phase examines nothing again by itself."""
    return Settled()


def consume_nothing(_ended: EndedPhase[Any]) -> Consumed:
    """Consume nothing."""
    return Consumed()


def survey_nothing(_inputs: Any) -> None:  # noqa: ANN401 - the same
    """Leave the dream's survey as it is."""


def cover_nothing(_inputs: Any) -> frozenset[str]:  # noqa: ANN401 - every phase has its own inputs
    """Leave no question to an earlier phase."""
    return frozenset()


def offer_nothing(_inputs: Any) -> Offered:  # noqa: ANN401 - the same
    """Offer nothing to later phases."""
    return Offered()


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One named step of a dream: its entry in the catalogue, and its functions.

    Attributes:
        entry: the phase as the rest of the program knows it.
        inputs_type: a frozen value that survives JSON; it is stored before a model is asked.
        read: context to inputs, or the reason why there is nothing to do.
        ask: inputs to independent questions, asked side by side.
        asks: returns whether `ask` has a question for some inputs, without writing them all.
        look: context, inputs and answers to the inputs with what the answers want to see; stored before `repair` asks about it.
        repair: inputs and answers to at most one more round of questions.
        confirm: inputs and answers to the questions of a second reader, asked only if what they confirm may be applied.
        plan: inputs, answers and surroundings to operations.
        keeps_inputs: the inputs are stored although no model is asked, because the end of the dream needs them.
        settle: inputs, the keys of answered questions and the ids of changed memories to the settled clusters.
        consume: an ended phase to what it has consumed of the store; called when a whole dream ends.
        survey: inputs to the size of the store, which is stored with the dream; such a phase keeps its inputs.
        offer: inputs to what later phases of the same dream may use; such a phase keeps its inputs.
        covers: inputs to the keys of the questions that an earlier phase of the dream has asked in its own way; they are left out if the
            model has passed its exam, so that what it said there is applied.
        version: raise it when the same answer leads to other operations, so that earlier questions are asked again.
        facts_tell: facts beside a document are part of the question's fingerprint, because they are more than counts or dates.
        asks_new_events_only: the phase only asks about new events, so the change gate has nothing to skip.
        runs_after_deadline: the phase is cheap and leaves the store tidy, so it also runs after the deadline.
        runs_when_canceled: the phase runs after a cancellation, to prevent harm from changes that were already made.
        searches_sessions: the phase reads sessions, so cues are found before it reads.
        needs_exam: what the phase applies depends on its model's exam, which is taken before its first questions.
        makes_vectors: missing vectors are computed before the phase reads: it compares meanings, or it is the last to change texts.
    """

    entry: PhaseEntry
    inputs_type: type[Any]
    read: Callable[[PhaseContext], Any]
    plan: Callable[[Any, Answers, Surroundings], Plan]
    ask: Callable[[Any], tuple[Question, ...]] = ask_nothing
    asks: Callable[[Any], bool] | None = None
    look: Callable[[PhaseContext, Any, Answers], Any] = look_no_further
    repair: Callable[[Any, Answers], tuple[Question, ...]] = repair_nothing
    confirm: Callable[[Any, Answers], tuple[Question, ...]] = repair_nothing
    settle: Callable[[Any, Collection[str], Collection[str]], Settled] = settle_nothing
    consume: Callable[[EndedPhase[Any]], Consumed] = consume_nothing
    offer: Callable[[Any], Offered] = offer_nothing
    survey: Callable[[Any], Survey | None] = survey_nothing
    covers: Callable[[Any], frozenset[str]] = cover_nothing
    version: int = 1
    facts_tell: bool = False
    asks_new_events_only: bool = False
    keeps_inputs: bool = False
    runs_after_deadline: bool = False
    runs_when_canceled: bool = False
    searches_sessions: bool = False
    makes_vectors: bool = False
    needs_exam: bool = False

    @property
    def name(self) -> str:
        """Return the name of the phase's folder, task, switch and metrics label."""
        return self.entry.name

    @property
    def may_emit(self) -> frozenset[OperationKind]:
        """Return the kinds of operation that the phase may propose."""
        return self.entry.may_emit

    def has_questions(self, inputs: Any) -> bool:  # noqa: ANN401 - every phase has its own inputs
        """Tell whether the phase asks a model about these inputs."""
        return bool(self.ask(inputs)) if self.asks is None else self.asks(inputs)


@cache
def inputs_adapter(phase: Phase) -> TypeAdapter[Any]:
    """Return the adapter between a phase's inputs and JSON. It is cached, because making one takes milliseconds."""
    return TypeAdapter(phase.inputs_type)


def load_inputs(phase: Phase, run: PhaseRun) -> Any:  # noqa: ANN401 - every phase has its own inputs
    """Return the stored inputs of a phase's run; None when there are none."""
    return None if run.inputs is None else inputs_adapter(phase).validate_python(run.inputs)
