"""Find how much of a store a dream could retire now: what waits for a review takes up the loss cap of the dreams that follow."""

from datetime import timedelta

from shared.core.merging.loss_cap import get_loss_budget
from shared.core.tenants.store import Store
from shared.ports.database import UnitOfWork


def find_loss_room(uow: UnitOfWork, store: Store) -> int:
    """Return how many memories a dream that begins now may retire."""
    policy = store.policy.safety
    unreviewed = uow.verdicts(store.id).count_unreviewed(
        uow.now() - timedelta(days=policy.loss_window_days), besides=""
    )
    live = sum(uow.tree(store.id).count_topics().values())
    return get_loss_budget(live + unreviewed, unreviewed, policy).left
