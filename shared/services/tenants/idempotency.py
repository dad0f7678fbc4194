"""Answer a request with an idempotency key once: a repeated request gets the stored answer.

Only successful answers are stored: a failed request changed nothing and may be retried. If a process dies between the work
and the answer, the retry does the work again; work that must not happen twice has its own guard.
"""

from collections.abc import Callable

from shared.core.errors import BadInputError, ConflictError
from shared.ports.database import Database
from shared.ports.tenants import KeptResponse

#: Longer than any request takes; after that a retry may take it over.
_HOLD_SECONDS = 60.0
_KEEP_HOURS = 24.0


def answer_once(
    db: Database,
    tenant_id: str,
    key_id: str,
    request_key: str,
    request_hash: str,
    produce: Callable[[], KeptResponse],
) -> tuple[KeptResponse, bool]:
    """Return the answer, and whether it is a stored one.

    Raises:
        BadInputError: the idempotency key was used with another request.
        ConflictError: the same request is in progress.
    """
    with db.transaction(tenant_id) as uow:
        claim = uow.requests.claim(key_id, request_key, request_hash, hold_seconds=_HOLD_SECONDS)
    if claim.is_other_request:
        raise BadInputError("This Idempotency-Key was used for another request; use a new key for a new request")
    if claim.response is not None:
        return claim.response, True
    if not claim.is_mine:
        raise ConflictError("The same request is still in progress; retry in a moment")
    try:
        response = produce()
    except BaseException:
        with db.transaction(tenant_id) as uow:
            uow.requests.release(key_id, request_key)
        raise
    with db.transaction(tenant_id) as uow:
        uow.requests.keep(key_id, request_key, response, keep_hours=_KEEP_HOURS)
    return response, False
