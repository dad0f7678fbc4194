"""Who may do what over the network: roles of keys, and what each of them allows."""

from enum import StrEnum


class Role(StrEnum):
    """What a key is for. `operator` is the only one that reaches beyond its own tenant."""

    AGENT = "agent"
    REVIEWER = "reviewer"
    ADMIN = "admin"
    OPERATOR = "operator"


class Permission(StrEnum):
    """What a route asks for."""

    READ = "read"  # anything of the tenant that is no secret
    WRITE = "write"  # memories, sessions, activity; start a dream
    REVIEW = "review"  # approve, reject, cancel, undo
    ADMINISTER = "administer"  # settings, keys, pauses, forced dreams
    OPERATE = "operate"  # tenants


_ALL = frozenset(Role)
#: What each permission is given to. A new permission without a line here is held by nobody.
GRANTS: dict[Permission, frozenset[Role]] = {
    Permission.READ: _ALL,
    Permission.WRITE: frozenset({Role.AGENT, Role.ADMIN, Role.OPERATOR}),
    Permission.REVIEW: frozenset({Role.REVIEWER, Role.ADMIN, Role.OPERATOR}),
    Permission.ADMINISTER: frozenset({Role.ADMIN, Role.OPERATOR}),
    Permission.OPERATE: frozenset({Role.OPERATOR}),
}


def is_allowed(role: Role, permission: Permission) -> bool:
    """Tell whether keys of a role may do that."""
    return role in GRANTS.get(permission, frozenset())
