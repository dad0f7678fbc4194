"""Grade merges of two memories: whether they are applied, proposed or refused, and whether a statement is lost."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import combinations
from typing import Any

from benchmarks.judgement.material import Family
from benchmarks.judgement.models import MODELS, Model
from shared.adapters.llm.token_estimate import count_tokens_of
from shared.core.dream.operations import Create, OperationKind, Plan, Rewrite
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.merging.calls import Group
from shared.core.merging.loss_cap import LossBudget
from shared.core.policy.policy import Policy
from shared.core.text.markdown import read_sections
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.plan import ConsolidateView, plan_consolidation

_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+")
#: When all memories were written.
NOW = datetime(2026, 11, 1, tzinfo=UTC)
#: The stand-ins whose answers are as long as a model's: whole texts with all of both or of the first, and edits.
_WRITERS = ("merges everything", "keeps the first text", "joins by no edits", "leaves out the second text")
Texts = tuple[tuple[str, str], tuple[str, str]]
#: What stands around a sentence of a pair when it is one of a note.
_NOTE = "# {0}\n\nThe note is from the last review. {1} It was read by the whole team.\n"


def pairs_of(families: Sequence[Family]) -> list[Texts]:
    """Return every two documents of each family."""
    return [pair for family in families for pair in combinations(family.items(), 2)]


def in_frames(pairs: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, list[Texts]]]:
    """Yield pairs of sentences as memories: as plain texts, and each as one sentence of a note."""
    known = list(pairs)
    yield "plain", [(("a/one.md", f"{one['a']}\n"), ("a/two.md", f"{one['b']}\n")) for one in known]
    told = [(_NOTE.format("Review", one["a"]), _NOTE.format("Review", one["b"])) for one in known]
    yield "note", [(("a/one.md", left), ("a/two.md", right)) for left, right in told]


def grade(what: str, pairs: Sequence[Texts], wanted: str) -> list[dict[str, object]]:
    """Return one row for each model."""
    rows = [count_row(what, name, partial(plan_pair, model=model), pairs)[0] for name, model in MODELS.items() if pairs]
    return [row | {"wanted": wanted} for row in rows]


def count_answers(pairs: Sequence[Texts]) -> list[dict[str, object]]:
    """Return how long the answers of each model are that merge these pairs, in tokens of four characters."""
    asked = {name: model for name, model in MODELS.items() if name in _WRITERS}
    lengths = {
        name: sum(count_tokens_of([_write(model(memory_of(*left), memory_of(*right)))]) for left, right in pairs)
        for name, model in asked.items()
    }
    return [{"model": name, "pairs": len(pairs), "tokens": length} for name, length in lengths.items()] if pairs else []


def _write(answer: ConsolidateAnswer) -> str:
    """Return an answer as a model writes it: without the fields that it has nothing to say in."""
    return answer.model_dump_json(by_alias=True, exclude_defaults=True)


def count_row(
    what: str, name: str, plan: Callable[[tuple[Memory, Memory]], Plan], pairs: Sequence[Texts]
) -> tuple[dict[str, object], list[Texts]]:
    """Return the row of one model, which tells what becomes of pairs, and the pairs that are merged."""
    counts: Counter[str] = Counter()
    merged: list[Texts] = []
    for left, right in pairs:
        memories = memory_of(*left), memory_of(*right)
        planned = plan(memories)
        counts[verdict := verdict_of(planned)] += 1
        counts["lost"] += bool(_find_lost(planned, memories))
        merged += [(left, right)] if verdict == "merged" else []
    row = {
        "material": what,
        "model": name,
        "pairs": len(pairs),
        "merged": counts["merged"],
        "proposed": counts["proposed"],
        "apart": counts["apart"],
        "sentence gone": counts["lost"],
    }
    return row, merged


def memory_of(path: str, text: str) -> Memory:
    """Return a text as a memory."""
    return Memory(id=f"mem_{path}", path=path, content=text, created_at=NOW, updated_at=NOW, touched_at=NOW)


def plan_pair(memories: tuple[Memory, Memory], model: Model) -> Plan:
    """Return what a dream would do with two memories, told what a model says about them."""
    group = Group(key="k", domain="a", changed=memories, related=())
    view = ConsolidateView(
        groups=(group,),
        live_paths=frozenset(one.path for one in memories),
        policy=Policy(),
        now=NOW,
        loss=LossBudget(allowed=10),
    )
    return plan_consolidation(view, {"k": model(*memories)})


def verdict_of(plan: Plan) -> str:
    """Tell what becomes of two memories: `apart`, `proposed` or `merged`."""
    merges = [one for one in plan.operations if one.kind is OperationKind.MERGE]
    if not merges:
        return "apart"
    return "proposed" if all(one.propose_only for one in merges) else "merged"


def _find_lost(plan: Plan, memories: Sequence[Memory]) -> list[str]:
    """Return the statements of two memories that an applied merge does not hold in the same words, nor begins one with."""
    applied = [one for one in plan.operations if one.kind is OperationKind.MERGE and not one.propose_only]
    written = [change.content for one in applied for change in one.changes if isinstance(change, Create | Rewrite)]
    if not written:
        return []
    kept = {words for text in written for words in _sentences(text)}
    lost = (words for memory in memories for words in _sentences(memory.content) if words not in kept)
    return [words for words in lost if not any(_begins_with(one, words) for one in kept)]


def _begins_with(statement: str, words: str) -> bool:
    """Tell whether a statement of several sentences begins with these whole ones."""
    rest = statement.removeprefix(words)
    return rest != statement and rest.startswith(" " if words.endswith(("!", "?")) else ". ")


def _squeeze(text: str) -> str:
    """Return a sentence without its marker, its case, its outer space and its stop."""
    return " ".join(_MARKER.sub("", text).lower().split()).rstrip(".")


def _sentences(text: str) -> list[str]:
    sections = read_sections(body_of(text))
    return [_squeeze(unit) for section in sections for block in section.blocks for unit in block.units]
