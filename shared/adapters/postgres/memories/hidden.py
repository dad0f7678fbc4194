"""Hide from a transaction that reads for an agent's key what its store hides: by the database's policy `trusted_enough`, in every statement."""

from sqlalchemy import Connection, Text, bindparam, func, select

from shared.adapters.postgres.sql.statements import execute
from shared.core.errors import MaybeHiddenError, NotFoundError
from shared.core.memory.writers import Rank
from shared.core.policy.policy import RecallPolicy
from shared.core.trust.hidden import least_of, say_setting

_HIDE = select(func.set_config("slowwave.least_rank", bindparam("least", type_=Text), True))


class Hidden:
    """The least rank that a transaction shows: that of the store which it read last."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._least = Rank.MACHINE

    def follow(self, policy: RecallPolicy) -> None:
        """Hide from now on what a store hides. It costs nothing for one that hides nothing."""
        least = least_of(policy)
        if least is not self._least:
            execute(self._connection, _HIDE, {"least": str(int(least))})
            self._least = least

    def explain(self, error: NotFoundError) -> NotFoundError:
        """Return the error with the reason for which the thing may be missing, be it there or not."""
        return error if self._least is Rank.MACHINE else MaybeHiddenError(say_setting(self._least))
