"""Find what Message Batches need: questions to send, batches to look at, crashed submissions, dreams to wake."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from shared.all_ports import Ports
from shared.core.errors import BadInputError
from shared.core.tenants.model_settings import use_store_model
from shared.ports.batches import BatchedDream, BatchState, MessageBatches

#: Dreams that one pass looks at.
_DREAMS = 1_000
#: A batch is created within a minute, or the process that created it is gone.
STUCK = timedelta(minutes=10)


class BatchStep(StrEnum):
    """The kinds of work on batches."""

    SEND = "send"
    COLLECT = "collect"
    RECOVER = "recover"
    SETTLE = "settle"


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchWork:
    """One step for the dreams of one account, and its batch, if any."""

    need: BatchStep
    dreams: tuple[BatchedDream, ...]
    batch_id: str = ""

    def __str__(self) -> str:
        return f"{self.need} {self.batch_id or self.dreams[0].dream_id}"


def find_work(ports: Ports) -> list[BatchWork]:
    """Return the steps to take now, results first, because they wake dreams."""
    found = ports.db.batch_queue.find(_DREAMS)
    if not found:
        return []
    sent: dict[str, list[BatchedDream]] = defaultdict(list)
    for one in found:
        if one.state is BatchState.SENT:
            sent[one.batch_id].append(one)
    work = [BatchWork(need=BatchStep.SETTLE, dreams=(one,)) for one in _find_answered(found)]
    work += [BatchWork(need=BatchStep.COLLECT, dreams=tuple(dreams), batch_id=one) for one, dreams in sent.items()]
    stuck = [one for one in found if one.state is BatchState.SENDING]
    work += [BatchWork(need=BatchStep.RECOVER, dreams=dreams) for dreams in _by_account(ports, stuck)]
    waiting = [one for one in found if one.state is BatchState.WAITING]
    return work + [BatchWork(need=BatchStep.SEND, dreams=dreams) for dreams in _by_account(ports, waiting)]


def _find_answered(found: Sequence[BatchedDream]) -> list[BatchedDream]:
    open_dreams = {one.dream_id for one in found if one.state is not BatchState.ENDED}
    return [one for one in found if one.state is BatchState.ENDED and one.dream_id not in open_dreams]


def _by_account(ports: Ports, dreams: Iterable[BatchedDream]) -> list[tuple[BatchedDream, ...]]:
    """Group dreams by the account that their questions go to; one without a known account is a group of its own."""
    groups: dict[str, list[BatchedDream]] = defaultdict(list)
    for one in dreams:
        try:
            batches = open_batches(ports, one)
        except BadInputError:  # its key is missing: it fails alone, with the reason in the log
            batches = None
        groups[batches.account if batches is not None else one.dream_id].append(one)
    return [tuple(group) for group in groups.values()]


def open_batches(ports: Ports, one: BatchedDream) -> MessageBatches | None:
    """Return the batches of a dream's account. Raises BadInputError when its key is missing."""
    with ports.db.transaction(one.tenant_id) as uow:
        store = uow.stores.get(uow.dreams.get(one.dream_id).store)
        tenant = uow.stores.get_tenant()
    return ports.choose_batches(use_store_model(tenant, store, ports.settings.llm))
