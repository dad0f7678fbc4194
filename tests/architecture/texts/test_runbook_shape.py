"""Runbooks have one shape, stand in the index, and fit the alerts; alerts and dashboard name metrics that exist."""

import importlib
import json
import re
from typing import Any

import pytest
import yaml

from shared.core.metrics import METRICS, MetricKind
from tests.architecture.sources import ROOT, tracked
from tests.support.runbooks import FOLDER, PLACEHOLDERS, SECTIONS, names, read_runbook

ALERTS: list[dict[str, Any]] = yaml.safe_load((ROOT / "deploy" / "prometheus" / "alerts.yaml").read_text())["groups"][
    0
]["rules"]
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy" / "grafana" / "slowwave.json").read_text())
SERIES = {
    name
    for metric in METRICS
    for name in (
        [f"{metric.name}{end}" for end in ("_bucket", "_sum", "_count")]
        if metric.kind is MetricKind.HISTOGRAM
        else [metric.name]
    )
}
LABELS = {metric.name: set(metric.labels) for metric in METRICS}


@pytest.mark.parametrize("name", names())
def test_a_runbook_has_the_one_shape(name: str) -> None:
    page = read_runbook(name)
    assert tuple(page.sections) == SECTIONS
    assert all(text.strip() for text in page.sections.values())
    assert all(page.commands(section) for section in ("Check", "Fix", "Verify"))
    assert len((FOLDER / f"{name}.md").read_text().splitlines()) <= 70, "one page"


@pytest.mark.parametrize("name", names())
def test_words_in_capitals_are_those_that_the_index_explains(name: str) -> None:
    page = read_runbook(name)
    lines = [command.line for section in ("Check", "Fix", "Verify") for command in page.commands(section)]
    words = {word for line in lines for word in re.findall(r"(?<![\w$_{])[A-Z]{3,}\b(?!_)", line)}
    assert words <= PLACEHOLDERS
    assert all(word in (FOLDER / "README.md").read_text() for word in words)


def test_the_index_lists_every_runbook_with_its_title_and_alerts() -> None:
    index = (FOLDER / "README.md").read_text()
    for name in names():
        page = read_runbook(name)
        row = next(line for line in index.splitlines() if f"[{page.title}]({name}.md)" in line)
        assert re.findall(r"`(\w+)`", row) == page.alerts
    assert set(re.findall(r"\]\(([\w-]+)\.md\)", index)) == set(names())


@pytest.mark.parametrize("name", names())
def test_links_between_runbooks_lead_somewhere(name: str) -> None:
    assert set(re.findall(r"\]\(([\w-]+)\.md\)", (FOLDER / f"{name}.md").read_text())) <= set(names())


def test_every_alert_has_the_runbook_that_names_it() -> None:
    by_alert = {rule["alert"]: rule["annotations"]["runbook"] for rule in ALERTS}
    assert len(by_alert) == len(ALERTS)
    named = {alert: f"deploy/runbooks/{name}.md" for name in names() for alert in read_runbook(name).alerts}
    assert named == by_alert


def test_every_metric_that_is_watched_exists() -> None:
    expressions = [rule["expr"] for rule in ALERTS]
    expressions += [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    used = {word for expression in expressions for word in re.findall(r"slowwave_\w+", expression)}
    assert used <= SERIES, used - SERIES
    for expression in expressions:
        for metric, labels in re.findall(r"(slowwave_\w+)\{([^}]*)\}", expression):
            assert set(re.findall(r"(\w+)=", labels)) <= LABELS[metric], expression


def test_prometheus_reads_the_alerts_and_the_port_that_compose_opens() -> None:
    config = yaml.safe_load((ROOT / "deploy" / "prometheus" / "prometheus.yaml").read_text())
    assert [(ROOT / "deploy" / "prometheus" / file).exists() for file in config["rule_files"]] == [True]
    target = config["scrape_configs"][0]["static_configs"][0]["targets"][0]
    assert f'"{target}:9464"' in (ROOT / "deploy" / "compose.yaml").read_text()


def test_every_runbook_is_drilled() -> None:
    drills = [path.stem for path in tracked(".py") if path.stem.startswith("test_drill_")]
    drilled = [name for stem in drills for name in importlib.import_module(f"tests.e2e.drills.{stem}").DRILLED]
    assert sorted(drilled) == names()
