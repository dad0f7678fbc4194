"""Ask the OSV database for known vulnerabilities of the locked dependencies: `python -m deploy.audit [LOCK …]`.

One request with names and versions; nothing else of this machine is sent. Where the database cannot be reached, one line
the output reports that, and the check passes. `OSV_URL` names a mirror; a finding that was looked at is named, with its reason, in ACCEPTED.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from deploy.lock_file import ROOT, Pin, read_pins

LOCKS = tuple(
    ROOT / f"requirements{name}.lock"
    for name in ("", "-embeddings", "-bedrock", "-langfuse", "-openai", "-vertex", "-dev")
)
_URL = "https://api.osv.dev"
_SECONDS = 5.0
#: Findings that do not concern slowwave: the id, and why.
ACCEPTED: Mapping[str, str] = {}


def find_vulnerabilities(pins: Sequence[Pin], url: str) -> dict[str, list[str]]:
    """Return the ids of known vulnerabilities by package URL. Raises OSError, ValueError: there is no usable answer."""
    body = json.dumps({"queries": [{"package": {"purl": pin.purl}} for pin in pins]}).encode()
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(f"{url}/v1/querybatch", body, headers), timeout=_SECONDS) as answer:  # noqa: S310 - the operator names it
        results = json.load(answer)["results"]
    if len(results) != len(pins):
        raise ValueError("it answered for other packages")
    named = {pin.purl: [one["id"] for one in found.get("vulns", [])] for pin, found in zip(pins, results, strict=True)}
    return {purl: ids for purl, ids in named.items() if ids}


def main(arguments: list[str]) -> int:
    """Print what is known. Returns 1 if something is."""
    locks = [Path(name) for name in arguments] or LOCKS
    pins = list({pin.purl: pin for lock in locks for pin in read_pins(lock.read_text(encoding="utf-8"))}.values())
    try:
        found = find_vulnerabilities(pins, os.environ.get("OSV_URL", _URL).rstrip("/"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"HTTP {error.code}" if isinstance(error, HTTPError) else type(error).__name__
        print(f"Dependency audit skipped: the vulnerability database gave no usable answer ({reason})")
        return 0
    new = {purl: [one for one in ids if one not in ACCEPTED] for purl, ids in found.items()}
    for purl, ids in new.items():
        if ids:
            print(f"{purl}: {', '.join(ids)}")
    print(f"Dependency audit: {len(pins)} releases, {sum(map(len, new.values()))} known vulnerabilities")
    return 1 if any(new.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
