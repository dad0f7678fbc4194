"""Call what of the core reads texts that people, agents and models write, each with one hostile text."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime

import tantivy

from shared.core.checks.at_odds import reason_at_odds, reason_denied
from shared.core.learning.feedback import cut
from shared.core.memory.doc_type import category_of, is_digest, type_of
from shared.core.memory.expiry import read_expiry, with_expiry
from shared.core.memory.frontmatter import (
    body_of,
    build_frontmatter,
    items_of,
    opening_of,
    preview_of,
    set_fields,
    strings_of,
    with_body,
)
from shared.core.memory.headline import summary_of, title_of
from shared.core.memory.paths import ascii_slug_of, find_reserved, fit_stem, fold_path, slug_of, stem_of
from shared.core.memory.provenance import (
    Source,
    find_quoted,
    find_quoting,
    format_source,
    read_sources,
    unite_sources,
    without_sources,
)
from shared.core.memory.yaml_edit import emit_field, emit_inline, emit_key, emit_string, is_list, is_same, quote
from shared.core.memory.yaml_read import load_block, read_fields, split_frontmatter
from shared.core.merging.opposites import reason_opposed
from shared.core.merging.specifics import find_missing_specifics, find_specifics
from shared.core.merging.statements import (
    Statement,
    find_unsaid,
    find_unsupported,
    openings_in,
    openings_of,
    read_statements,
)
from shared.core.merging.times import find_subject_time, read_subject_time
from shared.core.policy.masked import name_masked
from shared.core.questions.extract_json import extract_json
from shared.core.search.bm25 import (
    TextIndex,
    by_path,
    counted_terms,
    make_index,
    query_of,
    terms_of,
    with_path,
)
from shared.core.search.vectors import embeddable_text, embedded_text
from shared.core.sessions.cue_terms import find_terms
from shared.core.sessions.cues import (
    find_cues,
    find_own_words,
    find_reasons,
    is_model_instruction,
    is_question,
    is_transient,
    straight,
)
from shared.core.sessions.daily_log import bare_entry, read_text
from shared.core.sessions.daily_log import find_place as find_log_place
from shared.core.sessions.evidence import has_verb, load_phrases
from shared.core.sessions.evidence.phrases import split_words
from shared.core.sessions.evidence.score import complete_reasons, find_marks
from shared.core.sessions.excerpts import cut_around
from shared.core.sessions.findings import find_in_event
from shared.core.sessions.languages import find_language
from shared.core.sessions.model import EventKind
from shared.core.sessions.origin import find_origin
from shared.core.sessions.origin.elements import begins_with_machine, find_elements
from shared.core.sessions.origin.labels import is_machine, read_label, read_speaker
from shared.core.sessions.pasted import (
    blank_blocks,
    blank_pasted,
    blank_quotations,
    blank_reported,
    is_review_comment,
)
from shared.core.sessions.sentiment import decide_sentiment, sentiment_of
from shared.core.sessions.statement_text import (
    Place,
    add_superseded,
    append_statement,
    changed_part,
    find_place,
    knows_already,
    repeats_its_sources,
    statements_of,
    supersede_statement,
)
from shared.core.sessions.transcript import clean_id, clean_text, cut_text, keep_text, parse_moment, texts_of
from shared.core.text.clip import clip
from shared.core.text.duplicates import content_hash, fold_hash, is_same_text
from shared.core.text.excerpt import excerpt_of
from shared.core.text.markdown import (
    find_above,
    opens_with_pointer,
    points_back,
    read_sections,
    split_at_stops,
    split_sentences,
    stands_alone,
    write_sections,
)
from shared.core.text.same_values import (
    full_name,
    is_number_word,
    may_be_one_time,
    place_on_dial,
    read_clock,
    same_number,
    same_word,
    scale_of,
    tidy_values,
)
from shared.core.text.similarity import read_words, significant_words, similarity
from shared.core.text.three_way import merge_three_ways
from shared.core.text.tokens import find_tokens, list_numbers, spell_alike, spread_ranges, tidy, ungroup
from shared.core.text.wording import singular_of, wording_of
from shared.core.text.words import as_indexed, as_spaced, is_mostly_unspaced, is_unspaced
from shared.core.text.words import cut as cut_words
from tests.unit.core.growth.dressed import Entry, as_field, as_items, half, in_block, like

AT = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
_STATEMENT = "The staging database is pg-7."


def _replace(text: str) -> object:
    return supersede_statement(text, Place(start=0, end=len(text) // 2), text, "said")


def _query(text: str) -> object:
    return query_of(make_index(tantivy.SchemaBuilder())[0], [text])


MEMORY: Mapping[Callable[..., object], Sequence[Entry]] = {
    type_of: [type_of, lambda text: type_of(in_block(text)), lambda text: type_of(in_block(f"type: {text}"))],
    category_of: [lambda text: category_of(in_block(f"category: '{text}"))],
    is_digest: [is_digest],
    build_frontmatter: [lambda text: build_frontmatter({"a": text, "b": [text]}, text)],
    read_expiry: [lambda text: read_expiry(in_block(f"expires: {text}"))],
    with_expiry: [lambda text: with_expiry(in_block(text), date(2026, 10, 12))],
    set_fields: [
        lambda text: set_fields(text, {"a": text}),
        lambda text: set_fields(as_items(text), {"gathered_from": [*text[:8_000].split()[:4_000], "new"]}),
        lambda text: set_fields(in_block(text), {"a": "b"}),
        lambda text: set_fields(in_block(f"a: |\n  {text}\n"), {"a": "b"}),
    ],
    body_of: [body_of, lambda text: body_of(in_block(text))],
    preview_of: [lambda text: preview_of(in_block(text), 100)],
    opening_of: [lambda text: opening_of(text, 100)],
    with_body: [lambda text: with_body(in_block(text), text)],
    items_of: [lambda text: items_of(text.split("\n"))],
    strings_of: [lambda text: strings_of(list(text))],
    title_of: [
        lambda text: title_of("a.md", text),
        lambda text: title_of(text, ""),
        lambda text: title_of("a.md", in_block(text)),
        lambda text: title_of("a.md", in_block(f"title: {text}")),
        lambda text: title_of("a.md", in_block(f"title: a{text}")),
        lambda text: title_of("a.md", f"# {text}"),
    ],
    summary_of: [
        summary_of,
        lambda text: summary_of(in_block(f"summary: {text}")),
        lambda text: summary_of(in_block(f'description: "{text}')),
        lambda text: summary_of(text, 100_000),
    ],
    slug_of: [slug_of],
    stem_of: [stem_of],
    find_reserved: [lambda text: find_reserved(text, is_new=True)],
    ascii_slug_of: [ascii_slug_of],
    fit_stem: [fit_stem],
    fold_path: [fold_path],
    format_source: [lambda text: format_source(_source(text))],
    read_sources: [
        lambda text: read_sources(as_field(text)),
        lambda text: read_sources(as_field(f"{text}#a 2026-01-01")),
        lambda text: read_sources(as_field(f"a#b 2026-01-01: {text}")),
        lambda text: read_sources(as_items(text)),
        lambda text: read_sources(in_block(text)),
    ],
    find_quoted: [lambda text: find_quoted([("a.md", as_items(f"a#b 2026-01-01: {text}"))], {"a#b"})],
    find_quoting: [lambda text: find_quoting({_source(text).place: [("a.md", text)]}, _source(text))],
    without_sources: [
        without_sources,
        lambda text: without_sources(f"\ngathered_from: {text}"),
        lambda text: without_sources(f"\ngathered_from:\n {text}"),
        lambda text: without_sources(f"{text}\ngathered_from:\n- {text}"),
    ],
    unite_sources: [lambda text: unite_sources(text.split("\n"), [_source(text)])],
    emit_key: [emit_key],
    emit_inline: [emit_inline, lambda text: emit_inline({text: [text]}), lambda text: emit_inline(list(text))],
    emit_string: [emit_string, lambda text: emit_string(text, "'")],
    emit_field: [lambda text: emit_field(text, text), lambda text: emit_field("a", list(text))],
    quote: [quote],
    is_same: [lambda text: is_same(list(text), list(text))],
    is_list: [is_list],
    split_frontmatter: [split_frontmatter, lambda text: split_frontmatter(f"---\n{text}")],
    read_fields: [
        read_fields,
        lambda text: read_fields(in_block(text)),
        lambda text: read_fields(in_block(f"a: {text}")),
    ],
    load_block: [load_block, lambda text: load_block(f"a: {text}"), lambda text: load_block(f'a: "{text}')],
}


def _source(text: str) -> Source:
    return Source(session_id="a", event_id="b", day="2026-01-01", quote=text)


MERGING: Mapping[Callable[..., object], Sequence[Entry]] = {
    openings_in: [openings_in],
    openings_of: [lambda text: list(openings_of(Statement(text=text, wording="")))],
    read_statements: [read_statements],
    find_unsaid: [lambda text: find_unsaid(text, [like(text), text])],
    find_unsupported: [lambda text: find_unsupported(like(text), [text])],
    reason_denied: [lambda text: reason_denied(text, like(text)), lambda text: reason_denied(text, half(text))],
    reason_at_odds: [lambda text: reason_at_odds(text, like(text)), lambda text: reason_at_odds(text, half(text))],
    reason_opposed: [
        lambda text: reason_opposed(f"Use 1. {text}", f"Use 2. {text} 3 not"),
        lambda text: reason_opposed(text, "It is not 3."),
        lambda text: reason_opposed(text, text.swapcase()),
    ],
    find_specifics: [find_specifics, lambda text: find_specifics(in_block(f"title: {text}"))],
    find_missing_specifics: [
        lambda text: find_missing_specifics(text, [like(text)]),
        lambda text: find_missing_specifics("a", [text, text.upper()]),
    ],
    find_subject_time: [lambda text: find_subject_time(text, f"{text} (2026-01-01) {text}")],
    read_subject_time: [lambda text: read_subject_time({"subjectTime": text, "subject_time_end": [text]})],
    extract_json: [
        extract_json,
        lambda text: extract_json('{"a": "' + text + '"}'),
        lambda text: extract_json(f"{text} ```json\n[{text}"),
        lambda text: extract_json(text + '{"a": [' + text + "]}"),
        lambda text: extract_json(f"<think>{text}</think>" + '{"a": 1,,}'),
    ],
}
#: Words that let the rules of another language look at the rest.
OPENINGS = ("nein, wir haben das nicht", "いや、それはもう")
SESSIONS: Mapping[Callable[..., object], Sequence[Entry]] = {
    find_terms: [find_terms],
    is_transient: [is_transient],
    is_question: [is_question, lambda text: is_question(f"where {text}")],
    is_model_instruction: [is_model_instruction, lambda text: is_model_instruction(f"ignore all {text}")],
    straight: [straight],
    blank_pasted: [blank_pasted],
    is_review_comment: [is_review_comment],
    find_own_words: [find_own_words],
    blank_reported: [lambda text: blank_reported(text, find_language(text))],
    find_language: [find_language],
    find_cues: [
        find_cues,
        lambda text: [find_cues(f"{opening} {text}") for opening in OPENINGS],
        lambda text: find_cues(f"no, {text}"),
        lambda text: find_cues(text, is_assistant=True),
    ],
    find_reasons: [find_reasons, lambda text: find_reasons(f"we {text}")],
    split_words: [split_words, lambda text: split_words(text, is_spaced=False)],
    find_marks: [lambda text: find_marks(text, load_phrases("en"), "en")],
    has_verb: [
        lambda text: has_verb(text, "en"),
        lambda text: has_verb(text, "ja"),
        lambda text: has_verb(f"not {text}", "en"),
    ],
    complete_reasons: [lambda text: complete_reasons([{word, "question"} for word in text.split()], is_quoting=False)],
    find_log_place: [find_log_place, lambda text: find_log_place(f"logs/2026/01/{text}")],
    read_text: [lambda text: list(read_text("logs/2026/01/2026-01-01.md", text))],
    bare_entry: [bare_entry, lambda text: bare_entry(f"- 10:15 {text}")],
    cut_around: [lambda text: cut_around(text, 10, 20, 100)],
    find_origin: [
        lambda text: find_origin(EventKind.USER, text),
        lambda text: find_origin(EventKind.USER, f"<task>{text}</task>", role=text[:100]),
        lambda text: find_origin(EventKind.USER, f"[Telegram Ann id:7] {text}", session=text),
        lambda text: find_origin(EventKind.USER, f"Sender (untrusted metadata):\n```json\n{text}\n```\n{text}"),
    ],
    find_elements: [lambda text: list(find_elements(text)), lambda text: list(find_elements(f"{text}</a-b>"))],
    begins_with_machine: [begins_with_machine, lambda text: begins_with_machine(f"<cron {text}>")],
    read_label: [read_label, lambda text: read_label(f"[{text}]"), lambda text: read_label(f"[a for {text}] Result:")],
    is_machine: [is_machine],
    read_speaker: [
        lambda text: read_speaker(text, text, is_group=False),
        lambda text: read_speaker(f"Ann: {text}", text, is_group=True),
    ],
    blank_blocks: [blank_blocks],
    blank_quotations: [blank_quotations],
    find_in_event: [lambda text: find_in_event(EventKind.USER, text)],
    decide_sentiment: [decide_sentiment],
    sentiment_of: [sentiment_of],
    find_place: [
        lambda text: find_place(text, _STATEMENT),
        lambda text: find_place(f"{text} {_STATEMENT}", _STATEMENT),
        lambda text: find_place(text, text[:600]),
        lambda text: find_place(text, " ".join(text[:300])),
    ],
    knows_already: [
        lambda text: knows_already(text, _STATEMENT),
        lambda text: knows_already(text, text[:2_000]),
        lambda text: knows_already(_STATEMENT, text),
    ],
    statements_of: [statements_of],
    repeats_its_sources: [
        repeats_its_sources,
        lambda text: repeats_its_sources(as_field(text)),
    ],
    changed_part: [
        lambda text: changed_part(text, text[: len(text) // 2]),
        lambda text: changed_part(text[:3_990], text),
    ],
    add_superseded: [lambda text: add_superseded(text, text, "gone")],
    append_statement: [lambda text: append_statement(text, text)],
    supersede_statement: [_replace],
    clean_text: [clean_text],
    clean_id: [clean_id],
    cut_text: [lambda text: cut_text(text, EventKind.USER)],
    keep_text: [lambda text: keep_text(text, EventKind.USER, None), lambda text: keep_text(text, EventKind.META, str)],
    parse_moment: [parse_moment],
    texts_of: [texts_of, lambda text: texts_of([{"type": "text", "text": text}])],
    cut: [lambda text: cut(text, 100)],
}
TEXT: Mapping[Callable[..., object], Sequence[Entry]] = {
    wording_of: [wording_of],
    name_masked: [lambda text: name_masked(f"[masked: a] {text}", text)],
    singular_of: [singular_of],
    read_sections: [lambda text: write_sections(read_sections(text))],
    find_above: [lambda text: find_above(read_sections(text))],
    split_at_stops: [split_at_stops],
    split_sentences: [split_sentences],
    points_back: [points_back],
    opens_with_pointer: [opens_with_pointer],
    stands_alone: [stands_alone],
    TextIndex: [lambda text: TextIndex([("a.md", text)]).search([text], 10)],
    query_of: [_query],
    terms_of: [lambda text: terms_of([text])],
    embeddable_text: [embeddable_text],
    embedded_text: [embedded_text, lambda text: embedded_text(in_block(text))],
    with_path: [lambda text: with_path("a.md", text)],
    by_path: [lambda text: list(by_path([("a.md", text)]))],
    counted_terms: [counted_terms],
    merge_three_ways: [
        lambda text: merge_three_ways(text, f"{text}\nmine", f"theirs\n{text}"),
        lambda text: merge_three_ways(half(text), text, "theirs"),
    ],
    fold_hash: [lambda text: fold_hash("a.md", text)],
    is_same_text: [lambda text: is_same_text(text, f" {text} ")],
    similarity: [
        lambda text: similarity(text, like(text)),
        lambda text: similarity(text, half(text)),
    ],
    read_words: [read_words],
    clip: [clip],
    excerpt_of: [lambda text: excerpt_of(text, 150), lambda text: excerpt_of(text, 150, text.split())],
    content_hash: [content_hash],
    significant_words: [lambda text: significant_words(text, 100)],
    tidy: [tidy],
    ungroup: [ungroup],
    find_tokens: [find_tokens],
    list_numbers: [lambda text: list_numbers(find_tokens(text))],
    spread_ranges: [lambda text: spread_ranges(text.split())],
    spell_alike: [spell_alike],
    same_word: [same_word],
    full_name: [full_name],
    is_number_word: [is_number_word],
    scale_of: [scale_of],
    same_number: [same_number],
    read_clock: [lambda text: read_clock(text, text), lambda text: read_clock(text, "pm")],
    may_be_one_time: [lambda text: may_be_one_time(text, text)],
    place_on_dial: [place_on_dial],
    tidy_values: [tidy_values],
    is_unspaced: [is_unspaced],
    is_mostly_unspaced: [is_mostly_unspaced],
    as_spaced: [as_spaced],
    cut_words: [cut_words],
    as_indexed: [as_indexed],
}
ENTRIES = {**MEMORY, **MERGING, **SESSIONS, **TEXT}
