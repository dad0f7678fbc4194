"""Prepare a release in `dist/VERSION`: `python -m deploy.release VERSION [--key SSH_KEY]`; docs/release.md walks through it.

It builds the wheel, the source archive and the packages of the clients twice and compares the two, so that others can build the same bytes
from the same commit. Beside them it writes the bill of materials, the provenance (an in-toto statement with SLSA's predicate), and SHA256SUMS over all of it, which
an SSH key signs.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from deploy.clients import build_packages
from deploy.lock_file import ROOT
from deploy.sbom import LOCK, add_clients, build_sbom

SUMS = "SHA256SUMS"
#: What a signature is for, so that one for another purpose does not count.
NAMESPACE = "slowwave-release"
_NPM_FILE = "clients/typescript/package.json"
_VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")


class NotReadyError(Exception):
    """The checkout is not ready to be released. The message says what is missing."""


def check_ready(root: Path, version: str) -> str:
    """Return the commit that is released.

    Raises:
        NotReadyError: the version is none or another one, the changelog does not tell of it, or something is not committed.
    """
    if _VERSION.fullmatch(version) is None:
        raise NotReadyError(f"{version!r} is not a version such as 1.4.0 or 1.4.0rc1")
    if others := [f"{name} says {named}" for name, named in _read_versions(root) if named != _as_named(name, version)]:
        raise NotReadyError(f"{', '.join(others)}: set {version} there and in gateway/version.py, and commit")
    heads = re.findall(r"^## (\S+)(.*)$", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    told = dict(reversed(heads)).get(version)
    if told is None or "unreleased" in told:
        raise NotReadyError(f"CHANGELOG.md needs a heading `## {version} (YYYY-MM-DD)` for what is released")
    if changed := _git(root, "status", "--porcelain"):
        raise NotReadyError(f"{len(changed.splitlines())} files are not committed; a release is built from a commit")
    return _git(root, "rev-parse", "HEAD")


def _read_versions(root: Path) -> Iterator[tuple[str, str]]:
    """Yield each file that names the version of a package, and that version."""
    for name in ("pyproject.toml", "clients/python/pyproject.toml"):
        yield name, tomllib.loads((root / name).read_text(encoding="utf-8"))["project"]["version"]
    yield _NPM_FILE, json.loads((root / _NPM_FILE).read_text(encoding="utf-8"))["version"]


def _as_named(name: str, version: str) -> str:
    """Return how a file writes a version: npm's is `1.4.0-rc.1` for `1.4.0rc1`."""
    return re.sub(r"(a|b|rc)(\d+)$", r"-\1.\2", version) if name == _NPM_FILE else version


def build(root: Path, target: Path) -> bool:
    """Build the packages of the checkout and of its clients into a folder; the same commit gives the same bytes.

    Returns whether the client for TypeScript is among them, which takes npm.

    Raises:
        subprocess.CalledProcessError: the build failed; its output was shown.
    """
    moment = _git(root, "log", "-1", "--format=%ct")
    command = [
        sys.executable,
        "-m",
        "uv",
        "build",
        "-q",
        "--no-build-isolation",
        "--no-create-gitignore",
        "-o",
        str(target),
    ]
    variables = {**os.environ, "SOURCE_DATE_EPOCH": moment}
    subprocess.run([*command, str(root)], check=True, env=variables)
    return build_packages(root / "clients", target, variables)


def build_provenance(checksums: Mapping[str, str], version: str, commit: str) -> dict[str, Any]:
    """Return how the files came to be, as an in-toto statement. `checksums` are SHA-256 by file name."""
    materials = [{"uri": "git+slowwave", "digest": {"gitCommit": commit}}]
    materials += [{"uri": LOCK.name, "digest": {"sha256": find_checksum(LOCK)}}]
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": checksum}} for name, checksum in sorted(checksums.items())],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "make release",
                "externalParameters": {"version": version},
                "resolvedDependencies": materials,
            },
            "runDetails": {"builder": {"id": f"python {sys.version.split()[0]}"}},
        },
    }


def find_checksum(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sign(sums: Path, key: Path) -> None:
    """Write the signature of a file beside it, as `.sig`. Raises subprocess.CalledProcessError: the key cannot sign."""
    sums.with_name(f"{sums.name}.sig").unlink(missing_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f", key, sums], check=True)  # noqa: S607 - OpenSSH's, wherever it is


def release(root: Path, version: str, key: Path | None) -> tuple[Path, bool]:
    """Return the folder with everything that is published, and whether the client for TypeScript is in it.

    Raises:
        NotReadyError: the checkout is not ready, or two builds of it differ.
        subprocess.CalledProcessError: a build failed, or the key cannot sign.
    """
    commit = check_ready(root, version)
    target = root / "dist" / version
    shutil.rmtree(target, ignore_errors=True)
    has_typescript = build(root, target)
    checksums = {path.name: find_checksum(path) for path in sorted(target.iterdir())}
    with tempfile.TemporaryDirectory() as again:
        build(root, Path(again))
        other = {path.name: find_checksum(path) for path in sorted(Path(again).iterdir())}
    if checksums != other:
        raise NotReadyError("two builds of this commit differ, so the files cannot be checked by building them again")
    bill = add_clients(build_sbom(LOCK.read_text(encoding="utf-8"), version), root / "clients", checksums)
    _write(target / "slowwave.cdx.json", bill)
    _write(target / "provenance.json", build_provenance(checksums, version, commit))
    files = sorted(target.iterdir())
    (target / SUMS).write_text("".join(f"{find_checksum(path)}  {path.name}\n" for path in files), encoding="utf-8")
    if key is not None:
        sign(target / SUMS, key)
    return target, has_typescript


def _write(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _git(root: Path, *arguments: str) -> str:
    asked = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=True)  # noqa: S607 - git, wherever it is
    return asked.stdout.strip()


def main(arguments: Sequence[str]) -> int:
    """Prepare the release and say what to do next. Returns 2 if something is missing."""
    parser = argparse.ArgumentParser(prog="python -m deploy.release", description="Prepare a release in dist/VERSION.")
    parser.add_argument("version", help="such as 1.4.0")
    parser.add_argument("--key", type=Path, help="the private SSH key that signs SHA256SUMS")
    wanted = parser.parse_args(arguments)
    try:
        target, has_typescript = release(ROOT, wanted.version, wanted.key)
    except (NotReadyError, subprocess.CalledProcessError) as error:
        print(f"Not released: {error}", file=sys.stderr)
        return 2
    for line in (target / SUMS).read_text(encoding="utf-8").splitlines():
        print(line)
    if not has_typescript:
        print("Without the client for TypeScript: npm is not installed")
    if wanted.key is None:
        print("Not signed: name an SSH key, make release VERSION=… KEY=~/.ssh/release")
    print(f"In {target.relative_to(ROOT)}. What comes next stands in docs/release.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
