"""Console sessions: started with a key or by an identity provider, and checked at every request.

Each sign-in makes a new token, so that a token planted in a browser beforehand is worthless (session fixation).
"""

import secrets
from dataclasses import replace

from pydantic import TypeAdapter

from shared.core.errors import BadInputError, ForbiddenError, NotFoundError, UnauthenticatedError
from shared.core.tenants.api_keys import decide_hash_valid, decide_key_valid, hash_secret, split_token
from shared.core.tenants.console_sessions import ConsoleSession
from shared.core.tenants.roles import Role
from shared.core.tenants.store import check_name
from shared.ports.database import Database
from shared.ports.runtime import ConsoleSessions

_SESSION = TypeAdapter(ConsoleSession)
_TOKEN_BYTES = 32


def sign_in_with_key(db: Database, console_sessions: ConsoleSessions, key_token: str, *, seconds: int) -> str:
    """Start a session with an API key, which counts as a use of it, and return its token.

    Raises UnauthenticatedError for an invalid key.
    """
    key_id, secret = split_token(key_token.strip()) or ("", "")
    found = db.find_key(key_id)
    if found.key is None or not decide_key_valid(found.key, secret, found.now):
        raise UnauthenticatedError("That is not a valid key")
    key = found.key
    with db.transaction(key.tenant_id) as uow:
        uow.keys.record_use(key.id)
    session = ConsoleSession(
        tenant_id=key.tenant_id, role=key.role, actor=f"key:{key.id}", name=key.name, csrf=new_token(),
        key_id=key.id, secret_hash=hash_secret(secret),
    )  # fmt: skip
    return _start(console_sessions, session, seconds)


def sign_in_with_identity(
    db: Database, console_sessions: ConsoleSessions, *, subject: str, name: str, tenant_id: str, role: str, seconds: int
) -> str:
    """Start a session for a user that an identity provider vouches for, and return its token.

    Raises:
        ForbiddenError: the provider names no tenant of this installation, or no role.
    """
    try:
        wanted = Role(role)
        with db.transaction(check_name("tenant", tenant_id)) as uow:
            uow.stores.get_tenant()
    except (ValueError, BadInputError, NotFoundError) as error:
        raise ForbiddenError("Your account has no access to slowwave: ask for a tenant and a role") from error
    session = ConsoleSession(
        tenant_id=tenant_id, role=wanted, actor=f"oidc:{subject[:100]}", name=name[:100], csrf=new_token()
    )
    return _start(console_sessions, session, seconds)


def find_console_session(db: Database, console_sessions: ConsoleSessions, token: str) -> ConsoleSession | None:
    """Return the session of a token; None when it has expired, or its key or tenant is gone."""
    stored = console_sessions.get(token)
    if stored is None:
        return None
    session = _SESSION.validate_json(stored)
    if _is_valid(db, session):
        return session
    console_sessions.remove(token)
    return None


def set_notice(console_sessions: ConsoleSessions, token: str, session: ConsoleSession, text: str, kind: str) -> None:
    """Set the message that the session's next page shows; an empty text clears it."""
    noted = replace(session, notice=text, notice_kind=kind)
    console_sessions.replace(token, _SESSION.dump_json(noted).decode())


def new_token() -> str:
    """Return a random token of 256 bits."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def _start(console_sessions: ConsoleSessions, session: ConsoleSession, seconds: int) -> str:
    token = new_token()
    console_sessions.put(token, _SESSION.dump_json(session).decode(), seconds=seconds)
    return token


def _is_valid(db: Database, session: ConsoleSession) -> bool:
    if session.key_id is not None:
        found = db.find_key(session.key_id)
        is_valid = decide_hash_valid(found.key, session.secret_hash or "", found.now)
        return is_valid and found.key is not None and found.key.role is session.role
    try:
        with db.transaction(session.tenant_id) as uow:
            uow.stores.get_tenant()
    except NotFoundError:
        return False
    return True
