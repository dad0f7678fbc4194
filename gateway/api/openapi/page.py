"""Show the OpenAPI document as one page, `/docs`, without scripts: every operation with what goes in and what comes out."""

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import HTMLResponse

router = APIRouter(include_in_schema=False)
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; color: #1b1f24; background: #fff }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #d0d7de }
summary { cursor: pointer; padding: .35rem 0; overflow-wrap: anywhere }
code, b { font-family: ui-monospace, monospace; font-size: .9em }
b { display: inline-block; min-width: 4.5em; text-transform: uppercase }
details { padding-left: 1.25rem }
summary { margin-left: -1.25rem }
table { border-collapse: collapse; width: 100% }
td { padding: .2rem .5rem .2rem 0; vertical-align: top; border-top: 1px solid #eaeef2; overflow-wrap: anywhere }
pre { overflow: auto; padding: .75rem; background: #f6f8fa }
@media (prefers-color-scheme: dark) {
  body { color: #e6edf3; background: #0d1117 } h2, td { border-color: #30363d } pre { background: #161b22 } a { color: #58a6ff }
}
"""
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; frame-ancestors 'none'"
_CODE = re.compile(r"`([^`]+)`")
_TYPED = ("type", "format", "const")


@router.get("/docs")
def show(request: Request) -> HTMLResponse:
    """Show the page."""
    return HTMLResponse(_render(request.app), headers={"Content-Security-Policy": _POLICY})


@lru_cache(maxsize=4)
def _render(app: FastAPI) -> str:
    return render_page(app.openapi())


def render_page(document: Mapping[str, Any]) -> str:
    """Return the page of a finished document."""
    by_tag: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            drawn = "".join(_draw(method, path, operation, document["components"]["schemas"]))
            by_tag.setdefault(operation["tags"][0], []).append(drawn)
    links = " · ".join(f'<a href="#{_anchor(tag)}">{escape(tag)}</a>' for tag in by_tag)
    parts = [f'<h2 id="{_anchor(tag)}">{escape(tag)}</h2>{"".join(drawn)}' for tag, drawn in by_tag.items()]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>slowwave API</title><style>{_STYLE}</style><h1>slowwave API</h1>"
        f"<p>{_prose(document['info']['description'])}</p>"
        f'<p>For programs: <a href="/openapi.json">/openapi.json</a>. {links}</p>{"".join(parts)}</html>'
    )


def _prose(text: str) -> str:
    """Return a text as HTML, with its code in code's letters."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def _anchor(tag: str) -> str:
    return escape(tag.replace(" ", "-"), quote=True)


def _draw(
    method: str, path: str, operation: Mapping[str, Any], schemas: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    yield f'<details id="{escape(operation["operationId"])}"><summary><b>{method}</b> <code>{escape(path)}</code> {escape(operation["summary"])}</summary>'
    yield f"<p>{_prose(operation.get('description', ''))}</p>"
    rows = [(one["name"], one.get("schema", {}), one.get("description", "")) for one in operation.get("parameters", ())]
    yield _table("Parameters", rows)
    body = operation.get("requestBody", {}).get("content", {})
    yield from _draw_body("Body", body, schemas)
    for status, answer in operation["responses"].items():
        if status < "4":
            yield from _draw_body(f"Answer {status}", answer.get("content", {}), schemas)
    refused = ", ".join(
        f"{status} {one.get('description', '')}" for status, one in operation["responses"].items() if status >= "4"
    )
    yield f"<p>Errors: {escape(refused)}</p></details>" if refused else "</details>"


def _draw_body(title: str, content: Mapping[str, Any], schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for kind, part in content.items():
        name = part.get("schema", {}).get("$ref", "").rsplit("/", 1)[-1]
        fields = schemas.get(name, {}).get("properties", {})
        rows = [(field, found, found.get("description", "")) for field, found in fields.items()]
        yield _table(f"{title} ({name or kind})", rows)


def _table(title: str, rows: list[tuple[str, Mapping[str, Any], str]]) -> str:
    if not rows:
        return ""
    drawn = "".join(
        f"<tr><td><code>{escape(name)}</code><td>{escape(_type_of(schema))}<td>{_prose(text)}"
        for name, schema, text in rows
    )
    return f"<h4>{escape(title)}</h4><table>{drawn}</table>"


def _type_of(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    choices = [one for key in ("anyOf", "oneOf", "allOf") for one in schema.get(key, ())]
    if choices:
        return " or ".join(_type_of(one) for one in choices)
    told = " ".join(str(schema[key]) for key in _TYPED if key in schema)
    return f"{told} of {_type_of(schema['items'])}" if "items" in schema else told
