"""Ask a store's memory as its agents do, see why each text is found and who wrote it, and say what is wrong there."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from gateway.api.http.parameters import ID, StoreName
from gateway.console.memories.first_store import lead_to_first_store
from gateway.console.pages import go, page
from gateway.console.visitor import Reviewer, Visitor, see
from gateway.masking import tell_kinds
from shared.core.errors import BadInputError, NotFoundError
from shared.core.memory.writers import Rank
from shared.core.tenants.roles import Permission
from shared.services.asking.ask import ask_store
from shared.services.asking.corrections import correction_of, find_wrong
from shared.services.memories.read import MOST_WORDS, search_alike
from shared.services.sessions.feedback import record_feedback
from shared.services.tenants.stores import find_stores

router = APIRouter(prefix="/console/t/{tenant}", include_in_schema=False)
_ALIKE = 5
#: Lines of a text that a page shows: those with words of the question, and others; a memory's own page has all.
_TELLING, _OTHERS = 10, 20
MAX_QUESTION = 1_000
MAX_RIGHT = 2_000
ReviewingReader = Annotated[Visitor, see(Permission.REVIEW)]
Question = Annotated[str, Query(alias="q", max_length=MAX_QUESTION, pattern=r"^[^\x00]*$")]


@router.get("/ask")
def choose(request: Request, visitor: ReviewingReader) -> Response:
    """Redirect to the first store's page."""
    return lead_to_first_store(request, visitor, "ask")


@router.get("/stores/{store}/ask")
def ask(request: Request, visitor: ReviewingReader, store: StoreName, question: Question = "") -> Response:
    """Show what both readers find for a question. No search is noted, and no memory counts as read."""
    ports, said = visitor.ports, question.strip()
    known: dict[str, Any] = {"store": store, "q": said, "asked": None, "alike": [], "dreams": [], "most": MAX_QUESTION}
    known["stores"] = [one.name for one in find_stores(ports.db, visitor.tenant_id)]
    if store not in known["stores"]:
        raise NotFoundError
    if said:
        asked = ask_store(ports.db, ports.search, visitor.tenant_id, store, said, ports.meaning)
        known["asked"] = asked
        lines = (line for answer in asked.answers for one in answer.opened for line in one.lines)
        known["dreams"] = sorted({line.dream_id for line in lines if line.dream_id})
        if not any(answer.found for answer in asked.answers):
            known["alike"] = search_alike(ports.db, ports.search, visitor.tenant_id, store, said, _ALIKE)
    known |= {"telling_most": _TELLING, "others_most": _OTHERS, "most_right": MAX_RIGHT, "most_words": MOST_WORDS}
    return page(request, visitor, "memories/ask.html", by_meaning=ports.meaning is not None, **known)


@router.post("/stores/{store}/ask/wrong")
def wrong(
    visitor: Reviewer,
    store: StoreName,
    memory: Annotated[str, Form(pattern=ID)] = "",
    right: Annotated[str, Form(max_length=MAX_RIGHT)] = "",
    line: Annotated[str, Form(max_length=MAX_RIGHT)] = "",
    question: Annotated[str, Form(alias="q", max_length=MAX_QUESTION)] = "",
) -> Response:
    """Note what is right instead of a line of a memory, with the rank of a person, for the next dream to correct."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    where = f"/console/t/{tenant_id}/stores/{store}/ask?{urlencode({'q': question})}"
    try:
        found = find_wrong(db, tenant_id, store, memory)
        if " ".join(right.split()) in {"", " ".join(line.split())}:
            return go(visitor, where, "Not noted: write what is right in place of the line", "refused")
        note = correction_of(found, right.strip(), rank=Rank.OWNER)
        done = record_feedback(db, tenant_id, store, [note], actor=visitor.actor)
    except BadInputError as error:
        return go(visitor, where, f"Not noted: {error}", "refused")
    said = f"Noted: the next dream corrects {found.path}, or asks a person if it finds no wrong sentence there"
    return go(visitor, where, said + tell_kinds(done.masked))
