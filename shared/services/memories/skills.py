"""The skills of a store: their texts, the files beside them, and their recorded uses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.core.errors import BadInputError, NotFoundError
from shared.core.learning.skills import (
    SkillUse,
    count_uses,
    created_at_of,
    describe_skill,
    folder_of,
    is_sparse,
    last_used_of,
    normal_skill_name,
    see_also_of,
    skill_name_of,
    skill_path,
)
from shared.core.memory.model import SKILLS_FOLDER, ExportFile, Memory, MemoryKind, kind_of
from shared.core.sessions.transcript import clean_id
from shared.ports.database import Database, UnitOfWork
from shared.ports.memories import MemoryVersion

#: RockBot counts uses over 30 days.
USES_DAYS = 30
_MAX_USES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillView:
    """A skill for display. `uses` counts the last 30 days; `files` are the paths of the files beside it."""

    name: str
    summary: str
    size_chars: int
    uses: int
    created_at: datetime
    last_used_at: datetime | None
    see_also: tuple[str, ...]
    files: tuple[str, ...]
    is_sparse: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillText:
    """A file beside a skill; without a text if it is gone since."""

    path: str
    content: str | None


def find_skills(
    db: Database, tenant_id: str, store_name: str, *, after: str = "", limit: int | None = None
) -> list[SkillView]:
    """Return the live skills of a store by name: all, or at most `limit` after a name. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        places = _read_places(uow, store_id)
        names = sorted(name for name in places if name > after)[:limit]
        return [view for _, view in _read_skills(uow, store_id, places, names)]


def get_skill(
    db: Database, tenant_id: str, store_name: str, name: str
) -> tuple[Memory, SkillView, tuple[MemoryVersion, ...]]:
    """Return a skill's memory, its view, and its versions, newest first. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        memory, view = _read_skill(uow, store_id, name)
        return memory, view, tuple(uow.memories(store_id).find_history(memory.id))


def get_skill_now(db: Database, tenant_id: str, store_name: str, name: str) -> tuple[Memory, SkillView]:
    """Return a skill's memory and its view, without its versions. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return _read_skill(uow, uow.stores.get(store_name).id, name)


def find_files_beside(db: Database, tenant_id: str, store_name: str, paths: Sequence[str]) -> list[SkillText]:
    """Return the texts at some of the paths that a `SkillView` names, in their order. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        found = uow.memories(uow.stores.get(store_name).id).find_by_paths(list(paths))
    return [SkillText(path=path, content=found[path].content if path in found else None) for path in paths]


def find_skill_files(uow: UnitOfWork, store_id: str) -> list[ExportFile]:
    """Return skills and their files in the layout of a skills folder, which has no `skills/` above it."""
    return [
        ExportFile(path=m.path.removeprefix(f"{SKILLS_FOLDER}/"), content=m.content, updated_at=m.updated_at)
        for m in _read_folder(uow, store_id)
    ]


def _read_folder(uow: UnitOfWork, store_id: str) -> list[Memory]:
    kinds = {MemoryKind.SKILL, MemoryKind.SKILL_FILE}
    wanted = [memory_id for memory_id, path in _find_paths(uow, store_id) if kind_of(path) in kinds]
    return uow.memories(store_id).find_live(wanted) if wanted else []


def _find_paths(uow: UnitOfWork, store_id: str) -> list[tuple[str, str]]:
    return uow.catalog(store_id).find_paths(f"{SKILLS_FOLDER}/")


@dataclass(frozen=True, slots=True)
class _Place:
    """The memory of a skill, and the paths of the files beside it."""

    memory_id: str
    files: list[str]


def _read_places(uow: UnitOfWork, store_id: str) -> dict[str, _Place]:
    """Return skills by name, without texts. A file belongs to the innermost skill whose folder holds it."""
    found = _find_paths(uow, store_id)
    places = {skill_name_of(path): _Place(one, []) for one, path in found if kind_of(path) is MemoryKind.SKILL}
    for path in (path for _, path in found if kind_of(path) is MemoryKind.SKILL_FILE):
        homes = [name for name in places if path.startswith(folder_of(name))]
        if homes:
            places[max(homes, key=len)].files.append(path)
    return places


def _read_skill(uow: UnitOfWork, store_id: str, name: str) -> tuple[Memory, SkillView]:
    wanted = normal_skill_name(name)
    found = _read_skills(uow, store_id, _read_places(uow, store_id), [wanted])
    if not found:
        raise NotFoundError(f"There is no skill {wanted!r}; `slowwave skills list` lists the skills")
    return found[0]


def _read_skills(
    uow: UnitOfWork, store_id: str, places: Mapping[str, _Place], names: Sequence[str]
) -> list[tuple[Memory, SkillView]]:
    """Return the skills of these names that exist, in this order."""
    now = uow.now()
    wanted = [places[name] for name in names if name in places]
    if not wanted:
        return []
    found = {memory.id: memory for memory in uow.memories(store_id).find_live([one.memory_id for one in wanted])}
    uses = uow.skills(store_id).find_uses(None, _MAX_USES)
    recent = count_uses([use for use in uses if use.used_at >= now - timedelta(days=USES_DAYS)])
    return [
        (found[one.memory_id], _view(found[one.memory_id], recent, uses, tuple(one.files), now))
        for one in wanted
        if one.memory_id in found
    ]


def _view(
    memory: Memory, recent: dict[str, int], uses: Sequence[SkillUse], files: tuple[str, ...], now: datetime
) -> SkillView:
    name = skill_name_of(memory.path)
    return SkillView(
        name=name,
        summary=describe_skill(memory),
        size_chars=len(memory.content),
        uses=recent.get(name, 0),
        created_at=created_at_of(memory),
        last_used_at=last_used_of(memory, uses),
        see_also=tuple(see_also_of(memory)),
        files=files,
        is_sparse=is_sparse(memory, now),
    )


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
    """Record one use of a skill and return it; the same use counts once.

    Args:
        db: the database.
        tenant_id: the tenant.
        store_name: the store.
        name: the skill's name, as `skills list` shows it.
        session: the host's own id of the session, which need not have been imported.
        at: the time of the use; default now.
        actor: the author, for the audit log.

    Raises:
        NotFoundError: there is no such skill.
        BadInputError: the session id is empty.
    """
    session_id = clean_id(session.strip())
    if not session_id:
        raise BadInputError("A use of a skill needs the id of its session")
    wanted = normal_skill_name(name)
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        if uow.memories(store.id).find_by_path(skill_path(wanted)) is None:
            raise NotFoundError(f"There is no skill {wanted!r}; `slowwave skills list` lists the skills")
        use = SkillUse(skill=wanted, session=session_id, used_at=at or uow.now())
        if uow.skills(store.id).record_uses([use]):
            uow.activity.record(store.id, curations=1)
            uow.record_audit(actor, "skill.use", store=store_name, skill=wanted)
    return use
