"""Roles of API keys, and the permissions of each role."""

from enum import StrEnum


class Role(StrEnum):
    """The purpose of a key. `operator` is the only role that reaches beyond its own tenant."""

    AGENT = "agent"
    REVIEWER = "reviewer"
    ADMIN = "admin"
    OPERATOR = "operator"


class Permission(StrEnum):
    """The permission that a route requires."""

    READ = "read"  # anything of the tenant that is not a secret
    WRITE = "write"  # memories, sessions, activity; start a dream
    REVIEW = "review"  # approve, reject, cancel, undo
    ADMINISTER = "administer"  # settings, keys, pauses, forced dreams
    OPERATE = "operate"  # tenants


_ALL = frozenset(Role)
#: The roles that hold each permission. A new permission without a line here is held by none.
GRANTS: dict[Permission, frozenset[Role]] = {
    Permission.READ: _ALL,
    Permission.WRITE: frozenset({Role.AGENT, Role.ADMIN, Role.OPERATOR}),
    Permission.REVIEW: frozenset({Role.REVIEWER, Role.ADMIN, Role.OPERATOR}),
    Permission.ADMINISTER: frozenset({Role.ADMIN, Role.OPERATOR}),
    Permission.OPERATE: frozenset({Role.OPERATOR}),
}


def is_allowed(role: Role, permission: Permission) -> bool:
    """Tell whether a role has a permission."""
    return role in GRANTS.get(permission, frozenset())
