"""The rule of a store for secrets in what is written to it: `secrets.action`."""

from collections.abc import Sequence

from shared.core.errors import BadInputError
from shared.core.policy.policy import SecretsAction
from shared.core.tenants.store import Store
from shared.counting import count


def refuse_secrets(store: Store, what: str, kinds: Sequence[str]) -> None:
    """Raise BadInputError if a store refuses what holds secrets of these kinds."""
    if store.policy.secrets.action is SecretsAction.REFUSE:
        count("slowwave_secrets_refused_total")
        raise BadInputError(
            f"{what} contains something like a secret ({', '.join(kinds)}), which the store {store.name} refuses "
            f"(secrets.action); write it without, and keep the secret where secrets are kept"
        )
