"""One store's BM25 index in memory, kept up to date by what was written since it was last asked."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import tantivy

from shared.core.decay import is_exempt
from shared.core.doc_type import category_of, type_of
from shared.core.frontmatter import summary_of, title_of
from shared.core.memory import Memory, MemoryState
from shared.core.provenance import without_sources
from shared.core.text_index import terms_of
from shared.ports.memory_catalog import ChangedMemories
from shared.ports.memory_search import Found

_HEAP_BYTES = 15_000_000  # tantivy's smallest heap for one writer thread
_STUB_CHARS = 200


class StoreIndex:
    """Not for several threads at once: the caller holds a lock."""

    def __init__(self) -> None:
        """Begin empty; the first update brings everything."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("key", stored=True, tokenizer_name="raw", index_option="basic")
        builder.add_text_field("text", stored=False, index_option="freq")
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema)
        self._known: dict[str, tuple[int, Found]] = {}
        self.mark: int | None = None

    def update(self, changed: ChangedMemories) -> None:
        """Take over what was written. A memory whose version did not change only gets its new signals."""
        texts: dict[str, str] = {}
        for memory in changed.memories:
            known = self._known.get(memory.id)
            if known is None or known[0] != memory.version:
                texts[memory.id] = f"{memory.path} {_searched(memory)}"
                self._known[memory.id] = (memory.version, _found(memory))
            else:
                again = replace(
                    known[1], signals=memory.signals, updated_at=memory.updated_at, touched_at=memory.touched_at
                )
                self._known[memory.id] = (memory.version, again)
        self._write(texts, [gone for gone in changed.gone if self._known.pop(gone, None) is not None])
        self.mark = changed.mark

    def forget(self, ids: Iterable[str]) -> None:
        """Take out memories that were purged: a purge leaves no row that could be read."""
        self._write({}, [one for one in ids if self._known.pop(one, None) is not None])

    def find(self, words: Sequence[str], limit: int) -> list[Found]:
        """Return the memories that hold any of the words, best first."""
        terms = terms_of(words)
        if not terms or not self._known:
            return []
        queries = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "text", term, "freq")) for term in terms
        ]
        searcher = self._index.searcher()
        hits = searcher.search(tantivy.Query.boolean_query(queries), limit).hits
        keys = [(str(searcher.doc(address)["key"][0]), float(score)) for score, address in hits]
        return [replace(self._known[key][1], bm25=score) for key, score in keys]

    def __len__(self) -> int:
        return len(self._known)

    def _write(self, texts: dict[str, str], gone: Sequence[str]) -> None:
        if not texts and not gone:
            return
        writer = self._index.writer(heap_size=_HEAP_BYTES, num_threads=1)
        for key in (*gone, *texts):
            writer.delete_documents_by_term("key", key)
        for key, text in texts.items():
            writer.add_document(tantivy.Document(key=key, text=text))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()


def _searched(memory: Memory) -> str:
    return without_sources(memory.content) if memory.state is MemoryState.LIVE else memory.stub or ""


def _found(memory: Memory) -> Found:
    is_archived = memory.state is not MemoryState.LIVE
    return Found(
        memory_id=memory.id,
        path=memory.path,
        title=title_of(memory.path, memory.content),
        excerpt=(memory.stub or "")[:_STUB_CHARS] if is_archived else summary_of(memory.content),
        signals=memory.signals,
        updated_at=memory.updated_at,
        touched_at=memory.touched_at,
        is_lasting=is_exempt(category_of(memory.content), type_of(memory.content)),
        is_archived=is_archived,
    )
