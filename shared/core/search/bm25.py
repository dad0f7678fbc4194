"""BM25 over a store's texts in memory, with tantivy: Lucene's formula (k1 1.2, b 0.75). Nothing is written to disk."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import tantivy

from shared.core.text.words import as_indexed, cut

HEAP_BYTES = 15_000_000  # tantivy's smallest heap for one writer thread
_CUT = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()


def make_index(builder: tantivy.SchemaBuilder) -> tuple[tantivy.Schema, tantivy.Index]:
    """Add the field `text`, for results of `as_indexed`, to the fields of an index; return the schema and the index."""
    builder.add_text_field("text", stored=False, tokenizer_name="cut", index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)
    index.register_tokenizer("cut", _CUT)
    return schema, index


def query_of(schema: tantivy.Schema, terms: Sequence[str]) -> tantivy.Query:
    """Return the query for texts that contain any of the terms."""
    wanted = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", term, "freq")) for term in terms]
    return tantivy.Query.boolean_query(wanted)


def terms_of(words: Sequence[str]) -> list[str]:
    """Return the terms that an index looks up for these words, sorted."""
    return sorted(set(cut(" ".join(words))))


def with_path(path: str, text: str) -> str:
    """Return the indexed text of a memory: it is also found by the words of its path."""
    return f"{path} {text}"


def by_path(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the path and the indexed text of (path, text) pairs."""
    return ((path, with_path(path, text)) for path, text in texts)


def counted_terms(text: str) -> Counter[str]:
    """Return the indexed terms of a text, with the number of occurrences of each."""
    return Counter(as_indexed(text).split())


class TextIndex:
    """An index of texts, best matches first. Not thread-safe."""

    def __init__(self, texts: Iterable[tuple[str, str]] = ()) -> None:
        """Index (key, text) pairs; no key comes twice."""
        self._keys: list[str] = []
        #: The hash and the number of each text, by key: hashes are enough to tell whether a text changed.
        self._known: dict[str, tuple[int, int]] = {}
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("number", stored=True, indexed=True)
        self._schema, self._index = make_index(builder)
        self._searcher = self._index.searcher()
        self.update(texts)

    def __len__(self) -> int:
        return len(self._known)

    @property
    def replaced(self) -> int:
        """The number of texts that were taken out or replaced since the index was built: word counts may still include them."""
        return len(self._keys) - len(self._known)

    def update(self, texts: Iterable[tuple[str, str]], indexed: Callable[[str, str], str] | None = None) -> None:
        """Make it the index of these (key, text) pairs; an unchanged text costs only a comparison.

        `indexed` makes what is searched of a key and its text, the same at each update; without it that is the text.
        """
        earlier, self._known = self._known, {}
        changed = (pair for pair in texts if not self._reuse(earlier, *pair))
        first = next(changed, None)
        if first is None and not earlier:
            return
        writer = self._index.writer(heap_size=HEAP_BYTES, num_threads=1)
        for key, text in chain(() if first is None else (first,), changed):
            self._known[key] = (hash(text), len(self._keys))
            shown = text if indexed is None else indexed(key, text)
            writer.add_document(tantivy.Document(number=len(self._keys), text=as_indexed(shown)))
            self._keys.append(key)
        for _, number in earlier.values():
            writer.delete_documents_by_term("number", number)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, words: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return up to `limit` (key, raw BM25 score) pairs of texts that contain any of the words."""
        terms = terms_of(words)
        hits = self._searcher.search(query_of(self._schema, terms), limit).hits if terms and limit and len(self) else []
        return [(self._keys[int(self._searcher.doc(address)["number"][0])], float(score)) for score, address in hits]

    def _reuse(self, earlier: dict[str, tuple[int, int]], key: str, text: str) -> bool:
        known = earlier.get(key)
        if known is None or known[0] != hash(text):
            return False
        self._known[key] = earlier.pop(key)
        return True
