"""Search memories by the meaning of a query. If this fails, the search by words still works."""

from shared.core.search.vectors import embeddable_text
from shared.counting import count
from shared.logger import get_logger
from shared.ports.database import UnitOfWork
from shared.ports.embedder import EmbedderError, Vector
from shared.ports.memory_search import Meaning

#: A person or an agent waits for the answer.
_QUERY_SECONDS = 2.0

_log = get_logger()


def embed_query(meaning: Meaning | None, query: str) -> Vector | None:
    """Return the vector of a query; None without embeddings, and when they fail. Call it outside of a transaction."""
    if meaning is None or not query.strip():
        return None
    try:
        return meaning.embedder.embed([embeddable_text(query)], seconds=_QUERY_SECONDS, is_query=True)[0]
    except EmbedderError as error:
        if not error.is_resting:
            count("slowwave_embedder_failures_total", where="search")
            _log.warning("query_not_embedded", reason=str(error))
        return None


def find_near(uow: UnitOfWork, store_id: str, meaning: Meaning | None, vector: Vector | None, limit: int) -> list[str]:
    """Return the ids of memories whose meaning is near that of a query, nearest first; none without the query's vector."""
    if meaning is None or vector is None:
        return []
    return meaning.vectors.find_near(uow, store_id, meaning.embedder.model, vector, limit)
