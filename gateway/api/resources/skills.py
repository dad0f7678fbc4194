"""Skills of a store: list, read with what lies beside, write, and say that one was used."""

from fastapi import APIRouter, Response

from gateway.api.auth import Reader, Writer
from gateway.api.cursors import Cursor, Limit, Page, decode_cursor, page_of
from gateway.api.idempotency import Idempotent
from gateway.api.one_thread import OneThreadRoute
from gateway.api.parameters import SkillName, StoreName
from gateway.api.problems import answers
from gateway.api.shapes.skills import (
    SkillDetail,
    SkillIn,
    SkillOut,
    SkillUseIn,
    SkillUseOut,
    new_texts,
    skill_detail,
    skill_out,
)
from shared.core.skill import check_skill_name
from shared.services.find_skills import find_skills, get_skill_texts
from shared.services.record_skill_use import record_skill_use
from shared.services.write_memories import write_memories

router = APIRouter(prefix="/api/stores/{store}", tags=["skills"], route_class=OneThreadRoute)


@router.get("/skills", responses=answers(), summary="List skills")
def list_all(store: StoreName, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[SkillOut]:
    """List skills by name, with how often they were used in the last 30 days."""
    after = decode_cursor(cursor) or ""
    found = find_skills(caller.ports.db, caller.tenant_id, store, after=after, limit=limit + 1)
    shown, following = page_of(found, limit, lambda one: one.name)
    return Page(data=[skill_out(one) for one in shown], next_cursor=following)


@router.get("/skills/{skill:path}", responses=answers(), summary="Read a skill")
def get(store: StoreName, skill: SkillName, caller: Reader) -> SkillDetail:
    """Return a skill's text and the files beside it."""
    return skill_detail(*get_skill_texts(caller.ports.db, caller.tenant_id, store, skill))


@router.put("/skills/{skill:path}", responses=answers(409), summary="Write a skill")
def put(store: StoreName, skill: SkillName, body: SkillIn, caller: Writer) -> SkillDetail:
    """Make a skill, or change it: each text that is new is a version. The same again changes nothing."""
    ports = caller.ports
    texts = new_texts(check_skill_name(skill), body)
    write_memories(ports.db, ports.ids, caller.tenant_id, store, texts, caller.author, actor=caller.actor)
    return skill_detail(*get_skill_texts(ports.db, caller.tenant_id, store, skill))


@router.post("/skill-uses", status_code=201, response_model=SkillUseOut, responses=answers(409), summary="Record a use")
def record_use(store: StoreName, body: SkillUseIn, caller: Writer, once: Idempotent) -> Response:
    """Record that a session used a skill: dreams go by it."""

    def produce() -> SkillUseOut:
        use = record_skill_use(
            caller.ports.db, caller.tenant_id, store, body.skill, body.session, body.at, actor=caller.actor
        )
        return SkillUseOut(skill=use.skill, session=use.session, used_at=use.used_at)

    return once.answer(caller, 201, produce)
