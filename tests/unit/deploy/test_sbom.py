"""The software bill of materials: CycloneDX, complete, and the same for the same lock file."""

import json
import re
import subprocess
import sys
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from deploy.lock_file import read_pins
from deploy.sbom import LOCK, add_clients, build_sbom
from tests.architecture.sources import ROOT

_TEXT = LOCK.read_text(encoding="utf-8")


class Shape(BaseModel):
    """The part of CycloneDX 1.6's schema that is used here; it allows no further names."""

    model_config = ConfigDict(extra="forbid")


class Digest(Shape):
    alg: Literal["SHA-256"]
    content: Annotated[str, Field(pattern=r"^[a-fA-F0-9]{64}$")]


class Property(Shape):
    name: str
    value: str


class Component(Shape):
    type: Literal["application", "library"]
    bom_ref: Annotated[str, Field(alias="bom-ref", min_length=1)]
    name: str
    version: Annotated[str, Field(max_length=1024)] | None = None
    purl: Annotated[str, Field(pattern=r"^pkg:(?:pypi|npm|generic)/[a-z0-9.-]+(?:@[^@ ]+)?$")]
    scope: Literal["required", "optional", "excluded"] | None = None
    hashes: list[Digest] = []
    properties: list[Property] = []


class Metadata(Shape):
    component: Component


class Dependency(Shape):
    ref: str
    depends_on: Annotated[list[str], Field(alias="dependsOn")]


class Bill(Shape):
    schema_address: Annotated[Literal["http://cyclonedx.org/schema/bom-1.6.schema.json"], Field(alias="$schema")]
    bom_format: Annotated[Literal["CycloneDX"], Field(alias="bomFormat")]
    spec_version: Annotated[Literal["1.6"], Field(alias="specVersion")]
    serial_number: Annotated[
        str,
        Field(alias="serialNumber", pattern=r"^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"),
    ]
    version: Annotated[int, Field(ge=1)]
    metadata: Metadata
    components: list[Component]
    dependencies: list[Dependency]


def test_the_command_prints_a_bill_of_the_shape_of_cyclonedx() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "deploy.sbom"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    bill = Bill.model_validate(json.loads(done.stdout))
    references = [one.bom_ref for one in bill.components]
    assert len(set(references)) == len(references)
    assert [one.depends_on for one in bill.dependencies] == [references]


def test_the_clients_are_in_it_with_what_they_require() -> None:
    files = {f"slowwave_client-1.0{end}": "1" * 64 for end in (".whl", ".tar.gz")} | {
        "slowwave-client-1.0.tgz": "2" * 64
    }
    bill = Bill.model_validate(add_clients(build_sbom(_TEXT, "1.0"), ROOT / "clients", files))
    references = [one.bom_ref for one in bill.components]
    assert len(set(references)) == len(references)
    named = {name for one in bill.dependencies for name in one.depends_on}
    assert named <= set(references)
    assert {"slowwave-client/httpx", "pkg:npm/openapi-fetch@0.17.0"} <= named
    assert [len(one.hashes) for one in bill.components if one.name == "slowwave-client"] == [2, 1]
    bill = Bill.model_validate(
        add_clients(build_sbom(_TEXT, "1.0"), ROOT / "clients", {"slowwave_client-1.0.whl": "1" * 64})
    )
    assert not [one for one in bill.components if one.purl.startswith("pkg:npm")]


def test_every_locked_release_is_in_it_with_the_hashes_of_its_files() -> None:
    found = {(one["name"], one["version"]): len(one["hashes"]) for one in build_sbom(_TEXT, "1.0")["components"]}
    locked = re.findall(r"^(\S+?)==(\S+)", _TEXT, re.MULTILINE)
    assert set(found) == set(locked)
    assert sum(found.values()) == _TEXT.count("--hash=sha256:")
    assert min(found.values()) >= 1


def test_the_same_lock_file_gives_the_same_bill_and_another_one_another() -> None:
    assert build_sbom(_TEXT, "1.0") == build_sbom(_TEXT, "1.0")
    assert build_sbom(_TEXT, "1.0")["serialNumber"] != build_sbom(_TEXT, "1.1")["serialNumber"]


@pytest.mark.parametrize("line", ["celery>=5", "celery", "-e .", "celery @ https://example.com/celery.whl"])
def test_a_requirement_without_a_version_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="No pin with a version"):
        list(read_pins(f"{line}\n"))
