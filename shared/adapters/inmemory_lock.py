"""The dream lock in memory, for unit tests of decisions; it never expires by itself."""


class InMemoryDreamLock:
    """Implements `DreamLock` within one process."""

    def __init__(self) -> None:
        self.tokens: dict[tuple[str, str], str] = {}

    def find_holder(self, tenant_id: str, store: str) -> str | None:
        """Return the token that holds a store."""
        return self.tokens.get((tenant_id, store))

    def take(self, tenant_id: str, store: str, token: str, *, instead_of: str | None) -> bool:
        """Set the token if the lock is free or still held by `instead_of`."""
        if self.tokens.get((tenant_id, store)) not in {None, instead_of, token}:
            return False
        self.tokens[tenant_id, store] = token
        return True

    def renew(self, tenant_id: str, store: str, token: str) -> bool:
        """Tell whether the lock is still ours."""
        return self.tokens.get((tenant_id, store)) == token

    def release(self, tenant_id: str, store: str, token: str) -> None:
        """Give the lock back if it is ours."""
        if self.renew(tenant_id, store, token):
            del self.tokens[tenant_id, store]
