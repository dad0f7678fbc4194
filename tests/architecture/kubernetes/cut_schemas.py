"""Cut the API's published schemas down to the kinds that deploy/kubernetes uses: `cut_schemas.py FOLDER`.

FOLDER is what the wheel of the package kubernetes-validate holds, unpacked: 72 MB in 17,000 files, which no clone should
have to install. The schemas are generated from Kubernetes' OpenAPI documents (Apache License 2.0) and refuse unknown
fields. Descriptions are left out.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

VERSIONS = ("v1.30", "v1.37")
KINDS = {
    "ConfigMap": "configmap-v1",
    "Deployment": "deployment-apps-v1",
    "Job": "job-batch-v1",
    "Namespace": "namespace-v1",
    "NetworkPolicy": "networkpolicy-networking-v1",
    "PodDisruptionBudget": "poddisruptionbudget-policy-v1",
    "Service": "service-v1",
    "ServiceAccount": "serviceaccount-v1",
}


def main(folder: Path) -> None:
    """Write one file for each version, a definition on each line."""
    for version in VERSIONS:
        schemas = folder / "kubernetes-json-schema" / f"{version}.0-local-strict"
        every = json.loads((schemas / "_definitions.json").read_text())["$defs"]
        kinds = {kind: json.loads((schemas / f"{file}.json").read_text()) for kind, file in KINDS.items()}
        for schema in kinds.values():
            schema.pop("$id")
        used = find_used(every, kinds)
        cut = kinds | {name: every[name] for name in sorted(used)}
        lines = [f"{json.dumps(name)}: {json.dumps(shorten(schema))}" for name, schema in cut.items()]
        text = '{"$defs": {\n' + ",\n".join(lines) + "\n}}\n"
        Path(__file__).with_name(f"{version}.json").write_text(text.replace("/api/_definitions.json#/", "#/"))


def find_used(every: dict[str, Any], kinds: dict[str, Any]) -> set[str]:
    """Return the names of all definitions that the kinds use."""
    used: set[str] = set()
    waiting = list(find_references(kinds))
    while waiting:
        name = waiting.pop()
        if name not in used:
            used.add(name)
            waiting += find_references(every[name])
    return used


def find_references(schema: object) -> Iterator[str]:
    """Yield the names of the definitions that a schema refers to."""
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rsplit("/", 1)[1]
        for value in schema.values():
            yield from find_references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from find_references(value)


def shorten(schema: Any) -> Any:
    """Return a schema without what only people read."""
    if isinstance(schema, dict):
        kept = {name: value for name, value in schema.items() if not name.startswith("x-kubernetes")}
        return {n: shorten(v) for n, v in kept.items() if not (n == "description" and isinstance(v, str))}
    return [shorten(value) for value in schema] if isinstance(schema, list) else schema


if __name__ == "__main__":
    main(Path(sys.argv[1]))
