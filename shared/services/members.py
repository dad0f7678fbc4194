"""The members of a tenant who review: the keys that may, and people whom the audit log knows."""

from collections.abc import Mapping

from shared.core.errors import BadInputError
from shared.core.tenants.api_keys import ApiKey
from shared.core.tenants.roles import Permission, Role, is_allowed
from shared.ports.database import Database, UnitOfWork
from shared.ports.tenants import AuditFilter

_ME = "me"


def find_member(uow: UnitOfWork, wanted: str, actor: str) -> str:
    """Return a member as the audit log names them: `key:key_1`.

    Args:
        uow: a transaction of the tenant.
        wanted: `me`, the id or the name of a key that may review, or what the audit log has.
        actor: who `me` is.

    Raises:
        BadInputError: there is none, or there are two by that name.
    """
    if wanted in {_ME, actor}:
        return actor
    able = [one for one in uow.keys.find_all() if _may_review(one)]
    found = [one for one in able if wanted in {one.id, _actor_of(one), one.name}]
    if len(found) > 1:
        raise BadInputError(f"{len(found)} keys are named {wanted!r}; give the id of one")
    if found:
        return _actor_of(found[0])
    is_person = not wanted.startswith("key:") and ":" in wanted
    if is_person and uow.audit.find_page(AuditFilter(actor=wanted), start_after=None, limit=1):
        return wanted
    names = ", ".join(sorted(one.name or one.id for one in able)[:10])
    raise BadInputError(f"The tenant has no reviewer {wanted!r}; it has {names or 'none'}")


def name_members(db: Database, tenant_id: str) -> Mapping[str, str]:
    """Return the names of the tenant's keys, by how the audit log names each, revoked ones too."""
    with db.transaction(tenant_id) as uow:
        return {_actor_of(one): one.name or one.id for one in uow.keys.find_all()}


def list_reviewers(db: Database, tenant_id: str) -> Mapping[str, str]:
    """Return the names of the keys that may review now, by how the audit log names each."""
    with db.transaction(tenant_id) as uow:
        return {_actor_of(one): one.name or one.id for one in uow.keys.find_all() if _may_review(one)}


def say_member(actor: str, names: Mapping[str, str]) -> str:
    """Return who acted, and through what: `Ada, by a key`."""
    kind, _, name = actor.partition(":")
    through = {"key": "by a key", "cli": "on the command line", "oidc": "signed in"}.get(kind)
    return f"{names.get(actor, name)}, {through}" if through else actor or "slowwave"


def _may_review(key: ApiKey) -> bool:
    return key.revoked_at is None and key.role is not Role.OPERATOR and is_allowed(key.role, Permission.REVIEW)


def _actor_of(key: ApiKey) -> str:
    return f"key:{key.id}"
