"""Calls of what reads texts into statements, and of what checks and arranges these."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from shared.core.checks.updates import Cited, Update, find_telling, judge_update
from shared.core.dream.operations import Flag, Stated
from shared.core.dream.replan import find_settled
from shared.core.memory.index_text import find_blocks
from shared.core.memory.links import without_bare_paths
from shared.core.memory.writers import Rank, Said, Writer, Writers
from shared.core.questions.fingerprint import known_fields, wording_fingerprint
from shared.core.reading.arranged import Source, arrange, is_heading
from shared.core.reading.carried import carry_replaced, count_parts, find_missing, find_replaced
from shared.core.reading.placed import Form, Placed, list_units, read_placed, render_placed
from shared.core.reading.said import read_said_days
from shared.core.sessions.pasted import blank_documents
from shared.core.sessions.statement_text import close_gap, current_of, held_until_after, superseded_of
from shared.core.text.markdown import read_sections
from shared.core.trust.edited import inherit_edit
from shared.core.trust.held_orders import find_held_order
from shared.core.trust.inherit import (
    Written,
    assign,
    find_nearest,
    inherit,
    statements_by_key,
    writer_of,
    writers_by_key,
)
from shared.core.trust.look_alikes import list_readings
from shared.core.trust.orders import find_danger, find_order, is_order, without_orders
from shared.core.trust.outranked import find_outranked
from shared.core.trust.shares import find_shares
from shared.core.trust.sidecar import read_writers, render_writers
from shared.core.trust.sieve import Sieve
from shared.core.trust.statements import key_of, list_pieces, statements_in, words_of
from tests.unit.builders import memory
from tests.unit.core.growth.dressed import Entry, as_field, half, in_block


def _cited(text: str) -> Cited:
    placed = Placed(number=len(text) % 2, text=text, start=0, end=len(text), under=(), form=Form.PROSE)
    return Cited(path="a.md", placed=placed)


def _days_of(text: str) -> object:
    days = read_said_days(f"{text[:200]}.md", as_field(f"sesn_1#e1 2026-03-02: {text}"))
    return days.find_day(_cited(text).placed)


def _arranged(text: str) -> list[Source]:
    return [Source("a", text, read_placed(text)), Source("b", f"# B\n\n{text}", read_placed(f"# B\n\n{text}"))]


def _settled(text: str) -> object:
    asked = (Stated(memory_id="mem_a.md", path="a.md", fingerprint=""),)
    return find_settled(
        Flag(memory_id="mem_a.md", version=1, path="a.md", statements=asked), {"mem_a.md": memory("a.md", text)}
    )


_AGENT = Writer(Rank.AGENT)
_OWNERS = Written("One. Two.", Writers((Writer(Rank.OWNER),)))
_MARKED = Written("One. Two.", inherit("One. Two.", [_OWNERS._replace(content="One.")], new=_AGENT))


def _units(text: str) -> object:
    return [list(list_units(block)) for section in read_sections(text) for block in section.blocks]


def _outranked(before: str, after: str) -> object:
    owners = replace(memory("a.md", before), writers=_OWNERS.writers)
    return find_outranked([(owners, replace(owners, content=after, writers=Writers((_AGENT,))))])


def _held(text: str) -> object:
    agents = replace(memory("a.md", half(text)), writers=Writers((_AGENT,)))
    return find_held_order([(agents, replace(agents, content=text))], is_from_sessions=True)


ENTRIES: Mapping[Callable[..., object], Sequence[Entry]] = {
    read_placed: [read_placed],
    list_readings: [list_readings],
    find_danger: [find_danger, lambda text: find_danger(f"Run {text} curl {text}")],
    find_order: [find_order],
    Sieve: [Sieve(r"\b(?:api|ssh)[ _-]keys?\b|[^.]{0,80}?(?:run|\u5b9f\u884c)").matches],
    without_orders: [lambda text: without_orders("notes/a.md", text, text)],
    find_held_order: [_held],
    blank_documents: [blank_documents, lambda text: blank_documents(f"$ {text}\nAnn: {text}\n<p>{text}\n</p>")],
    is_order: [is_order, lambda text: is_order(f"before {text}")],
    count_parts: [count_parts],
    find_replaced: [lambda text: find_replaced(text, f"{text}\nmine"), lambda text: find_replaced(text, half(text))],
    find_missing: [lambda text: find_missing(text, half(text), f"{text}\nmine")],
    carry_replaced: [lambda text: carry_replaced(text, half(text), f"{text}\nmine")],
    close_gap: [lambda text: close_gap(text, len(text) // 2)],
    read_said_days: [_days_of, lambda text: read_said_days("a.md", text)],
    known_fields: [known_fields, lambda text: known_fields(in_block(text))],
    render_placed: [lambda text: render_placed(text, "a")],
    arrange: [
        lambda text: arrange(_arranged(text), "# T\n{a1-a999}").compose(),
        lambda text: arrange(_arranged(text), "").compose(),
        lambda text: arrange(_arranged("One. Two."), text).compose(),
        lambda text: arrange(_arranged("One. Two."), f"{{{text}}}\n- a1: {text}\n{text} [a2]").compose(),
    ],
    current_of: [current_of],
    held_until_after: [lambda text: held_until_after(f"## Superseded\n\n{text}", date(2026, 3, 10))],
    list_units: [_units],
    statements_by_key: [statements_by_key],
    writers_by_key: [lambda text: writers_by_key(_OWNERS._replace(content=text))],
    find_shares: [lambda text: find_shares(_MARKED._replace(content=text))],
    read_writers: [lambda text: read_writers(render_writers({text: _MARKED._replace(content=text)}))],
    inherit_edit: [
        lambda text: inherit_edit(text, half(text), _MARKED.writers, _AGENT),
        lambda text: inherit_edit(half(text), text, _OWNERS.writers, _AGENT),
    ],
    list_pieces: [lambda text: [list(statements_in(one)) for one in list_pieces(text)]],
    words_of: [words_of],
    key_of: [key_of],
    render_writers: [lambda text: render_writers({text: _MARKED._replace(content=text)})],
    assign: [lambda text: assign(text, {}, _AGENT)],
    writer_of: [lambda text: writer_of(_MARKED, text)],
    find_nearest: [lambda text: find_nearest(text, [(frozenset(text.split()), _AGENT)])],
    inherit: [
        lambda text: inherit(text, [_OWNERS, _OWNERS._replace(content=half(text))], [Said(text, _AGENT)]),
        lambda text: inherit(half(text), [_OWNERS._replace(content=text)], [Said("One.", _AGENT)]),
        lambda text: inherit(half(text), [_OWNERS._replace(content=text)], new=_AGENT),
    ],
    find_outranked: [lambda text: _outranked(text, half(text)), lambda text: _outranked("One.", text)],
    superseded_of: [superseded_of, lambda text: superseded_of(f"## Superseded\n\n{text}")],
    find_settled: [_settled, lambda text: _settled(f"A.\n\n## Superseded\n\n- “{text}")],
    find_blocks: [find_blocks],
    wording_fingerprint: [wording_fingerprint],
    without_bare_paths: [without_bare_paths],
    find_telling: [find_telling],
    is_heading: [is_heading],
    judge_update: [
        lambda text: judge_update(Update(old=_cited(text), by=(_cited("Ports are open."),), write=text)),
        lambda text: judge_update(Update(old=_cited(text), by=(_cited(text),), is_repeat=True)),
    ],
}
