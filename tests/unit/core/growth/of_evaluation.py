"""Call what measures a store, each with one hostile text: as a memory, as a question and as its answer."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from shared.core.dream.operations import OperationKind
from shared.core.dream.recall import ProbeKind
from shared.core.evaluation.around_dream import (
    Touched,
    after_the_dream,
    before_the_dream,
    find_losing,
    searched,
    with_stubs,
)
from shared.core.evaluation.measure import find_gone, find_reworded, find_superseded, measure, without_superseded
from shared.core.evaluation.model import check_probes
from shared.core.evaluation.needles import comes_close, find_pairs, needle_of, read_lines, says, says_as_superseded
from shared.core.evaluation.probes import (
    Turn,
    WrittenText,
    draw_pairs,
    draw_said,
    find_unasked,
    make_probe,
    probe_of_reading,
    probes_of_owner,
)
from shared.core.evaluation.readers import HitReader, Snapshot, StoreReaders, named_files, rank_by_words, read_index
from shared.core.sessions.statement_text import add_superseded
from tests.unit.builders import memory
from tests.unit.core.growth.dressed import Entry, in_block, like

_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def _written(text: str) -> WrittenText:
    return WrittenText(path="a.md", content=text, at=_DAY)


def _turns(text: str) -> list[Turn]:
    said = [Turn(session="s", speaker=who, text=text) for who in ("user", "assistant")]
    return [Turn(session="s", speaker="user", text=f"{text[:300]}?"), *reversed(said)]


def _measured(text: str) -> object:
    probes = draw_pairs([_written(text)], 20)
    return measure(probes, Snapshot(live={"a.md": text, "MEMORY.md": text}, stubs={"b.md": text}))


def _hits(text: str) -> HitReader:
    return HitReader({"a.md": text}, lambda _words, _limit: ["a.md"])


def _touched(text: str) -> list[Touched]:
    old, new = (memory("a.md", one) for one in (text, like(text)))
    return [Touched(operation_id="op_1", kind=OperationKind.MERGE, before=(old,), after=(new,))]


ENTRIES: Mapping[Callable[..., object], Sequence[Entry]] = {
    needle_of: [needle_of],
    find_pairs: [lambda text: list(find_pairs(text, text[:200]))],
    read_lines: [
        lambda text: read_lines("a.md", text, len(text)),
        lambda text: read_lines("a.md", in_block(text), 100),
    ],
    says: [lambda text: says(read_lines("a.md", text, len(text)), needle_of(text[:500]))],
    says_as_superseded: [
        lambda text: says_as_superseded(read_lines("a.md", f"a\n## Superseded\n{text}", len(text)), needle_of("a b c"))
    ],
    check_probes: [lambda text: check_probes([{"question": text[:1_000], "evidence": text[:1_000]}], 1)],
    make_probe: [lambda text: make_probe(ProbeKind.OWN, text, needle_of(text), "a.md")],
    draw_pairs: [lambda text: draw_pairs([_written(text)], 400)],
    draw_said: [lambda text: draw_said(_turns(text), 10)],
    probe_of_reading: [lambda text: probe_of_reading(text[:500], text, "a.md")],
    find_unasked: [lambda text: find_unasked([{"question": text, "evidence": text}])],
    probes_of_owner: [lambda text: probes_of_owner([{"question": text, "evidence": text}])],
    measure: [_measured],
    HitReader: [lambda text: [_hits(text).search(one) for one in draw_pairs([_written(text)], 3)]],
    StoreReaders: [lambda text: StoreReaders(Snapshot(live={"a.md": text, "MEMORY.md": text}))],
    rank_by_words: [lambda text: rank_by_words(iter([("a.md", text)]))(("a", "b"), 10)],
    searched: [lambda text: searched(in_block(text))],
    with_stubs: [lambda text: with_stubs({"a.md": text}, _touched(text))],
    before_the_dream: [lambda text: before_the_dream({"a.md": text}, _touched(text))],
    find_losing: [lambda text: find_losing(["a.md"], _touched(text))],
    after_the_dream: [lambda text: after_the_dream({"a.md": text}, _touched(text))],
    comes_close: [lambda text: comes_close(text, needle_of(text[:500]))],
    find_reworded: [
        lambda text: find_reworded([("a.md", text[:500])], Snapshot(live={"a.md": text}), {"a.md": {"a.md"}})
    ],
    read_index: [read_index],
    named_files: [lambda text: list(named_files(text, [f"{text[:50]}.md", "a.md"]))],
    find_superseded: [
        lambda text: find_superseded(
            Snapshot(live={"a.md": text}), Snapshot(live={"a.md": add_superseded(f"a b c\n{text}", text[:500], "")})
        )
    ],
    without_superseded: [
        lambda text: without_superseded(draw_pairs([_written(text)], 20), [("a.md", text, "")]),
    ],
    find_gone: [lambda text: find_gone(Snapshot(live={"a.md": text}), Snapshot(live={"b.md": like(text)}), {})],
}
