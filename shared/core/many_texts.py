"""BM25 over many texts, in memory: tantivy with one thread. Computes only; nothing touches a disk."""

from collections.abc import Iterable, Sequence
from itertools import chain

import tantivy

from shared.core.words import as_indexed

HEAP_BYTES = 15_000_000  # tantivy's smallest heap for one writer thread
_CUT = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()


def make_index(builder: tantivy.SchemaBuilder) -> tuple[tantivy.Schema, tantivy.Index]:
    """Add the field `text` to what an index holds, for what `as_indexed` gives, and return the schema and the index."""
    builder.add_text_field("text", stored=False, tokenizer_name="cut", index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)
    index.register_tokenizer("cut", _CUT)
    return schema, index


def query_of(schema: tantivy.Schema, terms: Sequence[str]) -> tantivy.Query:
    """Return the query for texts that hold any of the terms."""
    wanted = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", term, "freq")) for term in terms]
    return tantivy.Query.boolean_query(wanted)


class ManyTexts:
    """Finds the texts that share terms with a query, best first. Not for several threads at once."""

    def __init__(self) -> None:
        """Begin empty."""
        self._keys: list[str] = []
        #: Of each text by key: its hash and its number. Whether a text changed is asked far more often than what it said.
        self._known: dict[str, tuple[int, int]] = {}
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("number", stored=True, indexed=True)
        self._schema, self._index = make_index(builder)
        self._searcher = self._index.searcher()

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
        writer = self._index.writer(heap_size=HEAP_BYTES, num_threads=1)
        for key, text in chain(() if first is None else (first,), changed):
            self._known[key] = (hash(text), len(self._keys))
            writer.add_document(tantivy.Document(number=len(self._keys), text=as_indexed(text)))
            self._keys.append(key)
        for _, number in earlier.values():
            writer.delete_documents_by_term("number", number)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, terms: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return up to `limit` (key, raw BM25 score) pairs of texts that hold any of the different terms."""
        hits = self._searcher.search(query_of(self._schema, terms), limit).hits
        return [(self._keys[int(self._searcher.doc(address)["number"][0])], float(score)) for score, address in hits]

    def _take_over(self, earlier: dict[str, tuple[int, int]], key: str, text: str) -> bool:
        known = earlier.get(key)
        if known is None or known[0] != hash(text):
            return False
        self._known[key] = earlier.pop(key)
        return True
