"""Show the questions of its own that a store keeps, and let an admin replace them. Agents do not see what they are measured by."""

import json
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from gateway.api.http.parameters import StoreName
from gateway.console.pages import go, page
from gateway.console.settings.changes import REFUSALS
from gateway.console.visitor import Administrator, Visitor, see
from gateway.evaluation.probe_rows import parse_probes
from shared.core.evaluation.model import MAX_KEPT_PROBES
from shared.core.evaluation.probes import find_unasked
from shared.core.tenants.roles import Permission
from shared.services.evaluation.own_probes import Rows, find_own_probes, set_own_probes

router = APIRouter(prefix="/console/t/{tenant}/stores/{store}/probes", include_in_schema=False)
#: A form has at most 64 kB, in which a quotation mark takes three bytes.
MOST_CHARS = 20_000
ReviewingReader = Annotated[Visitor, see(Permission.REVIEW)]


@router.get("")
def show(request: Request, visitor: ReviewingReader, store: StoreName) -> Response:
    """List the questions; to an admin, also as a text to change."""
    return _show(request, visitor, store)


@router.post("")
def replace(
    request: Request,
    visitor: Administrator,
    store: StoreName,
    rows: Annotated[str, Form(max_length=MOST_CHARS * 2)] = "",
) -> Response:
    """Keep the rows of the form instead of all that there are; a text that is refused stays in the form."""
    try:
        given = parse_probes(rows, "The form")
        kept = set_own_probes(visitor.ports.db, visitor.tenant_id, store, given, actor=visitor.actor)
    except REFUSALS as error:
        return _show(request, visitor, store, typed=rows, refused=str(error))
    where = f"/console/t/{visitor.tenant_id}/stores/{store}/probes"
    return go(visitor, where, f"The store keeps {len(kept) or 'no'} question{'' if len(kept) == 1 else 's'} of its own")


def _show(request: Request, visitor: Visitor, store: str, *, typed: str | None = None, refused: str = "") -> Response:
    rows = find_own_probes(visitor.ports.db, visitor.tenant_id, store)
    text = typed if typed is not None else _as_lines(rows)
    return page(
        request,
        visitor,
        "evaluations/probes.html",
        store=store,
        rows=rows,
        unasked=find_unasked(rows),
        typed=text,
        fits=len(text) <= MOST_CHARS,
        refused=refused,
        most=MAX_KEPT_PROBES,
        most_chars=MOST_CHARS,
    )


def _as_lines(rows: Rows) -> str:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
