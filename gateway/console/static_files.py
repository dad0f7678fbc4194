"""Serve the console's static files. They are named here, so that no path can lead to another file."""

from fastapi import APIRouter
from starlette.responses import FileResponse

from gateway.console.pages import STATIC
from shared.core.errors import NotFoundError

router = APIRouter(prefix="/console/static", include_in_schema=False)
_TYPES = {
    "console.css": "text/css",
    "costs.css": "text/css",
    "settings.css": "text/css",
    "console.js": "text/javascript",
    "memories.css": "text/css",
    "memories.js": "text/javascript",
    "graph.css": "text/css",
    "htmx.min.js": "text/javascript",
    "insight.css": "text/css",
    "mark.svg": "image/svg+xml",
    "operators.css": "text/css",
}
#: A URL holds the file's hash, so that a browser never shows an old version.
_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}


@router.get("/{name}")
def static(name: str) -> FileResponse:
    """Return a static file."""
    if name not in _TYPES:
        raise NotFoundError
    return FileResponse(STATIC / name, media_type=_TYPES[name], headers=_HEADERS)
