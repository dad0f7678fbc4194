"""The report of an evaluation for other tools: JSON, JUnit's XML for CI, and samples for Inspect."""

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from gateway.evaluation.view import EvaluationView, Row
from shared.core.evaluation.model import Evaluation
from shared.core.evaluation.verdict import Word


def evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return an evaluation as JSON values, without the probes that were sent with it."""
    order = evaluation.order
    return {
        "id": evaluation.id,
        "store": evaluation.store,
        "state": str(evaluation.state),
        "verdict": word_of(evaluation),
        "sentence": None if evaluation.report is None else evaluation.report["sentence"],
        "progress": evaluation.progress,
        "reason": evaluation.reason,
        "profile": order.profile,
        "model": order.model,
        "without": list(order.without),
        "ablate": order.ablate,
        "dreams": order.dreams,
        "max_usd": order.max_usd,
        "own_probes": len(order.own),
        "terms": evaluation.terms,
        "cost_usd": evaluation.cost_usd,
        "created_at": evaluation.created_at,
        "finished_at": evaluation.finished_at,
        "report": None if evaluation.report is None else dict(evaluation.report),
    }


def word_of(evaluation: Evaluation) -> Word | None:
    """Return the verdict of an evaluation; None while there is none."""
    return None if evaluation.report is None else Word(evaluation.report["verdict"]["word"])


def junit_xml(view: EvaluationView) -> str:
    """Return one test case for each reader and kind, and one for what must never happen: that a statement is gone.

    Kinds that do not decide are skipped; harm fails, too little data is skipped with the reason.
    """
    suite = ET.Element("testsuite", name=f"slowwave evaluate {view.where}")
    for row in view.rows:
        _add_case(suite, f"{row.reader}: {row.kind}", _outcome_of(row), f"found {row.found}, {row.change}")
    gone = len(view.gone) + view.gone_more
    listed = "\n".join(f"{path}: {said}" for path, said in view.gone)
    _add_case(suite, "No statement is gone", "failure" if gone else "", f"{gone} gone\n{listed}".strip())
    counts = [case[0].tag if len(case) else "" for case in suite]
    suite.set("tests", str(len(counts)))
    suite.set("failures", str(counts.count("failure")))
    suite.set("skipped", str(counts.count("skipped")))
    suites = ET.Element("testsuites")
    suites.append(suite)
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode")


def _outcome_of(row: Row) -> str:
    if row.word == Word.HARMS:
        return "failure"
    return "" if row.word in {Word.HELPS, Word.NO_DIFFERENCE} else "skipped"


def _add_case(suite: ET.Element, name: str, outcome: str, said: str) -> None:
    case = ET.SubElement(suite, "testcase", name=_printable(name), classname="slowwave.evaluate")
    if outcome:
        ET.SubElement(case, outcome, message=_printable(said.partition("\n")[0])).text = _printable(said)


def _printable(text: str) -> str:
    """Return a text without the characters that XML cannot hold."""
    return "".join(one if one in "\t\n" or (one >= " " and not 0xD800 <= ord(one) <= 0xDFFF and one not in "\ufffe\uffff") else "\N{REPLACEMENT CHARACTER}" for one in text)  # fmt: skip


def inspect_samples(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return samples for Inspect's `json_dataset`: own probes, and the questions whose answer a dream changed.

    `target` is the evidence; `metadata` says who found it, before and after. Without a report there are only the own probes.
    """
    report = evaluation.report or {"worst": [], "best": []}
    changed = enumerate((*report["worst"], *report["best"]), start=1)
    return [*_own_samples(evaluation), *(_changed_sample(f"changed-{number}", one) for number, one in changed)]


def _own_samples(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    for number, row in enumerate(evaluation.order.own, start=1):
        group = {"group": row["group"]} if "group" in row else {}
        yield {
            "id": f"own-{number}",
            "input": row["question"],
            "target": row["evidence"],
            "metadata": {"kind": "own", "store": evaluation.store, **group},
        }


def _changed_sample(name: str, one: dict[str, Any]) -> dict[str, Any]:
    found = {"before": not one["is_found"], "after": one["is_found"]}
    return {
        "id": name,
        "input": one["query"],
        "target": one["answer"],
        "metadata": {"reader": one["reader"], "found": found, "read": {"before": one["before"], "after": one["after"]}},
    }
