"""BM25 over a store's texts, in memory: tantivy with one thread. Computes only; nothing touches a disk."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import tantivy

_HEAP_BYTES = 15_000_000  # tantivy's smallest heap for one writer thread
#: As the index cuts texts: an underscore separates, so that `max_retries` is found by its parts.
_WORD = re.compile(r"[^\W_]+")


def terms_of(words: Sequence[str]) -> list[str]:
    """Return the terms by which an index finds these words, sorted."""
    return sorted({term for word in words for term in _WORD.findall(word.lower())})


def by_path(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield what an index holds of (path, text) pairs: a memory is found by the words of its path, too."""
    return ((path, f"{path} {text}") for path, text in texts)


def counted_terms(text: str) -> Counter[str]:
    """Return the terms of a text as an index cuts it, with how often each occurs."""
    return Counter(_WORD.findall(text.lower()))


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("number", stored=True, indexed=True)
    builder.add_text_field("text", stored=False, index_option="freq")
    return builder.build()


class TextIndex:
    """Finds the texts that share words with a query, best first. Not for several threads at once."""

    def __init__(self, texts: Iterable[tuple[str, str]] = ()) -> None:
        """Index (key, text) pairs; no key comes twice."""
        self._keys: list[str] = []
        #: Of each text by key: its hash and its number. Whether a text changed is asked far more often than what it said.
        self._known: dict[str, tuple[int, int]] = {}
        self._schema = _schema()
        self._index = tantivy.Index(self._schema)
        self._searcher = self._index.searcher()
        self.update(texts)

    def __len__(self) -> int:
        return len(self._known)

    @property
    def replaced(self) -> int:
        """How many texts were taken out or replaced since the index was made: word counts may still hold them."""
        return len(self._keys) - len(self._known)

    def update(self, texts: Iterable[tuple[str, str]]) -> None:
        """Make it the index of these (key, text) pairs; what it holds already costs a comparison only."""
        earlier, self._known = self._known, {}
        changed = (pair for pair in texts if not self._take_over(earlier, *pair))
        first = next(changed, None)
        if first is None and not earlier:
            return
        writer = self._index.writer(heap_size=_HEAP_BYTES, num_threads=1)
        for key, text in chain(() if first is None else (first,), changed):
            self._known[key] = (hash(text), len(self._keys))
            writer.add_document(tantivy.Document(number=len(self._keys), text=text))
            self._keys.append(key)
        for _, number in earlier.values():
            writer.delete_documents_by_term("number", number)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, words: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return up to `limit` (key, raw BM25 score) pairs of texts that hold any of the words."""
        terms = terms_of(words)
        if not terms or not self._known:
            return []
        queries = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "text", term, "freq")) for term in terms
        ]
        hits = self._searcher.search(tantivy.Query.boolean_query(queries), limit).hits
        return [(self._keys[int(self._searcher.doc(address)["number"][0])], float(score)) for score, address in hits]

    def _take_over(self, earlier: dict[str, tuple[int, int]], key: str, text: str) -> bool:
        known = earlier.get(key)
        if known is None or known[0] != hash(text):
            return False
        self._known[key] = earlier.pop(key)
        return True
