"""Find the dream that a command names."""

from shared.all_ports import Ports
from shared.core.errors import ConflictError, NotFoundError
from shared.program import COMMAND

_SEARCHED = 500


def find_dream_id(ports: Ports, tenant: str, wanted: str | None) -> str:
    """Return the dream with an id or the beginning of one; without an id, the last dream."""
    with ports.db.transaction(tenant) as uow:
        recent = uow.dreams.find_recent(limit=1 if wanted is None else _SEARCHED)
    matches = [dream.id for dream in recent if wanted is None or dream.id.startswith(wanted)]
    if len(matches) > 1:
        msg = f"{wanted} matches {len(matches)} dreams; give more characters of the id"
        raise ConflictError(msg)
    if not matches:
        raise NotFoundError(
            f"Tenant {tenant!r} has no dream {wanted}; `{COMMAND} dreams list {tenant}` lists them"
            if wanted
            else f"Tenant {tenant!r} has not dreamt; `{COMMAND} dream {tenant} --force` starts a dream"
        )
    return matches[0]
