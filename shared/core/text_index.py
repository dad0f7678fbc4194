"""BM25 over a store's texts, in memory: tantivy with one thread. Computes only; nothing touches a disk."""

import re
from collections.abc import Iterable, Sequence

import tantivy

_HEAP_BYTES = 15_000_000  # tantivy's smallest heap for one writer thread
#: As the index cuts texts: an underscore separates, so that `max_retries` is found by its parts.
_WORD = re.compile(r"[^\W_]+")


def terms_of(words: Sequence[str]) -> list[str]:
    """Return the terms by which an index finds these words, sorted."""
    return sorted({term for word in words for term in _WORD.findall(word.lower())})


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("number", stored=True)
    builder.add_text_field("text", stored=False, index_option="freq")
    return builder.build()


class TextIndex:
    """Finds the texts that share words with a query, best first."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        """Index (key, text) pairs."""
        self._keys: list[str] = []
        self._schema = _schema()
        self._index = tantivy.Index(self._schema)
        writer = self._index.writer(heap_size=_HEAP_BYTES, num_threads=1)
        for number, (key, text) in enumerate(texts):
            self._keys.append(key)
            writer.add_document(tantivy.Document(number=number, text=text))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, words: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return up to `limit` (key, raw BM25 score) pairs of texts that hold any of the words."""
        terms = terms_of(words)
        if not terms or not self._keys:
            return []
        queries = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "text", term, "freq")) for term in terms
        ]
        hits = self._searcher.search(tantivy.Query.boolean_query(queries), limit).hits
        return [(self._keys[int(self._searcher.doc(address)["number"][0])], float(score)) for score, address in hits]
