"""Record that a session used a skill, on behalf of the agent that did."""

from datetime import datetime

from shared.core.errors import BadInputError, NotFoundError
from shared.core.skill import SkillUse, skill_path
from shared.core.skill_use import normal_skill_name
from shared.core.transcript import clean_id
from shared.ports.database import Database


def record_skill_use(
    db: Database,
    tenant_id: str,
    store_name: str,
    name: str,
    session: str,
    at: datetime | None = None,
    *,
    actor: str = "",
) -> SkillUse:
    """Record one use and return it; the same one again counts once.

    Args:
        db: the database.
        tenant_id: whose store.
        store_name: which store.
        name: the skill's, as `skills list` shows it.
        session: the host's own id of the session; it need not have been imported.
        at: when; now if left out.
        actor: who asks.

    Raises:
        NotFoundError: there is no such skill.
        BadInputError: the session has no name.
    """
    session_id = clean_id(session.strip())
    if not session_id:
        raise BadInputError("A use of a skill needs the id of the session that it was used in")
    wanted = normal_skill_name(name)
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        if uow.memories(store.id).find_by_path(skill_path(wanted)) is None:
            raise NotFoundError(f"There is no skill {wanted!r}; `slowwave skills list` names those there are")
        use = SkillUse(skill=wanted, session=session_id, used_at=at or uow.now())
        if uow.skills(store.id).record_uses([use]):
            uow.record_audit(actor, "skill.use", store=store_name, skill=wanted)
    return use
