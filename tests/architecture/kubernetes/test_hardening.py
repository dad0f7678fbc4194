"""The rights of the pods of deploy/kubernetes, their number, how they end, and to whom they speak."""

import re

import pytest

from gateway.api.server import _GRACE_SECONDS
from shared.settings import Settings
from tests.architecture.kubernetes.manifests import Object, Pod, load_objects, of_kind, pod, pods, seconds_of, selected
from tests.architecture.sources import ROOT

EVERY = {one.name for one in pods()}
PROCESSES = {"slowwave-worker", "slowwave-beat", "slowwave-api", "slowwave-metrics", "slowwave-flower"}


def test_there_is_a_pod_for_each_process() -> None:
    assert PROCESSES | {"slowwave-migrate"} == EVERY
    assert pod("migrate").kind == "Job"


@pytest.mark.parametrize("one", pods(), ids=lambda one: one.name)
def test_a_pod_may_do_little(one: Pod) -> None:
    uid = re.findall(r"^USER (\d+):(\d+)$", (ROOT / "deploy" / "Dockerfile").read_text(), re.MULTILINE)
    user, group = map(int, uid[-1])
    assert one.spec["securityContext"] == {
        "runAsNonRoot": True,
        "runAsUser": user,
        "runAsGroup": group,
        "fsGroup": group,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    assert one.spec["automountServiceAccountToken"] is False
    assert of_kind("ServiceAccount")[one.spec["serviceAccountName"]]["automountServiceAccountToken"] is False
    for container in one.containers:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
        assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize("one", pods(), ids=lambda one: one.name)
def test_a_pod_can_write_to_the_data_directory_and_to_tmp_and_keeps_neither(one: Pod) -> None:
    image = (ROOT / "deploy" / "Dockerfile").read_text()
    data = re.findall(r"SLOWWAVE_DATA_DIR=(\S+)", image)[0]
    assert {volume["name"] for volume in one.spec["volumes"] if "emptyDir" in volume} == {"data", "tmp"}
    for container in one.containers:
        assert {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]} == {
            data: "data",
            "/tmp": "tmp",
        }


@pytest.mark.parametrize("one", pods(), ids=lambda one: one.name)
def test_the_address_of_a_service_never_becomes_a_setting(one: Pod) -> None:
    assert one.spec["enableServiceLinks"] is False
    links = {f"{name.upper().replace('-', '_')}_PORT" for name in of_kind("Service")}
    assert links & {f"SLOWWAVE_{name.upper()}" for name in Settings.model_fields}, "which is why"


def test_there_is_one_beat_and_the_old_one_ends_before_the_new_one_starts() -> None:
    beats = [
        one
        for one in of_kind("Deployment").values()
        if "beat" in str(one["spec"]["template"]["spec"]["containers"][0]["args"])
    ]
    assert [one["spec"]["replicas"] for one in beats] == [1]
    assert [one["spec"]["strategy"] for one in beats] == [{"type": "Recreate"}]


@pytest.mark.parametrize("name", sorted(PROCESSES - {"slowwave-flower"}))
def test_a_process_waits_until_the_database_is_migrated(name: str) -> None:
    (first,) = pod(name.removeprefix("slowwave-")).spec["initContainers"]
    assert first["args"] == ["migrate", "--check"]


def test_a_worker_and_an_api_have_time_to_finish_what_they_began() -> None:
    drain = Settings.model_fields["drain_seconds"].default
    assert seconds_of(pod("worker")) >= drain + 20
    api = pod("api")
    leaving = api.main["lifecycle"]["preStop"]["exec"]["command"]
    assert leaving[0] == "sleep"
    assert seconds_of(api) >= float(leaving[1]) + _GRACE_SECONDS + 10


def test_worker_and_api_are_moved_one_after_another_and_what_there_is_one_of_can_be_moved() -> None:
    budgets = [one["spec"] for one in of_kind("PodDisruptionBudget").values()]
    assert {name for budget in budgets for name in selected(budget["selector"])} == {"slowwave-worker", "slowwave-api"}
    assert [budget["maxUnavailable"] for budget in budgets] == [1, 1]
    assert {of_kind("Deployment")[name]["spec"]["replicas"] for name in ("slowwave-worker", "slowwave-api")} == {2}


def test_every_pod_is_cut_off_but_for_what_is_named() -> None:
    policies = {name: one["spec"] for name, one in of_kind("NetworkPolicy").items()}
    nothing = policies.pop("slowwave-nothing-by-default")
    assert selected(nothing["podSelector"]) == EVERY
    assert sorted(nothing["policyTypes"]) == ["Egress", "Ingress"]
    assert not {"ingress", "egress"} & nothing.keys()
    assert all(selected(policy["podSelector"]) for policy in policies.values()), "a policy of no pod is a slip"
    entered = {name: policy for name, policy in policies.items() if "ingress" in policy}
    assert {one for policy in entered.values() for one in selected(policy["podSelector"])} == {
        "slowwave-api",
        "slowwave-metrics",
    }
    for policy in entered.values():
        (rule,) = policy["ingress"]
        assert rule["from"], "from one place, not from everywhere"


def test_every_process_reaches_its_servers_and_none_the_credentials_of_the_machine() -> None:
    left = [one["spec"] for one in of_kind("NetworkPolicy").values() if one["spec"].get("egress")]
    assert open_to(left, 53) == open_to(left, 5432) == open_to(left, 6379) == EVERY
    assert open_to(left, 443) == PROCESSES, "the model, webhooks and sign-in, but not the migration"
    blocks = [to["ipBlock"] for policy in left for rule in policy["egress"] for to in rule.get("to", [])]
    assert blocks[0] == {"cidr": "0.0.0.0/0", "except": ["169.254.0.0/16"]}


def open_to(policies: list[Object], port: int) -> set[str]:
    return {
        name
        for policy in policies
        for rule in policy["egress"]
        if port in {one["port"] for one in rule["ports"]}
        for name in selected(policy["podSelector"])
    }


def test_every_selector_of_a_deployment_is_the_label_of_its_own_pods_only() -> None:
    for one in load_objects():
        if one["kind"] == "Deployment":
            assert selected(one["spec"]["selector"]) == {one["metadata"]["name"]}
