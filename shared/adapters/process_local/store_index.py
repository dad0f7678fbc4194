"""The BM25 index of one store in memory, updated with what was written since the last search."""

from collections.abc import Iterable, Sequence

import tantivy

from shared.core.memory.provenance import without_sources
from shared.core.search.bm25 import HEAP_BYTES, make_index, query_of, terms_of
from shared.core.text.words import as_indexed
from shared.ports.memories import ChangedMemories

#: Words shorter than this resemble too many others. A word is similar if one character is added, missing or different.
_SHORTEST_ALIKE, _LONGEST_ALIKE = 4, 40
_MOST_ALIKE = 8


class StoreIndex:
    """The index of one store. Not thread-safe: the caller holds a lock."""

    def __init__(self) -> None:
        """Begin empty; the first update brings everything."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("key", stored=True, tokenizer_name="raw", index_option="basic")
        self._schema, self._index = make_index(builder)
        self._indexed: dict[str, tuple[int, int]] = {}  # version and hash of each text: a redaction makes no version
        self.mark: int | None = None

    def update(self, changed: ChangedMemories) -> None:
        """Apply changes. A memory with unchanged version and text was only read or ranked again, and is skipped."""
        now = {one.memory_id: (one.version, hash(one.text)) for one in changed.texts}
        texts = {one.memory_id: one for one in changed.texts if self._indexed.get(one.memory_id) != now[one.memory_id]}
        self._indexed |= {memory_id: now[memory_id] for memory_id in texts}
        indexed = {key: f"{one.path} {without_sources(one.text)}" for key, one in texts.items()}
        self._write(indexed, [gone for gone in changed.gone if self._indexed.pop(gone, None) is not None])
        self.mark = changed.mark

    def remove(self, ids: Iterable[str]) -> None:
        """Remove memories that were purged, or have expired: neither is a change that `update` could see."""
        self._write({}, [one for one in ids if self._indexed.pop(one, None) is not None])

    def find(self, words: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return (id, raw BM25 score) of the memories that contain any of the words, best first."""
        terms = terms_of(words)
        return self._search(query_of(self._schema, terms), limit) if terms else []

    def find_alike(self, words: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return (id, score) of the memories with a similar word or one with the same beginning, the most similar first."""
        terms = [term for term in terms_of(words) if _SHORTEST_ALIKE <= len(term) <= _LONGEST_ALIKE][:_MOST_ALIKE]
        wanted = [
            (tantivy.Occur.Should, tantivy.Query.fuzzy_term_query(self._schema, "text", term, prefix=True))
            for term in terms
        ]
        return self._search(tantivy.Query.boolean_query(wanted), limit) if wanted else []

    def _search(self, query: tantivy.Query, limit: int) -> list[tuple[str, float]]:
        if not self._indexed:
            return []
        searcher = self._index.searcher()
        hits = searcher.search(query, limit).hits
        return [(str(searcher.doc(address)["key"][0]), float(score)) for score, address in hits]

    def __len__(self) -> int:
        return len(self._indexed)

    def _write(self, texts: dict[str, str], gone: Sequence[str]) -> None:
        if not texts and not gone:
            return
        writer = self._index.writer(heap_size=HEAP_BYTES, num_threads=1)
        for key in (*gone, *texts):
            writer.delete_documents_by_term("key", key)
        for key, text in texts.items():
            writer.add_document(tantivy.Document(key=key, text=as_indexed(text)))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
