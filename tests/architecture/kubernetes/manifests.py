"""The objects of deploy/kubernetes, as their files have them and as kubectl renders the example."""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.architecture.sources import ROOT

FOLDER = ROOT / "deploy" / "kubernetes"
Object = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pod:
    """The pods that a Deployment or Job makes."""

    name: str
    kind: str
    labels: dict[str, str]
    spec: Object

    @property
    def containers(self) -> list[Object]:
        """Return every container, also those that run before the others."""
        return [*self.spec.get("initContainers", []), *self.spec["containers"]]

    @property
    def main(self) -> Object:
        """Return the container that the pod is there for."""
        (only,) = self.spec["containers"]
        return dict(only)


@cache
def load_objects() -> tuple[Object, ...]:
    """Return the objects of the base and of every component that its kustomization names."""
    return tuple(one for kustomization in sorted(FOLDER.glob("*/kustomization.yaml")) for one in _load(kustomization))


def _load(kustomization: Path) -> Iterator[Object]:
    for name in yaml.safe_load(kustomization.read_text())["resources"]:
        if name.endswith(".yaml"):
            yield from yaml.safe_load_all((kustomization.parent / name).read_text())


@cache
def render_example() -> tuple[Object, ...]:
    """Return what `kubectl apply -k deploy/kubernetes/example` would send."""
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is not installed here")
    done = subprocess.run(["kubectl", "kustomize", FOLDER / "example"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return tuple(yaml.safe_load_all(done.stdout))


def of_kind(kind: str) -> dict[str, Object]:
    return {one["metadata"]["name"]: one for one in load_objects() if one["kind"] == kind}


@cache
def pods() -> tuple[Pod, ...]:
    templates = [one for one in load_objects() if one["kind"] in {"Deployment", "Job"}]
    return tuple(
        Pod(
            name=one["metadata"]["name"],
            kind=one["kind"],
            labels=one["spec"]["template"]["metadata"]["labels"],
            spec=one["spec"]["template"]["spec"],
        )
        for one in templates
    )


def pod(name: str) -> Pod:
    return next(one for one in pods() if one.name == f"slowwave-{name}")


def selected(selector: Object) -> set[str]:
    """Return the names of the pods that a selector means."""
    wanted: dict[str, str] = selector.get("matchLabels", {})
    rules: list[Object] = selector.get("matchExpressions", [])
    return {
        one.name
        for one in pods()
        if wanted.items() <= one.labels.items() and all(one.labels.get(rule["key"]) in rule["values"] for rule in rules)
    }


def seconds_of(pods_of: Pod) -> float:
    return float(pods_of.spec["terminationGracePeriodSeconds"])
