"""Compute missing vectors of texts: a bounded number per run, storing each batch before the next."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from shared.counting import count
from shared.ports.database import Database
from shared.ports.embedder import Embedder, EmbedderError, NewVector, TextWithoutVector

#: After this many refused texts, the rest waits for the next dream.
_MAX_REFUSED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorLimits:
    """The limits of one run."""

    texts: int
    seconds: float
    goes_on: Callable[[], bool] = lambda: True


@dataclass(slots=True, kw_only=True)
class VectorsMade:
    """The result of a run. `failure` is the embedder's error, or empty."""

    made: int = 0
    failure: str = ""
    refused: list[str] = field(default_factory=list)  # ids of memories


def make_vectors(db: Database, embedder: Embedder, tenant_id: str, store_id: str, limits: VectorLimits) -> VectorsMade:
    """Make vectors until every text has one, or a limit is reached, or the embedder fails. Never raises for the embedder."""
    done, end = VectorsMade(), time.monotonic() + limits.seconds
    while done.made < limits.texts and limits.goes_on() and (left := end - time.monotonic()) > 0:
        with db.transaction(tenant_id) as uow:
            number = min(embedder.batch_size, limits.texts - done.made)
            missing = uow.vectors(store_id).find_missing(embedder.model, number, done.refused)
        if not missing:
            break
        try:
            vectors = _embed(embedder, missing, left, done.refused)
        except EmbedderError as error:
            done.failure = str(error)
            break
        with db.transaction(tenant_id) as uow:
            uow.vectors(store_id).save(embedder.model, vectors)
        done.made += len(vectors)
        if len(done.refused) > _MAX_REFUSED:
            done.failure = f"{len(done.refused)} texts were refused"
            break
    _count(done)
    return done


def _embed(
    embedder: Embedder, texts: Sequence[TextWithoutVector], seconds: float, refused: list[str]
) -> list[NewVector]:
    """Return the vectors of a batch. If the batch is refused, embed its texts one by one, and note the refused ones."""
    try:
        return _embed_together(embedder, texts, seconds)
    except EmbedderError as error:
        if not error.is_refused:
            raise
    found: list[NewVector] = []
    for one in texts:
        try:
            found += _embed_together(embedder, [one], seconds)
        except EmbedderError as error:
            if not error.is_refused:
                raise
            refused.append(one.memory_id)
    return found


def _embed_together(embedder: Embedder, texts: Sequence[TextWithoutVector], seconds: float) -> list[NewVector]:
    vectors = embedder.embed([one.text for one in texts], seconds=seconds)
    return [
        NewVector(memory_id=one.memory_id, content_hash=one.content_hash, vector=vector)
        for one, vector in zip(texts, vectors, strict=True)
    ]


def _count(done: VectorsMade) -> None:
    if done.made:
        count("slowwave_vectors_made_total", done.made)
    if done.failure:
        count("slowwave_embedder_failures_total", where="dream")
    if done.refused:
        count("slowwave_texts_not_embedded_total", len(done.refused))
