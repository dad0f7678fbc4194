"""Consolidate without a model: merge equal statements, date what a file name dates, and leave the rest."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from shared.core.dates.rewrite import rewrite_spoken
from shared.core.memory.doc_type import DREAMT, type_of
from shared.core.memory.frontmatter import split_frontmatter
from shared.core.merging.calls import Part
from shared.core.merging.specifics import find_missing_specifics
from shared.core.questions.question import Question
from workers.offline.join_texts import merge_bodies
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.consolidate.offered import Offered, read_offered
from workers.phases.consolidate.offline_pairs import Pair, find_pairs
from workers.phases.consolidate.stand_ins import stands_for_another

#: Of a document: which stamps tell when its parts were written.
DATED_ENTRIES = "the nearest stamp, heading or file name with a date tells the day on which an entry was written"
MAX_CLUSTER = 4
#: A line of a table of contents, and the number of lines that make one.
_LINK_LINE = re.compile(r"[-*+] +(?:\[[^\[\]]{1,200}\]\([^()\s]{1,300}\)|\[\[[^\[\]]{1,200}\]\])")
_FEWEST_LISTED = 2
#: Of a merged text, this many lines, or this share of the longest source, may stand in it twice: a person sees it at a glance.
_FEW_LINES, _MOST_SAID_TWICE = 10, 0.25
_MARKS = re.compile(r"^[\W\d_]+")
TEMPORAL_CONFIDENCE = 0.9


def decide_consolidation(question: Question) -> ConsolidateAnswer:
    """Return the rules' verdict on the changed documents; each of them is named by at least one action."""
    offered = read_offered(question)
    pairs = find_pairs(offered)
    merges = list(filter(None, (_decide_merge(cluster, pairs) for cluster in _find_clusters(pairs))))
    merged = {path for merge in merges for path in merge.files}
    rest = [_decide_rest(one) for one in offered if one.is_changed and one.path not in merged]
    return ConsolidateAnswer(actions=(*merges, *rest))


def decide_parts(parts: Sequence[Part], question: Question) -> ConsolidateAnswer:
    """Return the rules' verdict on a question that several domains share: on each by itself, as if it were asked alone."""
    documents = {document.path: document for document in question.documents}
    actions: list[ConsolidateAction] = []
    for part in parts:
        roles = {**dict.fromkeys(part.related, "related"), **dict.fromkeys(part.changed, "changed")}
        shown = tuple(replace(documents[path], role=role) for path, role in roles.items() if path in documents)
        actions += decide_consolidation(replace(question, documents=shown)).actions
    return ConsolidateAnswer(actions=tuple(actions))


def _find_clusters(pairs: Sequence[Pair]) -> list[list[Offered]]:
    """Return groups of 2 to 4 documents in which every two say the same, the most alike first.

    What only seems to be the same is grouped last, by itself: a merge that is sure does not wait for a person.
    """
    sure = _group([pair for pair in pairs if _may_merge(pair)])
    taken = {one.path for cluster in sure for one in cluster}
    left = [pair for pair in pairs if not {pair.left.path, pair.right.path} & taken]
    return sure + _group([pair for pair in left if _is_said_otherwise(pair)])


def _group(pairs: Sequence[Pair]) -> list[list[Offered]]:
    """Return groups in which every two documents are one of these pairs."""
    same = {frozenset((pair.left.path, pair.right.path)) for pair in pairs}
    clusters: list[list[Offered]] = []
    home: dict[str, list[Offered]] = {}
    for pair in pairs:
        left, right = home.get(pair.left.path), home.get(pair.right.path)
        if left is None and right is None:
            cluster = [pair.left, pair.right]
            clusters.append(cluster)
            home[pair.left.path] = home[pair.right.path] = cluster
        elif left is None or right is None:
            cluster, newcomer = (left, pair.right) if left is not None else (right or [], pair.left)
            fits = all(frozenset((newcomer.path, one.path)) in same for one in cluster)
            if fits and len(cluster) < MAX_CLUSTER:
                cluster.append(newcomer)
                home[newcomer.path] = cluster
    return clusters


def _are_texts(pair: Pair) -> bool:
    """Tell whether both have a text of their own: not written by a dream, no list of others, no other name of one."""
    if DREAMT & {type_of(pair.left.document.text), type_of(pair.right.document.text)}:
        return False
    if _lists_others(pair.left.body) or _lists_others(pair.right.body):
        return False
    if any(stands_for_another(one.document.text) for one in (pair.left, pair.right)):
        return False
    return bool(pair.left.body.strip() and pair.right.body.strip())


