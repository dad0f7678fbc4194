"""The index phase's plan: `MEMORY.md` and each domain's `_index.md`, changed only when their text would differ.

What a person wrote in them stays: slowwave writes between two marker lines of `MEMORY.md`, retargets pointers whose
memory was merged, drops list lines that lead nowhere, and leaves a domain index alone that it did not generate.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from shared.core.frontmatter import build_frontmatter, read_fields
from shared.core.index_text import BEGIN, END, Budget, index_block, link_of
from shared.core.memory import (
    DOMAIN_INDEX,
    ROOT_INDEX,
    Maturity,
    Memory,
    MemoryHead,
    MemoryKind,
    Signals,
    domain_of,
    is_ordinary_domain,
    kind_of,
)
from shared.core.operation import Create, Operation, OperationKind, Plan, Rewrite, Skip
from shared.core.policy import IndexPolicy

PHASE = "index"
GENERATED_BY = "slowwave"
_LINK = re.compile(r"\]\(([^)\s]+\.md)\)")
#: One generated block, or a marker that stands alone.
_MARKED = re.compile(
    rf"{re.escape(BEGIN)}(?:(?!{re.escape(BEGIN)}).)*?{re.escape(END)}|{re.escape(BEGIN)}|{re.escape(END)}", re.DOTALL
)
_ITEM = re.compile(r"^\s*[-*+]\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexView:
    """What the index is made from: live memories, the index files as they are, and where merged memories went."""

    heads: tuple[MemoryHead, ...]
    indexes: dict[str, Memory]
    moved: dict[str, str]  # path of a superseded memory -> path of the live one that holds its text
    policy: IndexPolicy


def plan_index(view: IndexView) -> Plan:
    """Return at most one INDEX operation, or why there is none."""
    topics = [head for head in view.heads if kind_of(head.path) is MemoryKind.TOPIC]
    wanted: dict[str, str] = {}
    for domain in sorted({domain_of(head.path) for head in topics}):
        text = _domain_text(view, topics, domain) if is_ordinary_domain(domain) else None
        if text is not None:
            wanted[f"{domain}/{DOMAIN_INDEX}"] = text
    root, skips = _root_text(view, topics)
    wanted[ROOT_INDEX] = root
    changes = tuple(
        _write(view.indexes.get(path), path, text)
        for path, text in wanted.items()
        if path not in view.indexes or view.indexes[path].content != text
    )
    if not changes:
        return Plan(skips=(*skips, Skip(code="index_current", detail="the index is up to date")))
    names = ", ".join(change.path for change in changes[:4]) + (" …" if len(changes) > 4 else "")
    operation = Operation(kind=OperationKind.INDEX, phase=PHASE, reason=f"Rebuilt {names}", changes=changes)
    return Plan(operations=(operation,), skips=tuple(skips))


def _write(existing: Memory | None, path: str, text: str) -> Create | Rewrite:
    if existing is None:
        return Create(path=path, content=text, signals=Signals(maturity=Maturity.VALIDATED))
    return Rewrite(memory_id=existing.id, version=existing.version, path=path, content=text, signals=existing.signals)


def _domain_text(view: IndexView, topics: Sequence[MemoryHead], domain: str) -> str | None:
    """Return a domain's index, or None when somebody else's stands there."""
    existing = view.indexes.get(f"{domain}/{DOMAIN_INDEX}")
    if existing is not None and read_fields(existing.content).get("generated_by") != GENERATED_BY:
        return None
    inside = [head for head in topics if domain_of(head.path) == domain]
    fields = {"type": "summary", "title": domain, "generated_by": GENERATED_BY}
    head_lines = [f"# {domain}", ""]
    frame = build_frontmatter(fields, "\n".join([*head_lines, ""]))
    used = Budget(lines=frame.count("\n"), bytes=len(frame.encode()))
    budget = Budget(lines=view.policy.max_lines - used.lines, bytes=view.policy.max_bytes - used.bytes)
    block = index_block(inside, f"{domain}/", budget, view.policy)
    return frame + "".join(f"{line}\n" for line in block)


def _root_text(view: IndexView, topics: Sequence[MemoryHead]) -> tuple[str, list[Skip]]:
    existing = view.indexes.get(ROOT_INDEX)
    by_hand, skips = _mended(view, _by_hand(existing.content if existing else ""))
    linked = {unquote(target) for target in _LINK.findall(by_hand)}
    missing = [head for head in topics if head.path not in linked]
    if not by_hand.strip():
        by_hand = "# Memory\n"
    used = by_hand.encode()
    budget = Budget(
        lines=view.policy.max_lines - by_hand.count("\n") - 4,
        bytes=view.policy.max_bytes - len(used) - len(BEGIN) - len(END) - 8,
    )
    if budget.lines < 0 or budget.bytes < 0:
        skips.append(Skip(code="index_over_budget", detail=f"{ROOT_INDEX}: what was written by hand fills the budget"))
        return by_hand, skips
    block = index_block(missing, "", budget, view.policy) if missing else []
    if not block:
        return by_hand, skips
    return "\n".join([by_hand.rstrip("\n"), "", BEGIN, *block, END]) + "\n", skips


def _by_hand(text: str) -> str:
    """Return an index without the block that slowwave generates."""
    if BEGIN not in text and END not in text:
        return text
    # A marker without its twin is left over from somebody's edit: it goes, and what stands around it stays.
    before, *after = re.split(_MARKED, text)
    parts = [before.rstrip("\n"), *(part.strip("\n") for part in after)]
    kept = "\n\n".join(part for part in parts if part)
    return f"{kept}\n" if kept else ""


def _mended(view: IndexView, text: str) -> tuple[str, list[Skip]]:
    """Retarget pointers to merged memories; drop list lines whose only pointer leads nowhere."""
    live = {head.path for head in view.heads}
    lines, skips = [], []
    for line in text.split("\n"):
        mended = _LINK.sub(lambda found: _retargeted(found, live, view.moved), line)
        targets = [unquote(target) for target in _LINK.findall(mended)]
        dead = [target for target in targets if target not in live and target in view.moved]
        if targets and dead == targets and _ITEM.match(mended):
            skips.append(Skip(code="dangling_pointer", detail=f"{ROOT_INDEX}: dropped the pointer to {dead[0]}"))
            continue
        lines.append(mended)
    return "\n".join(lines), skips


def _retargeted(found: re.Match[str], live: set[str], moved: Mapping[str, str]) -> str:
    target = unquote(found.group(1))
    successor = moved.get(target, "")
    if target in live or not successor:
        return found.group(0)
    return f"]({link_of(successor)})"
