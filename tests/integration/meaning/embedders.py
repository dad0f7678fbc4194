"""Embedders for tests: one that knows a few subjects, and ones that fail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shared.adapters.process_local.vector_search import CachedVectorSearch
from shared.core.search.vectors import pack_vector
from shared.ports.embedder import Embedder, EmbedderError, Vector
from shared.ports.memory_search import Meaning

#: Words that mean the same; a text is near to another one that has words of the same subjects.
SUBJECTS: Mapping[str, Sequence[str]] = {
    "database": ("postgresql", "database", "rds", "managed postgres", "live data"),
    "release": ("deploy", "release", "rollout", "ship"),
    "cookie": ("cookie", "sign in", "login", "browser"),
    "billing": ("invoice", "billing", "payment"),
}


@dataclass(kw_only=True)
class SubjectEmbedder:
    """Gives a text a number for each subject that it names, and remembers what it was sent."""

    model: str = "subjects"
    batch_size: int = 4
    seen: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str], *, seconds: float, is_query: bool = False) -> list[Vector]:  # noqa: ARG002 - the port's
        self.seen += texts
        return [pack_vector(_numbers_of(text.lower())) for text in texts]


def _numbers_of(text: str) -> list[float]:
    named = [float(any(word in text for word in words)) for words in SUBJECTS.values()]
    return [*named, 0.1]


@dataclass(kw_only=True)
class FailingEmbedder(SubjectEmbedder):
    """Fails from one call on, or refuses each text that has a word in it."""

    fails_at: int = 10**9
    refused_word: str = ""
    calls: int = 0

    def embed(self, texts: Sequence[str], *, seconds: float, is_query: bool = False) -> list[Vector]:
        self.calls += 1
        if self.calls >= self.fails_at:
            raise EmbedderError("embeddings.example.com cannot be reached (ConnectError)")
        if self.refused_word and any(self.refused_word in text for text in texts):
            raise EmbedderError("embeddings.example.com answered 400: too long", is_refused=True)
        return super().embed(texts, seconds=seconds, is_query=is_query)


def meaning_by(embedder: Embedder) -> Meaning:
    return Meaning(embedder=embedder, vectors=CachedVectorSearch())
