"""Call what of the core takes memories, sessions, skills and names, each with one hostile text."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from shared.core.checks.merges import MergedText, judge_merge, judge_text
from shared.core.dates.anchor import find_entries, find_said_at
from shared.core.dream.dated_text import ends_no_statement, find_undated_change, keeps_line
from shared.core.dream.effects import Effect
from shared.core.dream.operations import Operation, OperationKind
from shared.core.dream.verdicts import operation_fingerprint, texts_fingerprint
from shared.core.filing.belonging import (
    are_apart,
    find_misplaced,
    is_named,
    read_candidate,
    read_marks,
    speaks_of_the_same,
)
from shared.core.gates.quiet_hours import check_time_zone
from shared.core.learning.feedback import FeedbackKind, NewFeedback, check_feedback
from shared.core.learning.skill_merging import decide_skills_unmergeable, same_skill_subject
from shared.core.learning.skills import (
    build_skill,
    check_skill_name,
    created_at_of,
    describe_skill,
    find_skill_uses,
    is_sparse,
    last_used_of,
    normal_skill_name,
    see_also_of,
    skill_path,
    spaced,
)
from shared.core.memory.index_text import (
    added_lines,
    before_block,
    by_hand,
    generated_in,
    holds_content,
    is_marked,
    kind_of_text,
    names_folders,
    newline_of,
    pointed_to,
    with_block,
    with_generated,
    with_new_pointer,
    with_pointers_of,
    without_pointers,
)
from shared.core.memory.links import Link, find_links, find_paths, join_path, list_targets, name_target
from shared.core.memory.model import INDEX_BEGIN, INDEX_END, Memory, domain_of, kind_of
from shared.core.memory.paths import check_memory_path, is_memory_id
from shared.core.memory.pointer import (
    link_of,
    name_by_file,
    plain,
    pointer_line,
    pointer_to,
    short_title,
    without_labels,
)
from shared.core.merging.candidates import find_candidates, index_entries
from shared.core.merging.overlap import overlap_mostly
from shared.core.merging.same_subject import reason_different, same_subject
from shared.core.merging.sentence_slots import align, read_sentences
from shared.core.merging.specifics import find_present, find_specifics
from shared.core.merging.statements import read_statements
from shared.core.merging.subject_words import (
    are_editions,
    are_filed_apart,
    are_named_in_turn,
    are_of_a_series,
    are_sorts_of_text,
    are_versions,
    find_named_apart,
    list_stems,
    own_path_words,
    read_subject,
    spell,
    without_edition,
)
from shared.core.merging.times import describe_times, is_seen_once, merge_facts
from shared.core.policy.policy import ConsolidatePolicy, GatherPolicy, IndexPolicy
from shared.core.questions.directives import check_directive, name_prompt
from shared.core.questions.fingerprint import cluster_fingerprint, text_fingerprint
from shared.core.sessions.excerpts import (
    find_quoted,
    find_unsaid,
    make_excerpt,
    make_line,
    name_of,
    render_excerpt,
    speaker_of,
)
from shared.core.sessions.explained import decide_fate
from shared.core.sessions.grounding import find_made_up, find_ungrounded, with_path
from shared.core.sessions.model import EventKind, NewEvent, Session, SessionEvent
from shared.core.sessions.orders import is_memory_order
from shared.core.sessions.ranking import CandidateMemory, Corpus, rank_together
from shared.core.sessions.statement_text import has_other_value, knows_already
from shared.core.sessions.statements.leaning import find_whole, leans
from shared.core.sessions.statements.plain_sentence import plain_sentence
from shared.core.sessions.statements.same_statement import key_of, says_the_same
from shared.core.tenants.api_keys import hash_secret, split_token
from shared.core.tenants.store import check_name
from shared.core.text.phrases import find_phrases
from shared.core.trust.people import are_of_two_people, find_own, name_speaker
from shared.core.webhooks.address import check_url, find_literal
from shared.core.webhooks.message import sign
from shared.core.webhooks.retries import WebhookPolicy
from tests.unit.builders import NOW, memory
from tests.unit.core.growth.dressed import Entry, in_block, like

_POLICY = GatherPolicy()
_INDEXING = Operation(kind=OperationKind.INDEX, phase="index", reason="", changes=())
_READ = Session(id="s", store_id="st", external_id="s", source="api", last_position=1, gathered_position=1)


def _all_of(texts: Sequence[str]) -> list[Memory]:
    return [memory(f"a/{number}.md", text) for number, text in enumerate(texts)]


def _event(text: str) -> SessionEvent:
    return SessionEvent(
        session_id="s", event_id="e", position=1, at=NOW, kind=EventKind.USER, role="user", text=text, is_masked=False
    )


def _excerpt(text: str) -> object:
    excerpt = make_excerpt([_event(text)], (1, 1), {}, _POLICY, NOW)
    return (render_excerpt(excerpt), find_quoted(excerpt, text)) if excerpt else None


def _rank(text: str) -> object:
    said, remembered = [_event(text)], [CandidateMemory(memory_id="m", text=text)]
    return rank_together(text.split()[:100], said, remembered, Corpus(texts=1, holding=Counter(), matched=None), 10)


def _candidates(text: str) -> object:
    memories = {one.path: one for one in _all_of([text, like(text), text[::-1]])}
    texts = {path: one.content for path, one in memories.items()}
    return find_candidates(texts, list(texts), [], ConsolidatePolicy(), lambda _: memories)


def _phrases(text: str) -> object:
    words = text.split()
    phrases = {" ".join(words[start : start + 1 + start % 9]) for start in range(len(words))}
    return find_phrases(words, {*phrases, " ".join(words)})


def _uses(text: str) -> object:
    return find_skill_uses("s", [NewEvent(event_id="e", kind=EventKind.TOOL_CALL, role="tool", text=text)], NOW)


MEMORIES: Mapping[Callable[..., object], Sequence[Entry]] = {
    find_undated_change: [
        lambda text: find_undated_change(text, f"{text} (2026-03-01)", memory("a.md", text)),
        lambda text: find_undated_change(text, f"# A\n\n## Superseded\n\n{text}", memory("a.md", text)),
        lambda text: find_undated_change(
            text, text.replace("yesterday.", "yesterday (2026-01-31)."), memory("a.md", text)
        ),
    ],
    ends_no_statement: [lambda text: ends_no_statement(text, text)],
    keeps_line: [lambda text: keeps_line(text, f"{text} (2026-03-01)")],
    index_entries: [lambda text: list(index_entries({"a.md": text}))],
    find_candidates: [_candidates],
    merge_facts: [lambda text: merge_facts(_all_of([in_block(text), text]))],
    find_said_at: [lambda text: find_said_at(memory("a.md", in_block(text)))],
    find_entries: [lambda text: find_entries(memory("a.md", f"## 2026-02-03\n{text}\n## 2026-02-04\n"))],
    is_seen_once: [lambda text: is_seen_once(memory("a.md", in_block(text)), text)],
    describe_times: [lambda text: describe_times(memory("a.md", in_block(text)))],
    find_present: [lambda text: find_present(like(text), find_specifics(text))],
    find_phrases: [_phrases],
    operation_fingerprint: [
        lambda text: operation_fingerprint(_INDEXING, [Effect(before=None, after=memory("MEMORY.md", text))])
    ],
    texts_fingerprint: [lambda text: texts_fingerprint(OperationKind.INDEX, [memory("MEMORY.md", text)])],
    text_fingerprint: [lambda text: text_fingerprint(memory("a.md", text))],
    cluster_fingerprint: [lambda text: cluster_fingerprint(_all_of([text, in_block(text)]))],
    decide_skills_unmergeable: [
        lambda text: decide_skills_unmergeable(
            [memory(f"skills/{name}/SKILL.md", f"{name} {text}") for name in "abc"], "a", ()
        )
    ],
    same_skill_subject: [lambda text: same_skill_subject("a", f"# a\n{text}", "b", f"# b\n{text} 2")],
    same_subject: [
        lambda text: same_subject("a.md", text, "b.md", like(text)),
        lambda text: same_subject("a/README.md", f"# {text}\n\nOne is 1.", "b/c.md", f"# B\n\nOne is 2. {text}"),
    ],
    reason_different: [lambda text: reason_different(_all_of([text, f"# A\n{text}", f"# B\n{text}"]))],
    judge_text: [
        lambda text: judge_text(
            (),
            MergedText(
                draft=text,
                whole=text,
                contents=(like(text),),
                unsaid=read_statements(like(text)).statements,
                made=read_statements(text).statements,
            ),
        )
    ],
    judge_merge: [lambda text: judge_merge(_all_of([text, f"# A\n{text}", f"# B\n{text}"]))],
    align: [lambda text: align(text, like(text), frozenset(), frozenset())],
    read_sentences: [read_sentences],
    read_candidate: [lambda text: read_candidate("a.md", f"# {text}\n\n{text}")],
    find_misplaced: [
        lambda text: find_misplaced(
            read_candidate("a.md", text), [read_candidate("b.md", like(text))], text[:2_000], text
        ),
        lambda text: find_misplaced(
            read_candidate("a.md", f"# A\n\n{text}"), [read_candidate("b.md", f"# B\n\n{text}")], "A is one.", text
        ),
    ],
    are_apart: [lambda text: are_apart(read_candidate("a.md", text), read_candidate("b.md", like(text)))],
    is_named: [lambda text: is_named("a.md", f"# {text}\n", text)],
    read_marks: [read_marks],
    speaks_of_the_same: [lambda text: speaks_of_the_same(text, like(text))],
    key_of: [key_of],
    says_the_same: [lambda text: says_the_same(text, f"{text}!")],
    leans: [leans],
    find_whole: [lambda text: find_whole("It is 609.", "It is 609.", f"{text} It is 609.")],
    plain_sentence: [plain_sentence],
    knows_already: [lambda text: knows_already(text, text)],
    name_speaker: [lambda text: name_speaker(text, "Ann"), lambda text: name_speaker("I like tea.", text)],
    are_of_two_people: [lambda text: are_of_two_people("I like tea (Ann).", f"I like {text} (Bob).")],
    find_own: [
        lambda text: find_own(text, "I like tea.", "I hate tea (Ann)."),
        lambda text: find_own(f"I like {text} (Ann).", text, f"I hate {text} (Ann)."),
    ],
    overlap_mostly: [
        lambda text: overlap_mostly(read_subject("a.md", text), read_subject("b.md", like(text)), is_one_subject=True)
    ],
    find_named_apart: [
        lambda text: find_named_apart(read_subject(text, text), read_subject(f"{text}-2", text)),
        lambda text: find_named_apart(read_subject("a/b.md", text), read_subject("a/c.md", like(text))),
    ],
    read_subject: [lambda text: read_subject("a.md", text)],
    find_paths: [
        lambda text: find_paths(f"a/{text}", Link(text)),
        lambda text: find_paths("a.md", Link(text, is_wiki=True)),
    ],
    find_links: [
        lambda text: find_links("a.md", text),
        lambda text: find_links("a.md", f"[{text}]({text})[[{text}]]"),
        lambda text: find_links("a.md", in_block(f"related: [{text}]")),
    ],
    list_targets: [lambda text: list_targets(f"a/{text}", Link(text, is_wiki=True))],
    name_target: [name_target],
    join_path: [lambda text: join_path(text, text)],
    list_stems: [list_stems],
    are_editions: [lambda text: are_editions(read_subject(text, text), read_subject(f"{text}-2", text))],
    without_edition: [without_edition],
    are_filed_apart: [
        lambda text: are_filed_apart(text, f"{text}-2"),
        lambda text: are_filed_apart(f"a/{text}", f"b/{text}"),
    ],
    are_named_in_turn: [lambda text: are_named_in_turn(f"{text}1", f"{text}2")],
    are_of_a_series: [lambda text: are_of_a_series(f"{text}1", f"{text}2")],
    are_sorts_of_text: [lambda text: are_sorts_of_text(text.split())],
    are_versions: [
        lambda text: are_versions(text, f"{text}-v2"),
        lambda text: are_versions(f"{text}-v1", f"{text}-v2"),
    ],
    own_path_words: [lambda text: own_path_words(read_subject(text, text), read_subject(f"{text}-2", text))],
    spell: [lambda text: spell(read_subject(text, text), list_stems(text))],
    describe_skill: [lambda text: describe_skill(memory("a.md", in_block(f"description: {text}")))],
    created_at_of: [lambda text: created_at_of(memory("a.md", in_block(f"created: {text}")))],
    last_used_of: [lambda text: last_used_of(memory("a.md", in_block(f"last-used: {text}")), ())],
    see_also_of: [lambda text: see_also_of(memory("a.md", in_block(f"see-also: [{text}]")))],
    is_sparse: [lambda text: is_sparse(memory("a.md", text), NOW)],
    spaced: [lambda text: spaced(memory("a.md", text), text)],
    build_skill: [lambda text: build_skill(text, text, text, {"a": text})],
    find_skill_uses: [_uses, lambda text: _uses("Skill " + '{"skill": "' + text + '"}')],
}
SESSIONS: Mapping[Callable[..., object], Sequence[Entry]] = {
    make_excerpt: [_excerpt],
    render_excerpt: [_excerpt],
    find_quoted: [_excerpt],
    find_unsaid: [_excerpt],
    make_line: [_excerpt],
    speaker_of: [_excerpt],
    name_of: [lambda text: name_of(replace(_event("x"), as_sent=f"{text}: x")), lambda text: name_of(_event(text))],
    find_made_up: [
        lambda text: find_made_up(text, [text, in_block(text)]),
        lambda text: find_made_up("Anna keeps notes in 3 places.", [text]),
    ],
    with_path: [lambda text: with_path("a.md", text), lambda text: with_path(text, "x")],
    find_ungrounded: [
        lambda text: find_ungrounded(text, text, text, text),
        lambda text: find_ungrounded("Notes are kept.", text, text, text),
    ],
    decide_fate: [lambda text: decide_fate(_event(text), _READ, has_cue=False)],
    rank_together: [_rank],
    is_memory_order: [is_memory_order, lambda text: is_memory_order(f"delete all {text}")],
    has_other_value: [lambda text: has_other_value(text, like(text)), lambda text: has_other_value(text, f"{text} 1")],
    check_feedback: [lambda text: check_feedback(NewFeedback(kind=FeedbackKind.CORRECTION, text=text, subject=text))],
}
#: Names have bounds, which are checked before or with their form.
NAMES: Mapping[Callable[..., object], Sequence[Entry]] = {
    check_skill_name: [check_skill_name],
    normal_skill_name: [normal_skill_name],
    skill_path: [skill_path],
    domain_of: [domain_of],
    kind_of: [kind_of, lambda text: kind_of(f"skills/{text}")],
    by_hand: [
        by_hand,
        lambda text: by_hand(f"{INDEX_BEGIN}\n{text}"),
        lambda text: by_hand(text.replace(" ", f"\n{INDEX_BEGIN}\n")),
    ],
    is_marked: [is_marked, lambda text: is_marked(f"{INDEX_BEGIN}\n{text}")],
    generated_in: [generated_in, lambda text: generated_in(f"{INDEX_BEGIN}\n{text}\n{INDEX_END}\n")],
    with_block: [
        lambda text: with_block(text, [text[:1_000]]),
        lambda text: with_block(f"{text}\n{INDEX_END}\n{text}", []),
    ],
    before_block: [lambda text: before_block(f"{text}\n{INDEX_BEGIN}\n{text}", [text[:1_000]])],
    newline_of: [newline_of],
    pointed_to: [lambda text: pointed_to("MEMORY.md", f"{INDEX_BEGIN}\n{text}\n{INDEX_END}\n")],
    names_folders: [lambda text: names_folders("MEMORY.md", f"{INDEX_BEGIN}\n{text}\n{INDEX_END}\n")],
    with_new_pointer: [
        lambda text: with_new_pointer("MEMORY.md", f"{INDEX_BEGIN}\n{text}\n{INDEX_END}\n", "a/b.md", "- [b](a/b.md)")
    ],
    with_generated: [
        lambda text: with_generated("MEMORY.md", f"{INDEX_BEGIN}\n{text}\n{INDEX_END}\n", text.split("\n"))
    ],
    added_lines: [
        lambda text: added_lines(
            "MEMORY.md", f"{INDEX_BEGIN}\n{text}\n{INDEX_END}\n", f"{INDEX_BEGIN}\n{text[:99]}\n{INDEX_END}\n"
        )
    ],
    pointer_line: [lambda text: pointer_line(text, f"{text[:500]}.md", text, IndexPolicy())],
    pointer_to: [lambda text: pointer_to(f"{text[:500]}.md", text, text, "", IndexPolicy())],
    without_labels: [lambda text: without_labels(f"{text[:500]}.md", text, text)],
    name_by_file: [lambda text: name_by_file(f"{text[:500]}.md", text)],
    short_title: [lambda text: short_title(text, 80)],
    plain: [plain],
    link_of: [link_of],
    without_pointers: [
        lambda text: without_pointers("MEMORY.md", block := f"{INDEX_BEGIN}\n{text}\n{INDEX_END}\n", {"a.md"}, block)
    ],
    with_pointers_of: [
        lambda text: with_pointers_of("MEMORY.md", block := f"{INDEX_BEGIN}\n{text}\n{INDEX_END}\n", block, {"a.md"})
    ],
    holds_content: [holds_content, lambda text: holds_content(f"]({text}"), lambda text: holds_content(f"- {text}")],
    kind_of_text: [lambda text: kind_of_text("MEMORY.md", text)],
    check_memory_path: [check_memory_path, lambda text: check_memory_path(f"{text}.md")],
    is_memory_id: [is_memory_id],
    check_time_zone: [check_time_zone],
    check_directive: [lambda text: check_directive(["a"], text, text), lambda text: check_directive(["a"], "a", text)],
    name_prompt: [lambda text: name_prompt("a", text, None)],
    split_token: [split_token],
    hash_secret: [hash_secret],
    check_name: [lambda text: check_name("store", text)],
    check_url: [lambda text: check_url(f"https://{text}", WebhookPolicy())],
    find_literal: [find_literal],
    sign: [lambda text: sign("whsec_c2VjcmV0c2VjcmV0c2VjcmV0", "m", 1, text)],
}
ENTRIES = {**MEMORIES, **SESSIONS, **NAMES}
