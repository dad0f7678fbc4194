"""Measure how long answers are, and how good estimates: `python -m benchmarks.cost.estimates [--changed 20]`.

Over stores of several sizes and numbers of domains, with few or all memories changed, the cost of a dream is estimated and
then paid, twice: for a store without answers of its own, and for one with them. The rules without a model answer, with
edits of texts. Cost counts an output token as five of the prompt. The second table has, for each phase, the output tokens
for each prompt token: over all first dreams together, and of the dreams with the least and the most. From them come the
`output_share` of the phases.
"""

import argparse
import json
import logging
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import structlog

from benchmarks.cost.dreams import STORE, answer_with_edits, change, dream
from benchmarks.support.report import report
from benchmarks.support.silent import Silent
from benchmarks.support.stores import DOMAINS, fill_store, load_store, spread
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_ports
from shared.core.questions.escalation import is_repair
from shared.core.questions.estimate import PastCall
from shared.settings import Settings
from workers.preview.estimate import estimate_dream

_OUTPUT_COSTS = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A store, and how many of its memories change before each of its two dreams."""

    size: int
    changed: int
    domains: int = 10
    is_generated: bool = False

    @property
    def tenant(self) -> str:
        """Return a tenant's name for the case."""
        return f"m{self.size}-c{self.changed}-d{self.domains}{'-g' if self.is_generated else ''}"


CASES = (
    Case(100, 20),
    Case(100, 100),
    Case(1_000, 5),
    Case(1_000, 20),
    Case(1_000, 100),
    Case(1_000, 1_000),
    Case(1_000, 20, domains=300),
    Case(1_000, 1_000, domains=300),
    Case(10_000, 20),
    Case(100, 20, is_generated=True),
    Case(1_000, 20, is_generated=True),
    Case(1_000, 100, is_generated=True),
    Case(1_000, 1_000, is_generated=True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One dream: what was expected of it, in tokens of the prompt and of the answers, and its calls."""

    case: Case
    is_first: bool
    prompt: int
    output: int
    calls: Sequence[PastCall]

    @property
    def row(self) -> dict[str, Any]:
        """Return the row of the table."""
        prompt, output = (sum(one.prompt_tokens for one in self.calls), sum(one.output_tokens for one in self.calls))
        paid = prompt + _OUTPUT_COSTS * output
        return {
            "memories": self.case.size,
            "changed": self.case.changed,
            "domains": self.case.domains,
            "store": "generated" if self.case.is_generated else "mem-N.jsonl",
            "dream": "first" if self.is_first else "second",
            "prompt tokens": prompt,
            "output tokens": output,
            "expected output": self.output,
            "prompt off %": round(100 * (self.prompt / prompt - 1), 1) if prompt else 0.0,
            "cost off %": round(100 * ((self.prompt + _OUTPUT_COSTS * self.output) / paid - 1), 1) if paid else 0.0,
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the dreams, print both tables, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--changed", type=int, help="Only the stores with this number of changed memories.")
    chosen = parser.parse_args(arguments)
    cases = [case for case in CASES if chosen.changed in {None, case.changed}]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
    ):
        ports = replace(make_ports(settings), choose_llm=lambda _: ScriptedLlm(answer_with_edits), dispatch=Silent())
        nights = [night for case in cases for night in _run(ports, case)]
    report("cost_estimates", "Estimates beside the dreams that followed", [night.row for night in nights], {})
    report("cost_shares", "Output tokens for each prompt token", list_shares(nights), {})
    return 0


def _run(ports: Ports, case: Case) -> list[Night]:
    records, _ = load_store(case.size, is_generated=case.is_generated)
    fill_store(ports, case.tenant, STORE, records if case.domains == len(DOMAINS) else spread(records, case.domains))
    nights = []
    for turn in range(2):
        change(ports, case.tenant, turn * case.changed, case.changed)
        expected = estimate_dream(ports, case.tenant, STORE, force=True).phases
        night = Night(
            case=case,
            is_first=turn == 0,
            prompt=sum(one.prompt_tokens for one in expected),
            output=sum(one.answer_tokens for one in expected),
            calls=dream(ports, case.tenant),
        )
        nights.append(night)
        print(json.dumps(night.row), file=sys.stderr)
    return nights


def list_shares(nights: Sequence[Night]) -> list[dict[str, Any]]:
    """Return a row for each phase that asked: its output tokens for each prompt token in first dreams, repairs left out."""
    shares: dict[str, list[tuple[int, int]]] = {}
    for night in nights:
        calls = [one for one in night.calls if night.is_first and not is_repair(one.key)]
        for phase in dict.fromkeys(one.phase for one in calls):
            mine = [one for one in calls if one.phase == phase]
            shares.setdefault(phase, []).append(
                (sum(one.prompt_tokens for one in mine), sum(one.output_tokens for one in mine))
            )
    return [
        {
            "phase": phase,
            "dreams": len(found),
            "all": round(sum(output for _, output in found) / sum(prompt for prompt, _ in found), 3),
            "least": round(min(output / prompt for prompt, output in found), 3),
            "most": round(max(output / prompt for prompt, output in found), 3),
        }
        for phase, found in shares.items()
    ]


if __name__ == "__main__":
    sys.exit(main())
