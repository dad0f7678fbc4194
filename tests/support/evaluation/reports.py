"""Reports of evaluations over small stores, as the workers make them, and evaluations that carry one."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.evaluation.measure import find_gone, measure
from shared.core.evaluation.model import Evaluation, EvaluationOrder, EvaluationState
from shared.core.evaluation.probes import WrittenText, draw_pairs, probes_of_owner
from shared.core.evaluation.readers import Snapshot
from shared.core.evaluation.report import Ablation, Outcome, Touch, build_report
from shared.core.evaluation.verdict import choose_terms
from shared.services.evaluation.evaluations import start_evaluation
from workers.phases import CATALOG

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_TOPICS = ("port", "owner", "region", "timeout", "backup")
OWN = ({"question": "Which port does service 3 have?", "evidence": "Its port in production is `v3x0`", "group": "ops"},)


def a_memory(number: int) -> str:
    """Return a memory with five statements."""
    lines = (
        f"- Its {topic} in production is `v{number}x{place}` since the move.\n" for place, topic in enumerate(_TOPICS)
    )
    return f"# The service {number} of team {number}\n\n{''.join(lines)}"


def a_report(after: Mapping[str, str] | None = None, *, services: int = 30, stubs: bool = False) -> dict[str, Any]:
    """Return the report of a dream that left a store as `after`; by default as it was. With fewer services it has too little data."""
    live = {f"services/s{number}.md": a_memory(number) for number in range(services)}
    texts = [
        WrittenText(path=path, content=text, at=_NOW + timedelta(days=n)) for n, (path, text) in enumerate(live.items())
    ]
    probes = (*draw_pairs(texts, 400), *probes_of_owner(OWN))
    before = Snapshot(live=live)
    later = Snapshot(
        live=live if after is None else after, stubs={path: text[:30] for path, text in live.items()} if stubs else {}
    )
    touched = [Touch(operation_id="op_1", kind="ARCHIVE", phase="prune", paths=(path,)) for path in live]
    outcome = Outcome(
        before=measure(probes, before),
        after=measure(probes, later),
        gone=find_gone(before, later, {}),
        touched=touched,
        ablations=(Ablation(phase="prune", measured=measure(probes, before)),),
    )
    report = build_report(probes, outcome, choose_terms(probes)).as_json()
    return report | {"notes": [], "probes": len(probes)}


def a_harmful_report() -> dict[str, Any]:
    """Return the report of a dream that archived everything."""
    return a_report({}, stubs=True)


def an_evaluation(report: Mapping[str, Any] | None = None, **values: Any) -> Evaluation:
    """Return an evaluation that is done, with this report."""
    known: dict[str, Any] = {
        "id": "eval_1",
        "store_id": "store_1",
        "store": "bot",
        "state": EvaluationState.DONE,
        "order": EvaluationOrder(store="bot", actor="a test", own=OWN),
        "created_at": _NOW,
        "terms": "0123456789abcdef",
        "report": report,
    }
    return Evaluation(**known | values)


def store_evaluation(ports: Ports, tenant: str, store: str, report: Mapping[str, Any] | None = None) -> Evaluation:
    """Order an evaluation and, with a report, write its end as a worker does; no worker is told."""
    quiet = replace(ports, dispatch=RecordingDispatch())
    started = start_evaluation(quiet, tenant, EvaluationOrder(store=store, actor="a test", own=OWN), CATALOG)
    if report is None:
        return started
    with ports.db.transaction(tenant) as uow:
        done = replace(started, state=EvaluationState.DONE, report=report, terms="0123456789abcdef")
        uow.evaluations.keep(done)
        return uow.evaluations.get(started.id)
