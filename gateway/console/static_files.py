"""Serve the console's static files. They are named here, so that no path can lead to another file."""

import gzip
from functools import cache

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, Response

from gateway.console.pages import STATIC
from shared.core.errors import NotFoundError

router = APIRouter(prefix="/console/static", include_in_schema=False)
_TYPES = {
    "charts.js": "text/javascript",
    "console.css": "text/css",
    "costs.css": "text/css",
    "settings.css": "text/css",
    "console.js": "text/javascript",
    "memories.css": "text/css",
    "memories.js": "text/javascript",
    "graph.css": "text/css",
    "htmx.min.js": "text/javascript",
    "evaluations.css": "text/css",
    "insight.css": "text/css",
    "mark.svg": "image/svg+xml",
    "operators.css": "text/css",
    "uplot.min.css": "text/css",
    "uplot.min.js": "text/javascript",
}
#: A URL holds the file's hash, so that a browser never shows an old version.
_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}


@router.get("/{name}")
def static(name: str, request: Request) -> Response:
    """Return a static file, compressed where the browser takes that. Nothing in these files is secret or a tenant's."""
    if name not in _TYPES:
        raise NotFoundError
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(_compress(name), media_type=_TYPES[name], headers={**_HEADERS, "Content-Encoding": "gzip"})
    return FileResponse(STATIC / name, media_type=_TYPES[name], headers=_HEADERS)


@cache
def _compress(name: str) -> bytes:
    return gzip.compress((STATIC / name).read_bytes(), mtime=0)
