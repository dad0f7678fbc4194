"""The runs of an evaluation in Langfuse: one dataset for a store, one run for each arm, scores for what each reader found.

A second push overwrites the first one: items, scores and traces have ids that depend on the evaluation alone.
"""

import hashlib
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
from langfuse import Langfuse
from langfuse.api.core.api_error import ApiError
from opentelemetry.sdk.trace.id_generator import IdGenerator
from pydantic import ValidationError

from gateway.evaluation.dataset import Arm, Dataset, Item
from shared.core.evaluation.model import Evaluation

_LOGGERS = ("langfuse", "opentelemetry")
_LONGEST_REASON = 300


def push_runs(dataset: Dataset, evaluation: Evaluation) -> str:
    """Push a dataset and its runs. Returns why Langfuse did not take all of it; empty if it did."""
    with _gathered_errors() as errors:
        client = Langfuse(sample_rate=1.0, id_generator=_Ids(evaluation.id))
        try:
            _push(client, dataset, evaluation)
        except (ApiError, httpx.HTTPError) as error:
            return _say(error)
        except ValidationError as error:
            return _shorten(f"it answered in a form that its SDK does not know; is the server as new? {error}")
        finally:
            client.shutdown()
    return errors[0] if errors else ""


def _push(client: Langfuse, dataset: Dataset, evaluation: Evaluation) -> None:
    client.create_dataset(name=dataset.name, description="The questions of slowwave evaluate")
    kept = [
        client.create_dataset_item(
            dataset_name=dataset.name, id=one.id, input=one.question, expected_output=one.evidence
        )
        for one in dataset.items
    ]
    for arm in Arm:
        client.run_experiment(
            name=dataset.name,
            run_name=f"{evaluation.id} {arm}",
            data=kept,
            task=_Reading(client, dataset, evaluation.id, arm),
            max_concurrency=1,  # so that the ids of the traces come in the same order each time
            metadata={"evaluation": evaluation.id, "arm": arm, "terms": evaluation.terms},
        )


class _Reading:
    """The task of a run: it repeats what the readers found in one arm, and scores it."""

    def __init__(self, client: Langfuse, dataset: Dataset, evaluation_id: str, arm: Arm) -> None:
        self._client, self._evaluation_id, self._arm = client, evaluation_id, arm
        self._items: Mapping[str, Item] = {one.id: one for one in dataset.items}

    def __call__(self, *, item: Any, **_: Any) -> dict[str, Any]:  # noqa: ANN401 - as the SDK types it
        """Return what each reader found of an item."""
        found = self._items[item.id].ranks[self._arm]
        for reader, rank in found.items():
            self._score(item.id, f"{reader}_found", "BOOLEAN", rank is not None)
            if rank is not None:
                self._score(item.id, f"{reader}_rank", "NUMERIC", rank)
        return {reader: {"found": rank is not None, "rank": rank} for reader, rank in found.items()}

    def _score(self, item_id: str, name: str, kind: Any, value: float) -> None:  # noqa: ANN401 - a literal of the SDK
        score_id = _digest(self._evaluation_id, self._arm, item_id, name)[:32]
        self._client.score_current_span(name=name, value=value, score_id=score_id, data_type=kind)


class _Ids(IdGenerator):
    """The ids of spans, in the order in which they are made."""

    def __init__(self, seed: str) -> None:
        self._seed, self._made = seed, 0

    def generate_span_id(self) -> int:
        """Return the next id of 64 bits."""
        return self._next(16)

    def generate_trace_id(self) -> int:
        """Return the next id of 128 bits."""
        return self._next(32)

    def _next(self, digits: int) -> int:
        self._made += 1
        return int(_digest(self._seed, str(self._made))[:digits], 16)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@contextmanager
def _gathered_errors() -> Iterator[list[str]]:
    """Gather what the SDK only logs: it sends scores and traces in the background, and raises nothing for them."""
    errors: list[str] = []

    class Gather(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            errors.append(_shorten(record.getMessage()))

    gather, loggers = Gather(logging.ERROR), [logging.getLogger(name) for name in _LOGGERS]
    before = [one.propagate for one in loggers]
    for one in loggers:
        one.addHandler(gather)
        one.propagate = False
    try:
        yield errors
    finally:
        for one, value in zip(loggers, before, strict=True):
            one.removeHandler(gather)
            one.propagate = value


def _say(error: ApiError | httpx.HTTPError) -> str:
    """Return why a call failed, without the headers of its answer."""
    if isinstance(error, httpx.HTTPError):
        return _shorten(str(error) or type(error).__name__)
    body = error.body.get("message", error.body) if isinstance(error.body, Mapping) else error.body
    return _shorten(f"it answered {error.status_code}: {body}")


def _shorten(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_REASON]
