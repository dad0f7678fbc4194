"""Print the software bill of materials, CycloneDX as JSON, of what a lock file installs: `python -m deploy.sbom [LOCK]`.

The same lock file gives the same bytes, so that two releases can be compared.
"""

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deploy.lock_file import ROOT, Pin, read_pins
from gateway.version import VERSION

LOCK = ROOT / "requirements.lock"
_SPEC = "1.6"


def build_sbom(lock: str, version: str) -> dict[str, Any]:
    """Return the bill of a lock file's text."""
    pins = sorted(read_pins(lock), key=lambda pin: pin.purl)
    root = f"pkg:generic/slowwave@{version}"
    return {
        "$schema": f"http://cyclonedx.org/schema/bom-{_SPEC}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": _SPEC,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, root + lock)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application", "bom-ref": root, "name": "slowwave", "version": version, "purl": root,
            },
        },
        "components": [_describe(pin) for pin in pins],
        "dependencies": [{"ref": root, "dependsOn": [pin.purl for pin in pins]}],
    }  # fmt: skip


def _describe(pin: Pin) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": pin.purl,
        "name": pin.name,
        "version": pin.version,
        "scope": "optional" if pin.marker else "required",
        "purl": pin.purl,
        "hashes": [{"alg": "SHA-256", "content": one} for one in pin.hashes],
    }
    if pin.marker:
        component["properties"] = [{"name": "slowwave:marker", "value": pin.marker}]
    return component


def add_clients(bill: dict[str, Any], clients: Path, checksums: Mapping[str, str]) -> dict[str, Any]:
    """Return a bill with the packages of the clients, and what each requires: without a version where it takes newer ones, too.

    Args:
        bill: that of the lock file.
        clients: the folder of the clients' sources.
        checksums: SHA-256 by file name of what was built; a client of which there is no file is left out.
    """
    python = tomllib.loads((clients / "python" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    npm = json.loads((clients / "typescript" / "package.json").read_text(encoding="utf-8"))
    ranges = [re.fullmatch(r"([\w.-]+)(.*)", one) for one in python["dependencies"]]
    wanted = {
        "pypi": (python["version"], {one[1]: one[2] for one in ranges if one}, "slowwave_client-"),
        "npm": (npm["version"], npm["dependencies"], "slowwave-client-"),
    }
    bill = {**bill, "components": list(bill["components"]), "dependencies": list(bill["dependencies"])}
    for registry, (version, requirements, beginning) in wanted.items():
        built = [checksum for name, checksum in checksums.items() if name.startswith(beginning)]
        if not built:
            continue
        needs = [_require(registry, name, version) for name, version in sorted(requirements.items())]
        client = {
            **_library(registry, "slowwave-client", version),
            "hashes": [{"alg": "SHA-256", "content": one} for one in built],
        }
        bill["components"] += [client, *needs]
        bill["dependencies"].append({"ref": client["bom-ref"], "dependsOn": [one["bom-ref"] for one in needs]})
    return bill


def _require(registry: str, name: str, version: str) -> dict[str, Any]:
    """Describe what a client requires: a version, or a range such as `>=0.28`."""
    if version[0].isdigit():
        return _library(registry, name, version)
    range_of = {"name": "slowwave:range", "value": version}
    return {**_library(registry, name), "bom-ref": f"slowwave-client/{name}", "properties": [range_of]}


def _library(registry: str, name: str, version: str = "") -> dict[str, Any]:
    purl = f"pkg:{registry}/{name}{version and f'@{version}'}"
    return {"type": "library", "bom-ref": purl, "name": name, **({"version": version} if version else {}), "purl": purl}


def main(arguments: list[str]) -> int:
    """Print the bill."""
    lock = Path(arguments[0]) if arguments else LOCK
    print(json.dumps(build_sbom(lock.read_text(encoding="utf-8"), VERSION), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
