"""The dashboard explains itself: what a panel shows, what its lines are, and when a number is bad."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from shared.core.metrics import METRICS
from tests.architecture.sources import ROOT
from tests.support.installed.prometheus import skip_without_prometheus
from tests.support.runbooks import names

PANELS: list[dict[str, Any]] = json.loads((ROOT / "deploy" / "grafana" / "slowwave.json").read_text())["panels"]
LABELS = {metric.name: set(metric.labels) for metric in METRICS}


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: str(panel["title"]))
def test_a_panel_says_what_it_shows_what_its_lines_are_and_when_a_number_is_bad(panel: dict[str, Any]) -> None:
    assert re.match(r"[A-Z0-9].+\.$", panel["description"]), "a sentence for the person on call"
    defaults = panel["fieldConfig"]["defaults"]
    steps = defaults["thresholds"]["steps"]
    assert defaults["unit"]
    assert steps[0]["value"] is None
    values = [step["value"] for step in steps[1:]]
    assert values == sorted(values)
    assert panel["targets"]
    assert all(target["legendFormat"] for target in panel["targets"])
    assert set(re.findall(r"runbooks? ([\w-]+)", panel["description"])) <= set(names())


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: str(panel["title"]))
def test_a_legend_names_labels_that_the_expression_keeps(panel: dict[str, Any]) -> None:
    for target in panel["targets"]:
        shown = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
        kept = {
            label.strip() for found in re.findall(r"by \(([^)]*)\)", target["expr"]) for label in found.split(",")
        } - {"le"}
        metrics = re.findall(r"slowwave_\w+", target["expr"])
        if not kept and "sum(" not in target["expr"]:
            kept = set().union(*(LABELS.get(metric, set()) for metric in metrics))
        assert shown == kept - {"le"}, target


def test_no_two_panels_lie_on_each_other() -> None:
    cells = [
        (x, y)
        for panel in PANELS
        for at in [panel["gridPos"]]
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)


def test_prometheus_understands_every_expression(tmp_path: Path) -> None:
    skip_without_prometheus()
    expressions = [target["expr"] for panel in PANELS for target in panel["targets"]]
    rules = [{"record": f"panel:{number}", "expr": expression} for number, expression in enumerate(expressions)]
    page = tmp_path / "rules.yaml"
    page.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    done = subprocess.run(["promtool", "check", "rules", str(page)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
