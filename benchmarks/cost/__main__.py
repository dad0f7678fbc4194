"""Measure what a tenant costs a month: `python -m benchmarks.cost [--dreams 5] [--whole-texts]`.

For each kind of tenant a store of 1,000 memories dreams several times, with other memories changed before each dream, and
the tokens of what it asks and is answered are counted. The model is a stand-in: the rules without a model answer, with edits
of texts, or with `--whole-texts` as they are, so that merges and notes are as long as they would be. Tokens are estimated as budgets do, four characters each; no cache of prompts
is counted. The prices are the shipped ones, at once and in Message Batches.
"""

import argparse
import logging
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import structlog

from benchmarks.cost.dreams import STORE, answer_with_edits, answer_with_texts, change, dream
from benchmarks.cost.kinds import KINDS, MODELS, PEERS, Kind, Tokens, cost_of_month
from benchmarks.support.report import report
from benchmarks.support.silent import Silent
from benchmarks.support.stores import Record, fill_store, load_store
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_ports
from shared.prices.price_list import find_list, find_prices
from shared.settings import Settings

SIZE = 1_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the dreams, print the tables, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dreams", type=int, default=5, help="Dreams of each kind of tenant.")
    parser.add_argument("--whole-texts", action="store_true", help="Answer with whole texts in place of edits.")
    chosen = parser.parse_args(arguments)
    answer = answer_with_texts if chosen.whole_texts else answer_with_edits
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    records, source = load_store(SIZE)
    measured = {}
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
    ):
        ports = replace(make_ports(settings), choose_llm=lambda _: ScriptedLlm(answer), dispatch=Silent())
        for kind in KINDS:
            measured[kind] = _measure(ports, kind, records, chosen.dreams)
    rows = [_row(kind.name, kind, tokens) for kind, tokens in measured.items()]
    rows += [_row(peer.name, kind, peer.tokens) for peer in PEERS for kind in KINDS]
    report("cost", "Dollars for 1,000 memories and month", rows, {
        "prices of": str(next(iter(find_list().values())).date),
        "source": source,
        "dreams measured of each kind": chosen.dreams,
        "answers": "whole texts" if chosen.whole_texts else "edits",
    } | {peer.name: peer.about for peer in PEERS})  # fmt: skip
    return 0


def _measure(ports: Ports, kind: Kind, records: list[Record], dreams: int) -> Tokens:
    """Return the mean of several dreams, before each of which other memories have changed."""
    fill_store(ports, kind.name, STORE, records)
    calls = []
    for turn in range(dreams):
        change(ports, kind.name, turn * kind.changed, kind.changed)
        calls += dream(ports, kind.name)
    return Tokens(
        calls=len(calls) / dreams,
        prompt=sum(one.prompt_tokens for one in calls) / dreams,
        output=sum(one.output_tokens for one in calls) / dreams,
    )


def _row(name: str, kind: Kind, tokens: Tokens) -> dict[str, Any]:
    prices = find_prices()
    dreams = kind.dreams_a_month
    costs = {
        f"{model.removeprefix('claude-')} {mode}": cost_of_month(
            tokens, dreams, model, prices, is_batched=mode == "batch"
        )
        for model in MODELS
        for mode in ("now", "batch")
    }
    row = {
        "whose": "slowwave" if name == kind.name else name,
        "tenant": kind.name,
        "changed": kind.changed,
        "dreams a month": round(dreams, 1),
        "calls": round(tokens.calls, 1),
        "prompt tokens": round(tokens.prompt),
        "output tokens": round(tokens.output),
    }
    return row | {key: round(value, 2) for key, value in costs.items()}


if __name__ == "__main__":
    sys.exit(main())
