"""Measure the cost of a dream besides the model: `python -m benchmarks.dream_overhead`.

One dream over stores of 100, 1,000 and 10,000 memories with 20 changed, and over 100 and 1,000 with all changed, each in a
process of its own: wall, CPU (also as a number of calibration loops), peak memory, model calls and prompt tokens, per
phase; then 1,000 in 300 domains, and with a model of 1 s.
The model is a stand-in that answers at once with nothing, so that only slowwave is measured. For comparison,
ByteRover's dream on this kind of machine: 2.4-3.3 s and 90,000 prompt tokens at 1,000; 31 s, 860 MB and 117,000
tokens at 10,000; 13 s with a 1 s model; 70-97 s with all 1,000 changed.
"""

import argparse
import gc
import json
import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.support.calibration import calibrate
from benchmarks.support.report import report
from benchmarks.support.silent import Silent
from benchmarks.support.stores import (
    DOMAINS,
    Record,
    fill_store,
    load_store,
    own_questions,
    searches_for,
    spread,
    turns_about,
    with_fact,
)
from shared.adapters.llm.anthropic.beginnings import find_long_beginnings
from shared.adapters.llm.scripted import ScriptedLlm
from shared.adapters.llm.token_estimate import count_tokens_of
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_ports
from shared.core.dream.operations import OperationKind
from shared.core.dream.recall import ProbeKind
from shared.core.evaluation.around_dream import Touched, searched
from shared.core.questions.question import offered_paths
from shared.model_endpoint import name_examined
from shared.ports.llm import LlmRequest
from shared.services.exams.results import set_exam
from shared.settings import Settings
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.dream.recall import ask_again
from workers.evaluation.read import MOST_ASKED
from workers.phase.this_dream import MAX_PROBES, find_topics
from workers.phase.work import PhaseKey
from workers.phases import PHASES
from workers.phases.measure_recall import MOST_OWN
from workers.phases.measure_recall.phase import Inputs, measure_kinds
from workers.runner.run import run_phase

TENANT, STORE = "bench", "default"


@dataclass(frozen=True, slots=True)
class Case:
    """One dream to measure.

    Attributes:
        domains: the number of folders over which the memories are spread.
        passed: its model may act.
        facts: each memory states a fact, and what the phase `measure_recall` would take is measured as if the changed ones were
            rewritten by the dream: the stand-in changes nothing that it would measure.
    """

    size: int
    changed: int
    latency: float = 0.0
    domains: int = 10
    is_generated: bool = False
    passed: bool = False
    facts: bool = False


CASES = (
    Case(100, 20),
    Case(100, 100),
    Case(1_000, 20),
    Case(10_000, 20),
    Case(1_000, 1_000),
    Case(1_000, 20, domains=300),
    Case(1_000, 1_000, domains=300),
    Case(1_000, 20, latency=1.0),
    Case(1_000, 20, passed=True),
    Case(1_000, 1_000, passed=True),
    Case(1_000, 20, facts=True),
    Case(10_000, 20, facts=True),
)


