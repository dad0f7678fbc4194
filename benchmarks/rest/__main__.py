"""Force 30 dreams over unchanged stores: `python -m benchmarks.rest [--conversations 10] [--dreams 30]`.

Without a model. The stores are LoCoMo's conversations, each once with a fact a file and once with a session a file, every
memory tree, and the tenant of the demo. Printed are the operations of the first dream and of all later ones, which should
be none, and the share of the evidence of LoCoMo's questions that the live memories among the first ten found hold: before,
and after 1, 4 and 30 dreams, each with the paired difference and its 95 % interval, drawn by conversation.
"""

import argparse
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from benchmarks.rest.conversations import (
    SHAPES,
    compare,
    find_locomo,
    mean_of,
    measure_recall,
    read_conversations,
    write_facts,
)
from benchmarks.rest.dreams import Run
from benchmarks.rest.folders import DEMO, find_trees, import_demo, import_folder
from benchmarks.support.report import report
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_ports
from shared.core.memory.model import Author
from shared.settings import Settings

_STOPS = (1, 4, 30)


def main() -> int:
    """Run the benchmark; print which data is absent, and return 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=10, help="how many, from the first on; 0 for none")
    parser.add_argument("--dreams", type=int, default=30)
    parser.add_argument("--no-folders", action="store_true", help="leave out the trees and the demo")
    parser.add_argument("--author", choices=[Author.AGENT.value, Author.IMPORT.value], default=Author.AGENT.value)
    wanted = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory(prefix="slowwave-") as name:
        Path(name).chmod(0o755)  # PostgreSQL runs as another user when this runs as root
        with local_servers(Settings(data_dir=Path(name) / "data")) as settings:
            ports = make_ports(settings)
            rest, recall = _dream_over_conversations(ports, wanted)
            rest += [] if wanted.no_folders else _dream_over_folders(ports, wanted.dreams)
            ports.close()
    if recall:
        report("rest_recall", "LoCoMo evidence in the live memories among the first ten found", recall, {})
    if rest:
        notes = {"later": "operations of all later dreams together: kind, the dream that did it first, and how many"}
        report("rest", f"{wanted.dreams} forced dreams in a row, without a model", rest, notes)
    return 0


def _dream_over_conversations(
    ports: Ports, wanted: argparse.Namespace
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    source = find_locomo()
    if source is None:
        print("There is no LoCoMo data; set SLOWWAVE_DATA. Its recall is not measured.")
        return [], []
    conversations = list(read_conversations(source, wanted.conversations))
    rest, recall = [], []
    for shape in SHAPES if conversations else ():
        runs: list[Run] = []
        found: dict[int, dict[str, list[float]]] = {stop: {} for stop in (0, *_STOPS)}
        begun = time.process_time()
        for one in conversations:
            run = Run(ports, f"{one.name}-{shape.split()[1]}")
            write_facts(ports, run.tenant, one, shape, Author(wanted.author))
            for stop, recall_of in found.items():
                run.dream(min(stop, wanted.dreams))
                recall_of[one.name] = measure_recall(ports, run.tenant, one)
            runs.append(run)
        rest.append(_rest_row(f"LoCoMo, {shape}", runs, begun))
        recall += [_recall_row(shape, stop, found) for stop in found if stop <= wanted.dreams]
    return rest, recall


def _recall_row(shape: str, stop: int, found: dict[int, dict[str, list[float]]]) -> dict[str, Any]:
    difference = compare(found[0], found[stop])
    return {
        "store": shape,
        "dreams": stop,
        "questions": sum(map(len, found[stop].values())),
        "recall@10": round(mean_of(found[stop]), 4),
        "difference": f"{difference.mean:+.4f}",
        "95 % interval": f"[{difference.low:+.4f}, {difference.high:+.4f}]",
    }


def _dream_over_folders(ports: Ports, dreams: int) -> list[dict[str, Any]]:
    trees = find_trees()
    if not trees:
        print("There are no memory trees; set SLOWWAVE_DATA. Only the demo is dreamt over.")
    fill: dict[str, Callable[[str], None]] = {
        name: partial(import_folder, ports, folder=folder) for name, folder in trees.items()
    }
    fill[DEMO] = partial(import_demo, ports)
    rows = []
    for number, (name, write) in enumerate(fill.items()):
        begun = time.process_time()
        run = Run(ports, f"folder-{number}")
        write(run.tenant)
        run.dream(dreams)
        rows.append(_rest_row(name, [run], begun))
    return rows


def _rest_row(name: str, runs: list[Run], begun: float) -> dict[str, Any]:
    first, later, since = Counter[str](), Counter[str](), dict[str, int]()
    for run in runs:
        for number, dreamt in enumerate(run.dreams, 1):
            (first if number == 1 else later).update(dreamt.kinds)
            for kind in dreamt.kinds if number > 1 else ():
                since[kind] = min(number, since.get(kind, number))
    return {
        "store": name,
        "first dream": ", ".join(f"{count} {kind}" for kind, count in sorted(first.items())) or "nothing",
        "later": ", ".join(f"{count} {kind} (from {since[kind]})" for kind, count in sorted(later.items()))
        or "nothing",
        "changed later": sum(len(dreamt.changed) for run in runs for dreamt in run.dreams[1:]),
        "questions later": sum(dreamt.asked for run in runs for dreamt in run.dreams[1:]),
        "processor s": round(time.process_time() - begun, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
