"""Generate what `clients/` take from the API's document, and build their packages: `python -m deploy.clients`, or `make clients`.

What is generated is not under version control: it always comes from the code that it belongs to.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from gateway.api.app import create_app
from shared.bootstrap import make_ports
from shared.settings import Settings

ROOT = Path(__file__).parents[1]
PYTHON, TYPESCRIPT = ROOT / "clients" / "python", ROOT / "clients" / "typescript"
_NPM = shutil.which("npm") or "npm"
_PREFIX = "/api/"
_SCHEMAS = "#/components/schemas/"
#: What the server checks, and says in a sentence of its own; a client that checked it too would refuse what a newer server takes.
_CHECKS = frozenset(
    {
        "pattern",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    }
)
_MODEL_OPTIONS = (
    "--input-file-type=openapi", "--openapi-scopes=schemas", "--output-model-type=pydantic_v2.BaseModel", "--target-python-version=3.11",
    "--use-standard-collections", "--use-union-operator", "--use-annotated", "--strict-nullable", "--enum-field-as-literal=all",
    "--collapse-root-models", "--use-schema-description", "--use-field-description", "--use-double-quotes", "--disable-timestamp",
    "--formatters=builtin",
)  # fmt: skip


def read_document() -> dict[str, Any]:
    """Return the API's document. Needs no server: nothing is asked."""
    nowhere = Settings.model_construct(  # whatever the environment says
        database_url=SecretStr("postgresql+psycopg://127.0.0.1/none"), redis_url=SecretStr("redis://127.0.0.1/0")
    )
    ports = make_ports(nowhere)
    try:
        return create_app(ports).openapi()
    finally:
        ports.close()


def public_part(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `/api` is of a document: its paths, and the schemas that these need."""
    paths = {path: methods for path, methods in document["paths"].items() if path.startswith(_PREFIX)}
    components, kept = document["components"], set[str]()
    wanted = set(_references(paths))
    while wanted:
        name = wanted.pop()
        kept.add(name)
        wanted |= set(_references(components["schemas"][name])) - kept
    schemas = {name: schema for name, schema in components["schemas"].items() if name in kept}
    return {**document, "paths": paths, "components": {**components, "schemas": schemas}}


def lenient_schemas(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document's schemas for a client that may be older than its server: without checks, open to further values."""
    schemas = {name: _lenient(schema) for name, schema in document["components"]["schemas"].items()}
    return {"openapi": document["openapi"], "info": document["info"], "paths": {}, "components": {"schemas": schemas}}


def write_models(document: Mapping[str, Any], target: Path) -> None:
    """Write the classes of a document's public part as a Python module."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "openapi.json")
        source.write_text(json.dumps(lenient_schemas(public_part(document))), encoding="utf-8")
        command = [sys.executable, "-m", "datamodel_code_generator", "--input", str(source), "--output", str(target)]
        subprocess.run([*command, *_MODEL_OPTIONS], check=True)


def _references(part: object) -> Iterator[str]:
    if isinstance(part, Mapping):
        named = part.get("$ref")
        if isinstance(named, str) and named.startswith(_SCHEMAS):
            yield named.removeprefix(_SCHEMAS)
    children = part.values() if isinstance(part, Mapping) else part if isinstance(part, list) else ()
    for child in children:
        yield from _references(child)


def _lenient(schema: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(schema, list):
        return [_lenient(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {
        name: one
        for name, one in schema.items()
        if name not in _CHECKS and not (name == "title" and isinstance(one, str))
    }
    if "properties" in kept:
        kept["properties"] = {name: _lenient(one) for name, one in schema["properties"].items()}
    kept |= {
        name: _lenient(one)
        for name, one in kept.items()
        if name in {"items", "anyOf", "oneOf", "allOf", "additionalProperties"}
    }
    if "enum" in kept and kept.get("type") == "string":
        values = {"type": kept.pop("type"), "enum": kept.pop("enum")}
        kept["anyOf"] = [values, {"type": "string"}]
    return kept


def _build_python(document: Mapping[str, Any], folder: Path, target: Path, variables: Mapping[str, str]) -> None:
    write_models(document, folder / "slowwave_client" / "models.py")
    build = [sys.executable, "-m", "uv", "build", "-q", "--no-build-isolation", "--no-create-gitignore"]
    subprocess.run([*build, "-o", str(target), str(folder)], check=True, env=variables)


def build_typescript(document: Mapping[str, Any], folder: Path) -> None:
    """Generate the types of a document's public part in a copy of `clients/typescript` that has its packages, and compile all."""
    (folder / "openapi.json").write_text(json.dumps(public_part(document)), encoding="utf-8")
    for script in ("generate", "build"):
        subprocess.run([_NPM, "run", "--silent", script], cwd=folder, check=True)


def pack_typescript(folder: Path, target: Path) -> None:
    """Put the package of a compiled client into another folder."""
    pack = [_NPM, "pack", "--silent", "--pack-destination", str(target)]
    subprocess.run(pack, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def build_packages(clients: Path, target: Path, variables: Mapping[str, str] = os.environ) -> bool:
    """Build the packages of the clients' sources into a folder that exists. Returns whether that for TypeScript is there: it takes npm.

    Raises:
        subprocess.CalledProcessError: a generator or a build failed; its output was shown.
    """
    document = read_document()
    _build_python(document, clients / PYTHON.name, target, variables)
    if shutil.which("npm") is None:
        return False
    folder = clients / TYPESCRIPT.name
    # No lock file: it would name the registry of the machine that wrote it. The versions stand in package.json.
    subprocess.run([_NPM, "install", "--no-audit", "--no-fund", "--no-package-lock"], cwd=folder, check=True)
    build_typescript(document, folder)
    pack_typescript(folder, target)
    return True


def main() -> int:
    """Build the packages of the clients into `dist/`: that for TypeScript where npm is installed."""
    (ROOT / "dist").mkdir(exist_ok=True)
    if not build_packages(ROOT / "clients", ROOT / "dist"):
        print("npm is not installed: the package for TypeScript is left out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
