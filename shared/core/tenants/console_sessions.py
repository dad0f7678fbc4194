"""A visit: somebody who is signed in at the console."""

from dataclasses import dataclass

from shared.core.errors import ForbiddenError
from shared.core.tenants.roles import Permission, Role, is_allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleSession:
    """Who it is and what they may see. `csrf` is the word that every form of the visit carries.

    A visit by key names the key and the hash of its secret, so that it ends with either of them; one by an identity
    provider names neither. `notice` is what the next page has to say, `notice_kind` how (`done` or `refused`).
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
        """Tell whether the visitor's role allows that."""
        return is_allowed(self.role, permission)

    def check(self, permission: Permission) -> None:
        """Raise ForbiddenError unless the visitor's role allows that."""
        if not self.may(permission):
            raise ForbiddenError(f"The role {self.role} may not {permission}")
