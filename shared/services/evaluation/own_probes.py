"""A store's own questions, which a person gives: its evaluations ask them, unless others are sent along."""

from collections.abc import Mapping, Sequence

from shared.core.evaluation.model import MAX_KEPT_PROBES, check_probes
from shared.core.tenants.store import Store
from shared.ports.database import Database, UnitOfWork
from shared.services.left_out import leave_out
from shared.services.masking import Mask, mask_of, note_masked

Rows = Sequence[Mapping[str, object]]


def find_own_probes(db: Database, tenant_id: str, store_name: str) -> Rows:
    """Return the rows of a store in their order. Raises NotFoundError if there is no such store."""
    with db.transaction(tenant_id) as uow:
        return uow.probes(uow.stores.get(store_name).id).find_all()


def set_own_probes(db: Database, tenant_id: str, store_name: str, rows: Rows, *, actor: str) -> Rows:
    """Keep these rows instead of all that the store has, and return them as they are kept.

    What the store keeps out of its texts is masked, as it is in the memories that the quotes are to be found in.

    Raises:
        BadInputError: there are too many, a row is malformed, or the store refuses what it holds.
        NotFoundError: there is no such store.
    """
    check_probes(rows, MAX_KEPT_PROBES)
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name, lock=True)
        mask, probes = mask_of(uow, store.policy), uow.probes(store.id)
        kept = [_as_kept(uow, store, mask, number, row) for number, row in enumerate(rows, start=1)]
        if kept != probes.find_all():
            probes.replace(kept)
            uow.record_audit(actor, "probes.set", store=store.name, questions=len(kept))
        return kept


def _as_kept(uow: UnitOfWork, store: Store, mask: Mask, number: int, row: Mapping[str, object]) -> Mapping[str, object]:
    def keep(text: object) -> str:
        masked = mask(str(text))
        note_masked(store, f"Probe {number}", str(text), masked, where="probes")
        return leave_out(uow, store.id, masked)

    evidence = row["evidence"]
    quotes = evidence if isinstance(evidence, list | tuple) else [evidence]
    kept: dict[str, object] = {"question": keep(row["question"]), "evidence": [keep(one) for one in quotes]}
    return {**kept, "group": keep(row["group"])} if row.get("group") else kept
