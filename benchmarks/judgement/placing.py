"""Grade where a statement of a session is filed: in the memory that it is about, in another one, or in one of its own.

Each statement of each document of a family is said once in a session. A memory of the family that is about the same subject
is the right place; of siblings that is the statement's own document without the statement, or none when the store lacks it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from benchmarks.judgement.material import Family
from shared.core.dream.operations import Plan, Rewrite
from shared.core.memory.frontmatter import body_of, title_of
from shared.core.memory.model import Memory
from shared.core.policy.policy import GatherPolicy
from shared.core.questions.question import Document, Question
from shared.core.search.bm25 import TextIndex, by_path
from shared.core.sessions.excerpts import Excerpt, ExcerptLine, render_excerpt
from shared.core.sessions.statement_text import statements_of
from shared.core.text.similarity import significant_words
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.gather.groups import find_related
from workers.phases.gather.offline import decide_gathering
from workers.phases.gather.plan import GatherView, plan_gathering

_NOW = datetime(2026, 11, 1, tzinfo=UTC)
_QUERY_WORDS = 60
_MODELS = ("none", "names a sibling", "names the right one")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A statement, the store when it is said, the memories that it may go to, and what was said before."""

    statement: str
    store: Mapping[str, str]
    right: frozenset[str]
    before: str = ""


def grade_placing(siblings: Sequence[Family], duplicates: Sequence[Family]) -> list[dict[str, object]]:
    """Return one row for each kind of family, half of the families, session and model; even families come first."""
    rows: list[dict[str, object]] = []
    for half, name in enumerate(("even families", "odd families")):
        chosen, twice = siblings[half::2], duplicates[half::2]
        cases = {
            "siblings, its own is there": list(_of_siblings(chosen, is_there=True, names=False)),
            "siblings, its own is there and was named": list(_of_siblings(chosen, is_there=True, names=True)),
            "siblings, its own is not there": list(_of_siblings(chosen, is_there=False, names=False)),
            "siblings, its own is not there and was named": list(_of_siblings(chosen, is_there=False, names=True)),
            "siblings, one other is there": list(_of_lone_siblings(chosen, names=False)),
            "siblings, one other is there, its own was named": list(_of_lone_siblings(chosen, names=True)),
            "duplicates": list(_of_duplicates(twice)),
        }
        rows += [_row(what, name, model, found) for what, found in cases.items() if found for model in _MODELS]
    return rows


def _of_siblings(families: Sequence[Family], *, is_there: bool, names: bool) -> Iterator[_Case]:
    for family in families:
        for path, text in family.items():
            before = f"Let us go through {_name_of(path, family)}." if names else ""
            others = {one: told for one, told in family.items() if one != path}
            for statement in statements_of(body_of(text)):
                rest = text.replace(statement, "", 1)
                store = others | ({path: rest} if is_there else {})
                yield _Case(
                    statement=statement, store=store, right=frozenset([path] if is_there else []), before=before
                )


def _of_lone_siblings(families: Sequence[Family], *, names: bool) -> Iterator[_Case]:
    """Return statements of documents that the store lacks, beside one sibling of each family: no near-copy tells it apart."""
    for number, family in enumerate(families):
        others = [*families[:number], *families[number + 1 :]]
        beside = {path: text for one in others for path, text in [*one.items()][:1]}
        for path, text in family.items():
            before = f"Let us go through {_name_of(path, family)}." if names else ""
            sibling = next(one for one in [*family][::-1] if one != path)
            for statement in statements_of(body_of(text)):
                store = beside | {sibling: family[sibling]}
                yield _Case(statement=statement, store=store, right=frozenset(), before=before)


def _name_of(path: str, family: Family) -> str:
    """Return what people call a document: its title, or its path where another one has the same title."""
    title = title_of(path, family[path])
    is_alone = sum(title == title_of(one, text) for one, text in family.items()) == 1
    return title if is_alone else path


def _of_duplicates(families: Sequence[Family]) -> Iterator[_Case]:
    for family in families:
        for path, text in family.items():
            store = {one: told for other in families for one, told in other.items() if one != path}
            for statement in statements_of(body_of(text)):
                yield _Case(statement=statement, store=store, right=frozenset(set(family) - {path}))


def _row(what: str, half: str, model: str, cases: Sequence[_Case]) -> dict[str, object]:
    counts = Counter(verdict for case in cases if (verdict := _place(case, model)))
    names = ("right", "known", "wrong", "proposed", "of its own", "left out")
    return {"statements": what, "part": half, "model": model, "n": counts.total()} | {
        name: counts[name] for name in names
    }


def _place(case: _Case, model: str) -> str:
    """Return what became of a statement, or nothing where the model has no memory to name."""
    lines = [ExcerptLine(position=1, event_id="e1", role="user", at=_NOW, text=case.before)] if case.before else []
    said = f"Remember: {case.statement}"
    lines.append(ExcerptLine(position=2, event_id="e2", role="user", at=_NOW, text=said, is_hit=True))
    excerpt = Excerpt(session_id="sesn_1", lines=tuple(lines), reasons=())
    index = TextIndex(by_path(case.store.items()))
    known = {path: _memory(path, text) for path, text in case.store.items()}

    def find_near(text: str) -> list[str]:
        return [path for path, _ in index.search(significant_words(text, _QUERY_WORDS), GatherPolicy().related_limit)]

    near = find_related(excerpt, find_near, known)
    if model == "names the right one":
        near = list(dict.fromkeys([*near, *sorted(case.right)]))
    existing = [known[path] for path in near]
    if model == "none":
        found = _ask_rules(excerpt, existing)
    else:
        wanted = [path for path in near if (path in case.right) == (model == "names the right one")]
        if not wanted:
            return ""
        found = [_answer(excerpt, case.statement, wanted[0])]
    view = GatherView(
        excerpts=(excerpt,),
        existing=tuple(existing),
        live_paths=frozenset(case.store),
        policy=GatherPolicy(),
        resolve_dates=lambda text, _: text,
        now=_NOW,
    )
    return _verdict(plan_gathering(view, found), case)


def _memory(path: str, text: str) -> Memory:
    return Memory(id=f"mem_{path}", path=path, content=text, created_at=_NOW, updated_at=_NOW, touched_at=_NOW)


def _ask_rules(excerpt: Excerpt, existing: Sequence[Memory]) -> Sequence[GatheredMemory]:
    piece = Document(path=excerpt.path, text=render_excerpt(excerpt), role="session", at=_NOW.date().isoformat())
    known = [Document(path=memory.path, text=memory.content, role="existing") for memory in existing]
    question = Question(
        phase="gather",
        key="k",
        documents=(piece, *known),
        answer_type=GatherAnswer,
        without_model=decide_gathering,
    )
    return decide_gathering(question).memories


def _answer(excerpt: Excerpt, statement: str, target: str) -> GatheredMemory:
    return GatheredMemory(
        kind="fact", window=excerpt.path, quote=statement, statement=statement, target=target, confidence=0.95
    )


def _verdict(plan: Plan, case: _Case) -> str:
    if not plan.operations:
        return "known" if any(skip.code == "known_already" for skip in plan.skips) else "left out"
    [operation, *_] = plan.operations
    [change] = operation.changes
    if not isinstance(change, Rewrite):
        return "of its own"
    if operation.propose_only:
        return "proposed"
    return "right" if change.path in case.right else "wrong"
