"""A release: refused with what is missing, the same bytes from one commit, and a signature that others can check."""

import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from deploy.clients import PYTHON, TYPESCRIPT, build_packages
from deploy.release import NAMESPACE, SUMS, NotReadyError, build_provenance, check_ready, find_checksum, sign
from deploy.sbom import add_clients, build_sbom

ROOT = Path(__file__).parents[3]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with all that a release looks at."""
    python, npm = tmp_path / "clients" / "python", tmp_path / "clients" / "typescript"
    for folder in (python, npm):
        folder.mkdir(parents=True)
    for folder in (tmp_path, python):
        (folder / "pyproject.toml").write_text('[project]\nversion = "1.4.0"\n')
    (npm / "package.json").write_text('{"version": "1.4.0"}\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.4.0 (2026-12-01)\n\n## 1.3.0 (2026-11-01)\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        git(tmp_path, *command)
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"]
    ran = subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def test_a_clean_checkout_whose_changelog_tells_of_the_version_is_ready(checkout: Path) -> None:
    assert check_ready(checkout, "1.4.0") == git(checkout, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("version", "changelog", "told"),
    [
        ("v1.4", None, "not a version such as"),
        ("1.3.0", None, "pyproject.toml says 1.4.0"),
        ("1.4.0", "## 1.4.0 (unreleased)\n", "CHANGELOG.md needs a heading"),
        ("1.4.0", "## 1.3.0 (2026-11-01)\n", "CHANGELOG.md needs a heading"),
        ("1.4.0", "## 1.4.0 (2026-12-01)\nmore\n", "1 files are not committed"),
    ],
)
def test_what_is_missing_is_said_and_nothing_is_released(
    checkout: Path, version: str, changelog: str | None, told: str
) -> None:
    if changelog is not None:
        (checkout / "CHANGELOG.md").write_text(changelog)
    with pytest.raises(NotReadyError, match=told):
        check_ready(checkout, version)


@pytest.mark.parametrize("name", ["clients/python/pyproject.toml", "clients/typescript/package.json"])
def test_a_client_of_another_version_is_not_released(checkout: Path, name: str) -> None:
    file = checkout / name
    file.write_text(file.read_text().replace("1.4.0", "1.3.0"))
    git(checkout, "commit", "-qam", "y")
    with pytest.raises(NotReadyError, match=f"^{name} says 1.3.0: set 1.4.0 there"):
        check_ready(checkout, "1.4.0")


def test_npm_writes_a_version_before_the_release_in_its_own_way(checkout: Path) -> None:
    for path, written in ((checkout, "1.4.0rc1"), (checkout / "clients" / "python", "1.4.0rc1")):
        (path / "pyproject.toml").write_text(f'[project]\nversion = "{written}"\n')
    (checkout / "clients" / "typescript" / "package.json").write_text('{"version": "1.4.0-rc.1"}\n')
    (checkout / "CHANGELOG.md").write_text("## 1.4.0rc1 (2026-12-01)\n")
    git(checkout, "commit", "-qam", "y")
    assert check_ready(checkout, "1.4.0rc1")


def test_the_clients_are_built_to_the_same_bytes_and_the_bill_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")  # without npm
    clients, found = tmp_path / "clients", []
    shutil.copytree(PYTHON, clients / "python")
    shutil.copytree(TYPESCRIPT, clients / "typescript", ignore=shutil.ignore_patterns("node_modules"))
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        assert not build_packages(clients, tmp_path / name, {**os.environ, "SOURCE_DATE_EPOCH": "1790000000"})
        found.append({path.name: find_checksum(path) for path in (tmp_path / name).iterdir()})
    assert found[0] == found[1]
    [archive] = (tmp_path / "one").glob("slowwave_client-*.tar.gz")
    [_wheel] = (tmp_path / "one").glob("slowwave_client-*.whl")
    with tarfile.open(archive) as opened:
        assert any(name.endswith("/slowwave_client/models.py") for name in opened.getnames())
    bill = add_clients(build_sbom("", "1.4.0"), clients, found[0])
    client = next(one for one in bill["components"] if one["name"] == "slowwave-client")
    assert {one["content"] for one in client["hashes"]} == set(found[0].values())
    assert "slowwave-client/httpx" in bill["dependencies"][-1]["dependsOn"]


def test_the_provenance_names_each_file_with_its_digest_and_the_commit() -> None:
    told = build_provenance({"b.whl": "2" * 64, "a.tar.gz": "1" * 64}, "1.4.0", "c" * 40)
    assert [one["name"] for one in told["subject"]] == ["a.tar.gz", "b.whl"]
    assert "c" * 40 in json.dumps(told["predicate"]["buildDefinition"]["resolvedDependencies"])


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH is not here")
def test_a_signature_is_good_for_these_checksums_alone(tmp_path: Path) -> None:
    key, sums = tmp_path / "key", tmp_path / SUMS
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    sums.write_text("0  a\n")
    sign(sums, key)
    (tmp_path / "signers").write_text(f"me {key.with_suffix('.pub').read_text()}")
    assert verify(tmp_path, "0  a\n") == 0
    assert verify(tmp_path, "1  a\n") != 0


def verify(folder: Path, text: str) -> int:
    command = ["ssh-keygen", "-Y", "verify", "-f", "signers", "-I", "me", "-n", NAMESPACE, "-s", f"{SUMS}.sig"]
    return subprocess.run(command, cwd=folder, input=text, text=True, check=False, capture_output=True).returncode
