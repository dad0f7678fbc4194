"""deploy/kubernetes fits the API's published schemas, the image, the settings and the command line."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson
import pytest
import yaml
from flower.options import default_options

from shared.core.metrics import METRICS
from shared.settings import Settings
from tests.architecture.kubernetes.cut_schemas import KINDS, VERSIONS
from tests.architecture.kubernetes.manifests import (
    FOLDER,
    Object,
    Pod,
    load_objects,
    of_kind,
    pod,
    pods,
    render_example,
    selected,
)
from tests.architecture.sources import ROOT
from tests.support.cli_processes import run_command
from tests.support.command_tree import load_command_tree

SETTINGS = {f"SLOWWAVE_{name.upper()}" for name in Settings.model_fields}
#: What uvicorn reads itself, and Flower's options.
OTHERS = {"FORWARDED_ALLOW_IPS"} | {f"FLOWER_{name.upper()}" for name in default_options}
ROLES = {"worker", "beat", "flower"}


@cache
def schema_of(version: str, kind: str) -> Any:
    schemas = orjson.loads(Path(__file__).with_name(f"{version}.json").read_bytes())
    return jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": schemas["$defs"]})


def find_faults(version: str, objects: tuple[Object, ...]) -> list[str]:
    return [
        f"{one['kind']} {one['metadata']['name']}: {error.message} at {list(error.instance_path)}"
        for one in objects
        if one["kind"] in KINDS
        for error in schema_of(version, one["kind"]).iter_errors(one)
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_object_fits_the_schema_of_the_api(version: str) -> None:
    assert find_faults(version, load_objects()) == []
    assert {one["kind"] for one in load_objects()} == {*KINDS, "ScaledObject"}


@pytest.mark.parametrize("version", VERSIONS)
def test_kubectl_renders_the_example_into_valid_manifests_that_equal_the_files(version: str) -> None:
    rendered = render_example()
    assert find_faults(version, rendered) == []
    names = {(one["kind"], one["metadata"]["name"]) for one in rendered}
    assert names == {(one["kind"], one["metadata"]["name"]) for one in load_objects()}
    assert {one["metadata"].get("namespace") for one in rendered if one["kind"] != "Namespace"} == {"slowwave"}
    worker = next(one for one in rendered if one["metadata"]["name"] == "slowwave-worker" and "template" in one["spec"])
    assert "replicas" not in worker["spec"], "KEDA sets the number"
    images = {
        c["image"]
        for one in rendered
        for c in one.get("spec", {}).get("template", {}).get("spec", {}).get("containers", [])
    }
    assert images == {"registry.example.com/slowwave:0.1.0"}


def test_a_misspelt_field_would_be_seen() -> None:
    wrong = {"kind": "Service", "apiVersion": "v1", "metadata": {"name": "a"}, "spec": {"port": [{"port": 1}]}}
    assert len(find_faults(VERSIONS[-1], (wrong,))) == 1


@pytest.mark.parametrize("one", pods(), ids=lambda one: one.name)
def test_a_process_runs_a_command_that_exists(one: Pod) -> None:
    for container in one.containers:
        command, *rest = container["args"]
        if command in ROLES:
            assert rest == []
            continue
        found = load_command_tree().commands[command]
        options = {option for parameter in found.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= options
    assert {container["image"] for container in one.containers} == {image_of_compose()}


def image_of_compose() -> str:
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
    return str(compose["services"]["worker"]["image"])


def test_every_variable_is_a_setting() -> None:
    named = {name for one in of_kind("ConfigMap").values() for name in one["data"]}
    named |= {variable["name"] for one in pods() for c in one.containers for variable in c.get("env", [])}
    for path in FOLDER.rglob("*.yaml"):
        named |= set(re.findall(r"\b(?:SLOWWAVE|FLOWER)_[A-Z_]+\b", path.read_text()))
    assert named - SETTINGS - OTHERS - {"SLOWWAVE_API_PORT"} == set()
    Settings.model_validate(
        {k.removeprefix("SLOWWAVE_").lower(): v for k, v in of_kind("ConfigMap")["slowwave"]["data"].items()}
    )


def test_no_file_holds_a_secret_and_only_the_migration_gets_the_owners_password() -> None:
    assert of_kind("Secret") == {}
    for one in pods():
        secrets = {s["secretRef"]["name"] for c in one.containers for s in c["envFrom"] if "secretRef" in s}
        expected = {"migrate": {"slowwave-owner"}, "flower": {"slowwave", "slowwave-flower"}}
        assert secrets == expected.get(one.name.removeprefix("slowwave-"), {"slowwave"})
    assert not re.search(r"://[^@\s]*:[^@\s]+@", "".join(path.read_text() for path in FOLDER.rglob("*.yaml")))


@pytest.mark.parametrize("name", ["worker", "beat"])
def test_worker_and_beat_are_probed_by_the_age_of_their_file(name: str, tmp_path: Path) -> None:
    for kind in ("startupProbe", "livenessProbe"):
        command = pod(name).main[kind]["exec"]["command"]
        assert command[:3] == ["python", "-m", "gateway.cli"]
        ended = run_command(command[3:], {"SLOWWAVE_DATA_DIR": str(tmp_path)})
        assert (ended.code, name in ended.out.decode()) == (1, True), (
            "it knows the role, and finds no process of it there"
        )


def test_the_api_is_restarted_by_liveness_and_left_out_by_readiness() -> None:
    main = pod("api").main
    paths = {kind: main[kind]["httpGet"]["path"] for kind in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert paths == {"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"}


def test_ports_agree() -> None:
    for one in pods():
        args, ports = one.main["args"], one.main.get("ports", [])
        env = {variable["name"]: variable["value"] for variable in one.main.get("env", [])}
        listening = args[args.index("--port") + 1] if "--port" in args else env.get("FLOWER_PORT")
        assert [str(port["containerPort"]) for port in ports] == ([] if listening is None else [listening])
        assert {port["name"] for port in ports} <= {"http"}
    for name, service in of_kind("Service").items():
        (port,) = service["spec"]["ports"]
        (to,) = selected({"matchLabels": service["spec"]["selector"]})
        assert (to, port["targetPort"]) == (name, "http")
        assert port["port"] == pod(name.removeprefix("slowwave-")).main["ports"][0]["containerPort"]


def test_the_scaler_scales_the_worker_by_metrics_that_exist() -> None:
    (scaler,) = of_kind("ScaledObject").values()
    assert scaler["spec"]["scaleTargetRef"] == {"name": "slowwave-worker"}
    assert 0 < scaler["spec"]["minReplicaCount"] < scaler["spec"]["maxReplicaCount"]
    asked = [trigger["metadata"]["query"] for trigger in scaler["spec"]["triggers"]]
    known = {metric.name for metric in METRICS}
    assert [set(re.findall(r"slowwave_\w+", query)) <= known for query in asked] == [True, True]
    values = [value for trigger in scaler["spec"]["triggers"] for value in trigger["metadata"].values()]
    assert all(isinstance(value, str) for value in values), "KEDA takes texts only"
