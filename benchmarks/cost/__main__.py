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
from pydantic import BaseModel

from benchmarks.cost.as_edits import as_edits
from benchmarks.cost.kinds import KINDS, MODELS, PEERS, Kind, Tokens, cost_of_month
from benchmarks.support.report import report
from benchmarks.support.silent import Silent
from benchmarks.support.stores import Record, load_store
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_ports
from shared.core.memory.model import Author, Signals
from shared.core.questions.question import Question
from shared.ports.llm import LlmOutcome
from shared.prices.price_list import find_list, find_prices
from shared.services.memories.write import NewText, ensure_store, in_batches, write_memories
from shared.settings import Settings
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import PHASES
from workers.runner.run import run_phase

STORE, SIZE = "default", 1_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the dreams, print the tables, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dreams", type=int, default=5, help="Dreams of each kind of tenant.")
    parser.add_argument("--whole-texts", action="store_true", help="Answer with whole texts in place of edits.")
    chosen = parser.parse_args(arguments)
    answer = _answer_with_texts if chosen.whole_texts else _answer
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


def _answer_with_texts(question: Question) -> BaseModel | LlmOutcome:
    """Answer as the rules without a model do."""
    return LlmOutcome.REFUSED if question.without_model is None else question.without_model(question)


def _answer(question: Question) -> BaseModel | LlmOutcome:
    """Answer as the rules without a model do, with edits in place of whole texts."""
    answer = _answer_with_texts(question)
    return answer if isinstance(answer, LlmOutcome) else as_edits(answer, question)


def _measure(ports: Ports, kind: Kind, records: list[Record], dreams: int) -> Tokens:
    """Return the mean of several dreams, before each of which other memories have changed."""
    _fill(ports, kind.name, records)
    ended = [_dream(ports, kind.name, turn * kind.changed, kind.changed) for turn in range(dreams)]
    return Tokens(
        calls=sum(one.calls for one in ended) / dreams,
        prompt=sum(one.prompt for one in ended) / dreams,
        output=sum(one.output for one in ended) / dreams,
    )


def _fill(ports: Ports, tenant: str, records: list[Record]) -> None:
    """Write the store and have all its memories count as seen."""
    ensure_store(ports.db, tenant, STORE)
    texts = [
        NewText(path=r.path, content=r.content, written_at=r.written_at, signals=Signals(importance=r.importance * 100))
        for r in records
    ]
    for batch in in_batches(texts, max_texts=1_000):
        write_memories(ports.db, ports.ids, tenant, STORE, batch, Author.AGENT)
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(uow.stores.get(STORE).id)
        memories.set_dirty([(head.id, head.version) for head in memories.find_heads()], is_dirty=False)


def _dream(ports: Ports, tenant: str, start: int, changed: int) -> Tokens:
    """Have some memories count as changed, and dream over them."""
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(uow.stores.get(STORE).id)
        heads = sorted(memories.find_heads(), key=lambda head: head.path.rpartition("/")[2])  # all domains in turn
        chosen = [heads[(start + number) % len(heads)] for number in range(changed)]
        memories.set_dirty([(head.id, head.version) for head in chosen], is_dirty=True)
    dream_id = begin_dream(ports, tenant, STORE, force=True, dream_id=None)
    assert dream_id is not None
    for phase in PHASES:
        run_phase(ports, phase, PhaseKey(tenant_id=tenant, dream_id=dream_id, epoch=1, phase=phase.name))
    finish_dream(ports, tenant, dream_id, 1)
    with ports.db.transaction(tenant) as uow:
        totals = uow.calls.get_totals(dream_id)
    return Tokens(calls=totals.calls, prompt=totals.input_tokens, output=totals.tokens - totals.input_tokens)


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
