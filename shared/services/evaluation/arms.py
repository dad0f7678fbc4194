"""Compare arms, and send the stores of an arm back to their earlier settings once its dreams have shown that it harms."""

from collections.abc import Sequence

from shared.core.evaluation.arms import ArmStore, ArmSums, decide_harm, sum_up_arms
from shared.core.tenants.arm import send_back
from shared.core.tenants.audit import find_changed_keys, find_changes
from shared.counting import count
from shared.logger import get_logger
from shared.ports.database import Database
from shared.services.dreams.start_upkeep import schedule_upkeep

ACTOR = "system"
_log = get_logger()


def compare_arms(db: Database, tenant_id: str) -> list[ArmSums]:
    """Return the arms of a tenant's stores by name, the stores without an arm first. Raises NotFoundError for an unknown tenant."""
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant()
        rows = uow.evaluations.find_arms()
    return sum_up_arms(rows)


def find_arm_of(db: Database, tenant_id: str, store_name: str) -> ArmSums | None:
    """Return the arm that a store is in, without costs and verdicts; None if it is in none. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        arm = uow.stores.get(store_name).arm
        return next(iter(sum_up_arms(uow.evaluations.find_arms(arm))), None) if arm else None


def judge_arm(db: Database, tenant_id: str, store_name: str) -> bool:
    """Send back the arm of a store if its dreams harm; tell whether it was. A store without an arm costs one read."""
    with db.transaction(tenant_id) as uow:
        arm = uow.stores.get(store_name).arm
        rows: Sequence[ArmStore] = uow.evaluations.find_arms(arm) if arm else ()
        measured, fell = sum(row.measured for row in rows), sum(row.fell for row in rows)
        if not rows or not decide_harm(measured, fell):
            return False
        for name in sorted(row.store for row in rows):
            store = uow.stores.get(name, lock=True)
            if store.arm != arm:
                continue
            restored = send_back(store)
            uow.stores.save(restored)
            schedule_upkeep(uow, restored)
            uow.record_audit(
                ACTOR,
                "store.send_back",
                store=name,
                **find_changes(store, restored, ("profile", "autonomy", "arm")),
                overrides=find_changed_keys(store.overrides, restored.overrides),
                measured=measured,
                fell=fell,
            )
    count("slowwave_arms_sent_back_total")
    _log.warning("arm_sent_back", tenant_id=tenant_id, arm=arm, stores=len(rows), measured=measured, fell=fell)
    return True
