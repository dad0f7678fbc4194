"""The keys that a tenant has in Redis. A new kind of key with a tenant in its name is a line here."""

#: Patterns for SCAN. A tenant's name holds no character that a pattern or a key gives a meaning (see check_name).
TENANT_KEYS = (
    "slowwave:dream:{tenant}:*",
    "slowwave:calls:bucket:{tenant}",
    "slowwave:calls:at-once:{tenant}",
    "slowwave:kept:{tenant}:*",
)


def patterns_of(tenant_id: str) -> list[str]:
    """Return the patterns of one tenant's keys."""
    return [pattern.format(tenant=tenant_id) for pattern in TENANT_KEYS]
