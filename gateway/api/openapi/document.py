"""Finish the OpenAPI document that FastAPI generates: one shape of errors, names, descriptions of every field, examples, headers."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from gateway.api.http.problems import Problem
from gateway.api.openapi.examples import add_examples
from gateway.api.openapi.headers import add_headers
from gateway.api.openapi.names import name_all


def finish_openapi(app: FastAPI) -> None:
    """Let an application describe itself by the finished document."""
    generate = app.openapi

    def openapi() -> dict[str, object]:
        if app.openapi_schema is None:
            _finish(generate())
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign] # FastAPI's documented way of extending OpenAPI


def _finish(document: dict[str, Any]) -> None:
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    schemas["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if path.startswith("/v1"):
                operation["responses"].pop("422", None)  # /v1 answers 400 instead
    for unused in ("HTTPValidationError", "ValidationError"):  # FastAPI's own shapes of errors
        schemas.pop(unused, None)
    add_examples(document)
    add_headers(document)
    name_all(document)
    _describe(document)


def _describe(document: dict[str, Any]) -> None:
    """Describe each field and parameter that its class does not describe: by its schema and name, or by its name alone."""
    told = _read_descriptions()
    for name, schema in document["components"]["schemas"].items():
        for field, found in schema.get("properties", {}).items():
            text = told["fields"].get(f"{name}.{field}") or told["fields"].get(field)
            if text and "description" not in found:
                found["description"] = text
    for methods in document["paths"].values():
        for operation in methods.values():
            for taken in operation.get("parameters", ()):
                taken.setdefault("description", told["parameters"].get(taken["name"], ""))


@lru_cache(maxsize=1)
def _read_descriptions() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = tomllib.loads(
        Path(__file__).with_name("fields.toml").read_text(encoding="utf-8")
    )
    return found
