"""Visits at the console: begun with a key or by an identity provider, checked at every request, ended by either side.

A visit has a new word each time somebody signs in, so that a word that was put into a browser before is worth nothing.
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
from shared.ports.runtime import SignIns

_VISITS = TypeAdapter(ConsoleSession)
_WORD_BYTES = 32


def begin_visit_with_key(db: Database, sign_ins: SignIns, token: str, *, seconds: int) -> str:
    """Return the word of a new visit. Raises UnauthenticatedError for anything but a valid key."""
    key_id, secret = split_token(token.strip()) or ("", "")
    found = db.find_key(key_id)
    if found.key is None or not decide_key_valid(found.key, secret, found.now):
        raise UnauthenticatedError("That is no valid key")
    key = found.key
    visit = ConsoleSession(
        tenant_id=key.tenant_id, role=key.role, actor=f"key:{key.id}", name=key.name, csrf=new_word(),
        key_id=key.id, secret_hash=hash_secret(secret),
    )  # fmt: skip
    return _begin(sign_ins, visit, seconds)


def begin_visit_of(
    db: Database, sign_ins: SignIns, *, subject: str, name: str, tenant_id: str, role: str, seconds: int
) -> str:
    """Return the word of a new visit of somebody whom an identity provider vouches for.

    Raises:
        ForbiddenError: the provider names no tenant of this installation, or no role.
    """
    try:
        wanted = Role(role)
        with db.transaction(check_name("tenant", tenant_id)) as uow:
            uow.stores.get_tenant()
    except (ValueError, BadInputError, NotFoundError) as error:
        raise ForbiddenError("Your account is not set up for slowwave: ask for a tenant and a role") from error
    visit = ConsoleSession(
        tenant_id=tenant_id, role=wanted, actor=f"oidc:{subject[:100]}", name=name[:100], csrf=new_word()
    )
    return _begin(sign_ins, visit, seconds)


def find_visit(db: Database, sign_ins: SignIns, word: str) -> ConsoleSession | None:
    """Return the visit, unless it or what it rests on has ended: its time, its key, its tenant."""
    kept = sign_ins.get(word)
    if kept is None:
        return None
    visit = _VISITS.validate_json(kept)
    if _still_holds(db, visit):
        return visit
    sign_ins.remove(word)
    return None


def leave_notice(sign_ins: SignIns, word: str, visit: ConsoleSession, text: str, kind: str) -> None:
    """Have the visit's next page say something; an empty text takes that back."""
    noted = replace(visit, notice=text, notice_kind=kind)
    sign_ins.replace(word, _VISITS.dump_json(noted).decode())


def new_word() -> str:
    """Return a word that nobody can guess."""
    return secrets.token_urlsafe(_WORD_BYTES)


def _begin(sign_ins: SignIns, visit: ConsoleSession, seconds: int) -> str:
    word = new_word()
    sign_ins.put(word, _VISITS.dump_json(visit).decode(), seconds=seconds)
    return word


def _still_holds(db: Database, visit: ConsoleSession) -> bool:
    if visit.key_id is not None:
        found = db.find_key(visit.key_id)
        is_valid = decide_hash_valid(found.key, visit.secret_hash or "", found.now)
        return is_valid and found.key is not None and found.key.role is visit.role
    try:
        with db.transaction(visit.tenant_id) as uow:
            uow.stores.get_tenant()
    except NotFoundError:
        return False
    return True
