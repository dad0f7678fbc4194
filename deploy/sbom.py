"""Print the software bill of materials, CycloneDX as JSON, of what a lock file installs: `python -m deploy.sbom [LOCK]`.

The same lock file gives the same bytes, so that two releases can be compared.
"""

import json
import sys
import uuid
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


def main(arguments: list[str]) -> int:
    """Print the bill."""
    lock = Path(arguments[0]) if arguments else LOCK
    print(json.dumps(build_sbom(lock.read_text(encoding="utf-8"), VERSION), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
