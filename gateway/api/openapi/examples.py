"""Generate OpenAPI examples for every request and response body from the schemas, so that none is missing or wrong.

A schema with its own example keeps it. Otherwise a field's example is found by its name, or by its type.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import JsonValue

#: The example of a text field that has none; a test finds the fields that need a line below.
UNKNOWN = "…"
_ULID = "01JD0000000000000000000000"
_MOMENT = "2026-11-21T06:00:00Z"
_PROBLEMS = {400: "bad-request", 401: "unauthenticated", 403: "forbidden", 404: "not-found", 409: "conflict",
             412: "precondition-failed", 413: "too-large", 422: "invalid", 429: "rate-limited", 500: "unexpected",
             503: "unavailable"}  # fmt: skip
_IDS = {"dream": "drm", "memory": "mem", "session": "sesn", "key": "key", "operation": "op", "memory_store": "memstore"}
#: The example of a schema's own `id`, by a part of the schema's name, in lower case; the first that is found. Every other is a dream's.
_OWN_IDS = {
    "version": f"memver_{_ULID}v1", "event": f"sevt_{_ULID}", "link": f"mem_{_ULID}", "memory": f"mem_{_ULID}", "memories": f"mem_{_ULID}", "deliver": f"dlv_{_ULID}",
    "webhook": f"hook_{_ULID}", "agent": "support-bot", "session": f"sesn_{_ULID}", "resource": f"sesrsc_{_ULID}", "key": f"key_{_ULID}",
    "audit": f"aud_{_ULID}", "bulk": f"op_{_ULID}", "operation": f"op_{_ULID}", "store": f"memstore_{_ULID}", "tenant": "acme",
    "runout": f"run_{_ULID}", "model": "claude-haiku-4-5",
}  # fmt: skip
_BY_NAME: dict[str, JsonValue] = {
    **{f"{kind}_id": f"{prefix}_{_ULID}" for kind, prefix in _IDS.items()},
    "about": "ops", "access": "read_write", "file_id": f"file_{_ULID}", "mount_path": "/mnt/report.csv", "action": "store.configure", "actor": f"key:key_{_ULID}", "agent": "support-bot",
    "agentId": "support-bot", "better_model": "claude-sonnet-4-6", "api_key_id": f"key_{_ULID}", "change": "update", "changed_by": f"key:key_{_ULID}",
    "classification": "timeout", "content": "# Auth\n\nTokens live an hour.\n", "content_sha256": "0" * 64,
    "description": "Deploy the page", "detail": "Too recent (2.5h < 12h)", "diff": "@@ -1 +1 @@\n-Mondays\n+Tuesdays",
    "display_name": "Support bot", "environment_id": "env_production", "error": "The push timed out", "errors": [],
    "event_id": "msg-17", "expires": "2026-12-31", "excerpt": "… tokens live an hour …", "external_id": "chat-42", "id": f"drm_{_ULID}",
    "group": None, "input_memory_store_id": f"memstore_{_ULID}", "instance": f"req_{_ULID}", "instructions": "Keep every date.",
    "active_dream": None, "last_dream_id": f"drm_{_ULID}", "left_out": None, "locale": "en", "memory_version_id": f"memver_{_ULID}v1", "message": "Not found",
    "model": "offline", "name": "support-bot", "next_dream": "follows at once", "next_cursor": None, "next_page": None, "nextCursor": None, "note": "",
    "operation": "modified", "path": "api/auth.md", "phase": "consolidate", "pool": "threads", "prefix": "/api/", "project": "shop", "prev_page": None,
    "by": f"key:key_{_ULID}", "profile": "default", "quiet_hours": "22:00-06:00", "reason": "Two notes say the same", "request_id": f"req_{_ULID}",
    "role": "user", "session": "chat-42", "skill": "summarize-mail", "source": "api", "store": "default",
    "words": None, "origin": "person", "stub": None, "summary": "How tokens are signed.", "superseded_by": None, "tenant": "acme", "text": "No, one hour.",
    "time_zone": "Europe/Berlin", "title": "Auth", "token": f"swk_{_ULID}_SECRET", "trigger": "api",
    "type": "message", "url": "https://example.com/hooks", "used_by": f"drm_{_ULID}", "gate": "time", "worker": "worker-4711-a1b2@dreams-1",
}  # fmt: skip
_ITEMS: dict[str, JsonValue] = {
    "came_from": "api/tokens.md", "conflicts": "api/auth.md was edited after the dream", "dreams": f"drm_{_ULID}",
    "masked": "AWS Access Key", "merged": "api/limits.md", "proposals": f"op_{_ULID}",
    "paths": "api/auth.md", "reflections": "Deploys slip on Fridays", "see_also": "mcp/mail", "skills": "deploy",
    "steps": "build", "stores": "default", "session_ids": f"sesn_{_ULID}", "ids": f"op_{_ULID}", "vault_ids": f"vlt_{_ULID}", "errors": "The model timed out",
}  # fmt: skip


def add_examples(document: dict[str, Any]) -> None:
    """Give every JSON body of an OpenAPI document an example, in place."""
    maker = _Maker(document["components"]["schemas"])
    for status, described, content in _contents(document):
        if "example" not in content and "schema" in content:
            made = maker.make(content["schema"], "")
            if status >= 400 and isinstance(made, dict) and "instance" in made:
                made |= {"status": status, "type": f"urn:slowwave:problem:{_PROBLEMS[status]}", "title": described}
                made |= {} if status == 409 else {"detail": described}
            content["example"] = made


def _contents(document: Mapping[str, Any]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    for methods in document["paths"].values():
        for operation in methods.values():
            bodies = [(0, operation.get("requestBody", {}))]
            answers = [(int(status), told) for status, told in operation["responses"].items()]
            for status, told in bodies + answers:
                described = told.get("description", "")
                yield from (
                    (status, described, part) for kind, part in told.get("content", {}).items() if "json" in kind
                )


class _Maker:
    """Builds examples from schemas."""

    def __init__(self, schemas: Mapping[str, Any]) -> None:
        self._schemas = schemas

    def make(self, schema: Mapping[str, Any], name: str) -> JsonValue:
        """Return an example that a schema allows, for a field of this name."""
        if "$ref" in schema:
            kind = schema["$ref"].rsplit("/", 1)[-1]
            return _with_own_id(kind, self._schemas[kind], self.make(self._schemas[kind], name))
        for given in ("example", "const"):
            if given in schema:
                return self._complete(schema, schema[given])
        if schema.get("examples") or schema.get("enum"):
            return (schema.get("examples") or schema["enum"])[0]  # type: ignore[no-any-return] # JSON
        choices = [one for key in ("anyOf", "oneOf", "allOf") for one in schema.get(key, ())]
        if choices:
            return self._choose(choices, name)
        return self._by_type(schema, name)

    def _complete(self, schema: Mapping[str, Any], given: JsonValue) -> JsonValue:
        """Return a hand-written example, with the fields that the schema has gained since."""
        if not isinstance(given, dict):
            return given
        known = schema.get("properties", {})
        return given | {key: self.make(known[key], key) for key in schema.get("required", ()) if key not in given}

    def _choose(self, choices: list[Mapping[str, Any]], name: str) -> JsonValue:
        if name in _BY_NAME and _BY_NAME[name] is None and any(one.get("type") == "null" for one in choices):
            return None
        return self.make(next((one for one in choices if one.get("type") != "null"), choices[0]), name)

    def _by_type(self, schema: Mapping[str, Any], name: str) -> JsonValue:
        kind = schema.get("type")
        if kind == "array":
            items = {"example": _ITEMS[name]} if name in _ITEMS and "$ref" not in schema["items"] else schema["items"]
            return [self.make(items, name)]
        if kind == "object" or "properties" in schema:
            return {key: self.make(one, key) for key, one in schema.get("properties", {}).items()}
        if kind in {"integer", "number"}:
            least = schema.get("minimum", schema.get("exclusiveMinimum", 0))
            return least + 1 if "exclusiveMinimum" in schema else max(1, int(least)) if kind == "integer" else least
        if kind == "boolean":
            return bool(schema.get("default", False))
        if schema.get("format") == "date-time":
            return _MOMENT
        default = schema.get("default")
        return _BY_NAME.get(name, default if isinstance(default, str) else UNKNOWN)


def _with_own_id(kind: str, schema: Mapping[str, Any], made: JsonValue) -> JsonValue:
    """Return the example of a schema with an id as these things have it, unless the schema has an example of its own."""
    own = next((one for part, one in _OWN_IDS.items() if part in kind.lower()), None)
    is_plain = isinstance(made, dict) and made.get("id") == _BY_NAME["id"] and "example" not in schema
    return {**made, "id": own} if own is not None and is_plain and isinstance(made, dict) else made
