"""Every shipped alert is provoked, fires and clears, in Prometheus' own engine over hours of made-up numbers."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from shared.core.metrics import METRICS, MetricKind
from tests.architecture.sources import ROOT
from tests.support.installed.prometheus import skip_without_prometheus
from tests.unit.deploy.alert_cases import CASES, AlertCase

PROMETHEUS = ROOT / "deploy" / "prometheus"
ALERTS: list[dict[str, Any]] = yaml.safe_load((PROMETHEUS / "alerts.yaml").read_text())["groups"][0]["rules"]
RULES = {rule["alert"]: rule for rule in ALERTS}
_SERIES = re.compile(r"(\w+)(?:\{(.*)\})?$")


def promtool(*words: object) -> None:
    done = subprocess.run(["promtool", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def a_test_of(case: AlertCase) -> dict[str, Any]:
    """One case as promtool takes it."""
    rule = RULES[case.alert]
    fired = {"exp_labels": case.labels | rule["labels"], "exp_annotations": rule["annotations"]}
    expected: list[tuple[int, list[dict[str, Any]]]] = [(minute, []) for minute in (*case.silent, case.clears)] + [
        (case.fires, [fired])
    ]
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in case.series.items()],
        "alert_rule_test": [
            {"eval_time": f"{minute}m", "alertname": case.alert, "exp_alerts": alerts} for minute, alerts in expected
        ],
    }


def test_every_alert_has_a_fault_that_provokes_it() -> None:
    assert {case.alert for case in CASES} == set(RULES)


@pytest.mark.parametrize("series", sorted({series for case in CASES for series in case.series}))
def test_a_fault_is_made_of_series_that_the_exporter_has(series: str) -> None:
    found = _SERIES.match(series)
    assert found is not None
    if found[1] == "up":  # Prometheus' own
        return
    metric = next(metric for metric in METRICS if metric.name == found[1])
    assert metric.kind is not MetricKind.HISTOGRAM
    assert set(re.findall(r"(\w+)=", found[2] or "")) == set(metric.labels)


@pytest.mark.thorough  # 1.6 s of processor time
def test_every_alert_is_silent_before_its_fault_fires_in_it_and_clears_after_it(tmp_path: Path) -> None:
    skip_without_prometheus()
    tests = {"rule_files": [str(PROMETHEUS / "alerts.yaml")], "tests": [a_test_of(case) for case in CASES]}
    (tmp_path / "cases.yaml").write_text(json.dumps(tests))
    promtool("test", "rules", tmp_path / "cases.yaml")


def test_prometheus_takes_the_shipped_configuration() -> None:
    skip_without_prometheus()
    promtool("check", "config", PROMETHEUS / "prometheus.yaml")
