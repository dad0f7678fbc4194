"""Take one verdict on many operations, each in its own transaction; those of a dream in the order of the dream."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from shared.core.errors import ConflictError, NotFoundError
from shared.ports.database import Database
from shared.ports.dreams import RecordedOperation

#: The most operations of one request: their ids fill half of what a form may hold.
MOST_AT_ONCE = 1_000
#: Operations come with their texts.
_READ_AT_ONCE = 100
#: When an operation that does not exist was recorded: its refusal comes last.
_UNKNOWN = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """One operation after its turn: as decided, or the refusal, which leaves it as it is."""

    id: str
    recorded: RecordedOperation | None = None
    refusal: ConflictError | NotFoundError | None = None


def decide_all(
    db: Database,
    tenant_id: str,
    operation_ids: Sequence[str],
    decide: Callable[[str], RecordedOperation],
    *,
    newest_first: bool = False,
) -> Iterator[Decided]:
    """Decide operations one after another, and tell what came of each; a refused one does not stop the others.

    Args:
        db: the database.
        tenant_id: the tenant.
        operation_ids: in any order; those of a dream are decided in the order in which it recorded them.
        decide: takes one verdict.
        newest_first: in the opposite order, as verdicts are taken back.
    """
    ids = list(dict.fromkeys(operation_ids))
    recorded_at: dict[str, datetime] = {}
    for start in range(0, len(ids), _READ_AT_ONCE):
        with db.transaction(tenant_id) as uow:
            found = uow.operations.find_by_ids(ids[start : start + _READ_AT_ONCE])
        recorded_at |= {one.id: one.created_at or _UNKNOWN for one in found.values()}
    for one in sorted(ids, key=lambda one: (recorded_at.get(one, _UNKNOWN), one), reverse=newest_first):
        try:
            yield Decided(id=one, recorded=decide(one))
        except (ConflictError, NotFoundError) as error:
            yield Decided(id=one, refusal=error)