def main() -> int:
    """Run every case, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.case:
        print(json.dumps(_measure(Case(**json.loads(chosen.case)))))
        return 0
    results = [run_case(case) for case in CASES]
    rows = [r["row"] | {"loops": round(r["row"]["cpu s"] / r["loop s"], 1)} for r in results]
    report("dream_overhead", "One dream, 20 memories changed (or all)", rows, {
        "per phase (wall s / CPU s)": {" / ".join(str(r["row"][name]) for name in ("memories", "changed", "domains", "model s")): r["phases"] for r in results},
        "source": results[0]["source"],
    })  # fmt: skip
    return 0


def run_case(case: Case) -> dict[str, Any]:
    """Return what a case costs, measured in a process of its own: its row, its phases, the store's source, the machine's speed."""
    command = [sys.executable, "-m", "benchmarks.dream_overhead", "--case", json.dumps(asdict(case))]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def _measure(case: Case) -> dict[str, Any]:
    records, source = load_store(case.size, is_generated=case.is_generated)
    records = records if case.domains == len(DOMAINS) else spread(records, case.domains)
    records = [with_fact(record) for record in records] if case.facts else records
    touched = records[-case.changed :] if case.changed < case.size else records
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
    ):
        filling = multiprocessing.get_context("spawn").Process(target=_fill, args=(settings, records, touched))
        filling.start()
        filling.join()
        llm = ScriptedLlm(latency_seconds=case.latency)
        ports = replace(make_ports(settings), choose_llm=lambda _: llm, dispatch=Silent())
        _warm_up(settings, replace(ports, choose_llm=lambda _: ScriptedLlm()))
        if case.passed:
            ports = replace(ports, settings=settings.model_copy(update={"llm_exam": "on"}))
            _pass(ports)
        before = calibrate()
        result = _dream(ports, llm, touched, records, source)
        result["loop s"] = (before + calibrate()) / 2
        result["row"]["recall s"] = _measure_recall(ports, touched, records) if case.facts else ""
        known = {"model s": case.latency, "domains": case.domains, "passed": case.passed}
        result["row"] = known | result["row"]
        return result


def _fill(settings: Settings, records: list[Record], touched: list[Record], tenant: str = TENANT) -> None:
    """Write the store and have all but the touched memories count as seen, in a process of its own: its memory is not counted."""
    ports = make_ports(settings)
    fill_store(ports, tenant, STORE, records, changed={record.path for record in touched})


def _measure_recall(ports: Ports, touched: list[Record], records: list[Record]) -> float:
    """Return the processor seconds of measuring recall: the median of five, after one in which the index is made.

    As in a store with all kinds of questions: its own ones, those of users, facts, and what agents had searched for.
    """
    with ports.db.transaction(TENANT) as uow:
        store_id = uow.stores.get(STORE).id
        found = uow.memories(store_id).find_by_paths([record.path for record in touched])
        rewritten = tuple(
            Touched(
                operation_id=one.id,
                kind=OperationKind.UPDATE,
                before=(one,),
                after=(replace(one, content=f"{one.content}\n"),),
            )
            for one in found.values()
        )
        asked = searches_for(uow.memories(store_id).find_live()[:MOST_ASKED])
        own, turns = own_questions(records[:MOST_OWN]), turns_about(records[-40:])
        spent = []
        for _ in range(6):
            begun = time.process_time()
            texts = {one.path: searched(one.text) for one in find_topics(uow, store_id)}
            inputs = Inputs(store_id=store_id, touched=rewritten, texts=texts, own=own, turns=turns, is_logged=True)
            recall = measure_kinds(inputs)
            left = MAX_PROBES - sum(one.asked for one in recall.values())
            again = ask_again(store_id, rewritten, find_topics(uow, store_id), asked, left)
            assert again is not None
            assert len(recall) + 1 == len(ProbeKind), recall
            assert again.asked == left
            spent.append(time.process_time() - begun)
    return median(spent[1:])


def _pass(ports: Ports) -> None:
    """Have the model count as one that has passed its exam."""
    with ports.db.transaction(TENANT) as uow:
        examined = name_examined(ports.settings, uow.stores.get_tenant(), uow.stores.get(STORE), ScriptedLlm().model)
    set_exam(ports, TENANT, examined, passed=True, why="a benchmark", actor="benchmark")


def _warm_up(settings: Settings, ports: Ports) -> None:
    """Run a small dream first: a process compiles its statements and reads its languages once, and a worker runs dreams for its whole life."""
    records, _ = load_store(100)
    _fill(settings, records[:20], records[:5], "warm")
    _run_phases(ports, "warm", {})


def _dream(ports: Ports, llm: ScriptedLlm, touched: list[Record], records: list[Record], source: str) -> dict[str, Any]:
    gc.freeze()  # as a worker does when it starts
    base_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    phases: dict[str, str] = {}
    wall, cpu = time.perf_counter(), time.process_time()
    _run_phases(ports, TENANT, phases)
    row = {
        "memories": len(records),
        "changed": len(touched),
        "wall s": time.perf_counter() - wall,
        "cpu s": time.process_time() - cpu,
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "before MB": base_mb,
        "calls": len(llm.requests),
        "prompt tokens": sum(llm.count_tokens(request) for request in llm.requests),
        "of these from a cache": _count_read(llm.requests),
        **_candidate_recall(llm.requests, touched, records),
    }
    return {"row": row, "phases": phases, "source": source}


def _run_phases(ports: Ports, tenant: str, phases: dict[str, str]) -> None:
    """Run a whole dream, and note the wall and CPU seconds of each phase."""
    dream_id = begin_dream(ports, tenant, STORE, force=True, dream_id=None)
    assert dream_id is not None
    for phase in PHASES:
        begun, used = time.perf_counter(), time.process_time()
        run_phase(ports, phase, PhaseKey(tenant_id=tenant, dream_id=dream_id, epoch=1, phase=phase.name))
        phases[phase.name] = f"{time.perf_counter() - begun:.3f} / {time.process_time() - used:.3f}"
    finish_dream(ports, tenant, dream_id, 1)


def _count_read(requests: Sequence[LlmRequest]) -> int:
    """Return the tokens that a server which keeps beginnings of 1,024 tokens and more would have read from its cache."""
    written: set[tuple[str, ...]] = set()
    read = 0
    for request in requests:
        found = find_long_beginnings(request, least=1_024).values()
        read += max((count_tokens_of(texts) for texts in found if texts in written), default=0)
        written.update(found)
    return read


def _candidate_recall(
    requests: Sequence[LlmRequest], touched: list[Record], records: list[Record]
) -> dict[str, object]:
    """Return how many planted near-duplicate pairs that touch a changed memory were offered in one question."""
    by_id = {record.id: record for record in records}
    fresh = {record.id for record in touched}
    pairs = [
        (by_id[r.dup_of].path, r.path) for r in records if r.dup_of and (r.id in fresh or r.dup_of in fresh)
    ]  # fmt: skip
    offered = [offered_paths(request.question) for request in requests]
    found = sum(any(left in paths and right in paths for paths in offered) for left, right in pairs)
    return {"planted": len(pairs), "found": found}


if __name__ == "__main__":
    sys.exit(main())
