"""Show one model call of a dream: what was sent, what came back, and what it cost."""

import json

from fastapi import APIRouter, Request
from starlette.responses import Response

from gateway.api.http.parameters import CallId, DreamId
from gateway.console.pages import page
from gateway.console.views.prompt_view import fold_documents
from gateway.console.visitor import Reader
from shared.services.dreams.read import get_call

router = APIRouter(prefix="/console/t/{tenant}/dreams/{dream_id}/calls", include_in_schema=False)
#: The most characters of a prompt on a page; more would be slow to read and to render.
MAX_CHARS = 60_000


@router.get("/{call_id}")
def show(request: Request, visitor: Reader, dream_id: DreamId, call_id: CallId) -> Response:
    """Show a call: its prompt with the documents folded, its answer, or what the model's server said instead."""
    trace = get_call(visitor.ports.db, visitor.tenant_id, dream_id, call_id)
    asked = "\n\n".join(trace.prompt.question) if trace.prompt else ""
    system = "\n\n".join(trace.prompt.system) if trace.prompt else ""
    answer = json.dumps(trace.answer, indent=2, ensure_ascii=False) if trace.answer is not None else ""
    return page(
        request,
        visitor,
        "dreams/call.html",
        dream_id=dream_id,
        trace=trace,
        call=trace.call,
        system=system[:MAX_CHARS],
        pieces=fold_documents(asked[:MAX_CHARS]),
        cut=max(0, len(asked) - MAX_CHARS),
        answer=answer[:MAX_CHARS],
        answer_cut=max(0, len(answer) - MAX_CHARS),
    )
