"""The questions of an evaluation as a dataset for other tools: the owner's own, and those whose answer a dream changed."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from shared.core.errors import BadInputError
from shared.core.evaluation.model import Evaluation
from shared.core.evaluation.probes import probes_of_owner


class Arm(StrEnum):
    """The states of a store that are compared, in the order of a probe's ranks."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question.

    Attributes:
        id: of 32 hexadecimal digits, the same for the same question and answer of a store in every evaluation.
        evidence: a quote of what answers it.
        ranks: by arm and reader, as in `Found`.
    """

    id: str
    question: str
    evidence: str
    ranks: Mapping[Arm, Mapping[str, int | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """The questions of an evaluation; `name` is that of the store."""

    name: str
    items: tuple[Item, ...]


def dataset_of(tenant: str, evaluation: Evaluation) -> Dataset:
    """Return the dataset of an evaluation. Raises BadInputError without a report, or for one that has no ranks."""
    report = evaluation.report
    if report is None or "ranks" not in report:
        why = f"it is {evaluation.state}" if report is None else "an earlier version made it; evaluate again"
        raise BadInputError(f"{evaluation.id} cannot be pushed, since it has no ranks: {why}")
    name = f"slowwave/{tenant}/{evaluation.store}"
    texts = {key: text for key, *text in _texts(evaluation, report) if key in report["ranks"]}
    items = (_item(name, key, text, report["ranks"][key]) for key, text in texts.items())
    return Dataset(name=name, items=tuple(items))


def _texts(evaluation: Evaluation, report: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the key, the question and its answer; those of the owner last, since the report shortens them."""
    for one in (*report["worst"], *report["best"]):
        yield one["key"], one["query"], one["answer"].removeprefix("- ")
    for probe in probes_of_owner(evaluation.order.own):
        yield probe.key, probe.query, probe.needle.quote


def _item(dataset: str, key: str, text: list[str], ranks: Mapping[str, list[int | None]]) -> Item:
    return Item(
        id=hashlib.sha256(f"{dataset}\n{key}".encode()).hexdigest()[:32],
        question=text[0],
        evidence=text[1],
        ranks={arm: {reader: both[place] for reader, both in ranks.items()} for place, arm in enumerate(Arm)},
    )