def _lists_others(body: str) -> bool:
    """Tell whether at least half of a text's lines are links to other files: a table of contents."""
    lines = [line for line in map(str.strip, body.splitlines()) if line and not line.startswith("#")]
    links = sum(_LINK_LINE.match(line) is not None for line in lines)
    return links >= _FEWEST_LISTED and 2 * links >= len(lines)


def _is_said_otherwise(pair: Pair) -> bool:
    return _are_texts(pair) and pair.is_said_otherwise


def _may_merge(pair: Pair) -> bool:
    return _are_texts(pair) and pair.is_duplicate


def _decide_merge(cluster: Sequence[Offered], pairs: Sequence[Pair]) -> ConsolidateAction | None:
    paths = {one.path for one in cluster}
    ordered = sorted(
        cluster,
        key=lambda one: (
            not one.document.is_core,
            _is_copy(one.path),
            -len(one.words),
            one.document.at,
            one.path,
        ),
    )
    target, *others = ordered
    texts = [one.document.text for one in ordered]
    merged = merge_bodies(_date_body(target), [_date_body(one) for one in others])
    merged = merge_bodies(split_frontmatter(target.document.text).raw + merged, texts)
    if find_missing_specifics(merged, texts) or _says_twice(merged, texts):
        return None
    inner = [pair for pair in pairs if {pair.left.path, pair.right.path} <= paths]
    return ConsolidateAction(
        type="MERGE",
        files=tuple(one.path for one in ordered),
        reason=_reason_for_merge(ordered, inner),
        confidence=round(min(pair.likeness for pair in inner), 2),
        output_file=target.path,
        merged_content=merged,
        doubt=_doubt(inner),
    )


def _says_twice(merged: str, texts: Sequence[str]) -> bool:
    """Tell whether much of a merged text stands in it twice, because its sources lay out the same in two ways."""
    known = [Counter(_bare_lines(text)) for text in texts]
    told = Counter(_bare_lines(merged))
    again = sum(max(0, count - max(1, *(one[line] for one in known))) for line, count in told.items())
    return again > max(_FEW_LINES, _MOST_SAID_TWICE * max(one.total() for one in known))


def _bare_lines(text: str) -> list[str]:
    """Return the lines of a text without what marks and indents them."""
    lines = (_MARKS.sub("", line).strip().lower() for line in text.splitlines())
    return [line for line in lines if line]


def _doubt(inner: Sequence[Pair]) -> str:
    """Return why a person has to decide on a merge: rules alone know neither whether the subject is one nor other words."""
    for pair in inner:
        names = f"{pair.left.path} and {pair.right.path}"
        if not pair.subject.is_same:
            return f"without a model it is not known whether {names} are about one subject: {pair.subject.reason}"
        if not _may_merge(pair):
            return f"without a model it is not known whether {names} say the same in other words"
        if pair.subject.named_apart:
            return f"{names} may be about two subjects: {pair.subject.named_apart}"
    return ""


def _is_copy(path: str) -> bool:
    """Tell whether a file's name calls itself an old or second one: no home for what both say."""
    return re.search(r"(?:^|[-_. ])(?:old|copy|backup|bak|tmp|temp|draft|v?\d)\.\w+$", path.lower()) is not None


def _reason_for_merge(ordered: Sequence[Offered], inner: Sequence[Pair]) -> str:
    names = [one.path for one in ordered]
    listed = ", ".join(names[:-1]) + f" and {names[-1]}"
    if len({one.title.casefold() for one in ordered}) == 1:
        return f"Merge {listed} — each is called {ordered[0].title}"
    return f"Merge {listed} — {min(pair.likeness for pair in inner):.0%} alike"


def _decide_rest(one: Offered) -> ConsolidateAction:
    """Return what becomes of a document that is not merged: its relative dates get their day, or it is left alone."""
    updated = _date_body(one)
    if updated == one.body:
        reason = "the rules without a model see nothing in it to merge or date"
        return ConsolidateAction(type="SKIP", files=(one.path,), reason=reason)
    return ConsolidateAction(
        type="TEMPORAL_UPDATE",
        files=(one.path,),
        reason=f"Date relative words in {one.path} — its name tells the day on which it was written",
        confidence=TEMPORAL_CONFIDENCE,
        updated_content=updated,
    )


def _date_body(one: Offered) -> str:
    """Return the body with its plain relative dates made absolute, if an agent's file is named by its day and no dream wrote it last."""
    return rewrite_spoken(one.path, one.body) if one.document.at else one.body
