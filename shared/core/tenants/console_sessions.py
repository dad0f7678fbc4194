"""The session of a user who is signed in at the console."""

from dataclasses import dataclass

from shared.core.errors import ForbiddenError
from shared.core.tenants.roles import Permission, Role, is_allowed

#: What a page says of a permission that its visitor does not have.
_IN_WORDS = {
    Permission.READ: "read this",
    Permission.WRITE: "write memories or start dreams",
    Permission.REVIEW: "review or undo what dreams did",
    Permission.ADMINISTER: "see or change settings, keys and costs",
    Permission.OPERATE: "see other tenants or the installation",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleSession:
    """The user and the role of a console session. `csrf` is the token that every form of the session carries.

    A session by key holds the key's id and the hash of its secret, so that it ends when either changes; one by an
    identity provider holds neither. `notice` is a message for the next page, `notice_kind` its style (`done` or
    `refused`).
    """

    tenant_id: str
    role: Role
    actor: str
    name: str
    csrf: str
    key_id: str | None = None
    secret_hash: str | None = None
    notice: str = ""
    notice_kind: str = ""

    def may(self, permission: Permission) -> bool:
        """Tell whether the session's role has a permission."""
        return is_allowed(self.role, permission)

    def check(self, permission: Permission) -> None:
        """Raise ForbiddenError unless the session's role has a permission."""
        if not self.may(permission):
            raise ForbiddenError(f"The role {self.role} may not {_IN_WORDS[permission]}")
