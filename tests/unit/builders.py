"""Builders of core values for tests: a test names only what it is about."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from shared.core.dream.operations import Change, Create, Operation, Plan, Retire, Rewrite
from shared.core.exam.grading import Grade
from shared.core.exam.model import EXAM_DAYS, INSTALLATION, ExaminedModel, ExamResult
from shared.core.memory.doc_type import category_of, type_of
from shared.core.memory.expiry import read_expiry
from shared.core.memory.headline import summary_of, title_of
from shared.core.memory.model import Author, Maturity, Memory, MemoryHead, MemoryState, Signals
from shared.core.merging.calls import Group

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def memory(
    path: str,
    content: str = "",
    *,
    maturity: Maturity = Maturity.DRAFT,
    importance: float = 50.0,
    signals: Signals | None = None,
    author: Author = Author.AGENT,
    untouched_days: float = 0.0,
    version: int = 1,
    state: MemoryState = MemoryState.LIVE,
    dirty: bool = True,
) -> Memory:
    moment = days_ago(untouched_days)
    return Memory(
        id=f"mem_{path}",
        path=path,
        content=content,
        signals=signals or Signals(maturity=maturity, importance=importance),
        author=author,
        version=version,
        state=state,
        created_at=moment,
        updated_at=moment,
        touched_at=moment,
        is_dirty=dirty,
    )


def head_of(whole: Memory) -> MemoryHead:
    return MemoryHead(
        id=whole.id,
        path=whole.path,
        title=title_of(whole.path, whole.content),
        summary=summary_of(whole.content),
        signals=whole.signals,
        version=whole.version,
        author=whole.author,
        doc_type=type_of(whole.content),
        category=category_of(whole.content),
        size_chars=len(whole.content),
        updated_at=whole.updated_at,
        touched_at=whole.touched_at,
        is_dirty=whole.is_dirty,
        expires=read_expiry(whole.content),
        trust=whole.writers.lowest.rank,
    )


def texts_of(memories: Iterable[Memory]) -> dict[str, str]:
    return {one.path: one.content for one in memories}


def by_path(memories: Iterable[Memory]) -> dict[str, Memory]:
    return {one.path: one for one in memories}


def group(*changed: Memory, related: tuple[Memory, ...] = (), key: str = "api#1") -> Group:
    return Group(key=key, domain="api", changed=changed, related=related)


def codes(plan: Plan) -> list[str]:
    return [skip.code for skip in plan.skips]


def created(operation: Operation) -> Create:
    (change,) = (c for c in operation.changes if isinstance(c, Create))
    return change


def rewrites(operation: Operation) -> dict[str, Rewrite]:
    return {c.path: c for c in operation.changes if isinstance(c, Rewrite)}


def retired(operation: Operation) -> dict[str, Retire]:
    return {c.path: c for c in operation.changes if isinstance(c, Retire)}


def paths_of(changes: Iterable[Change]) -> list[str]:
    return [c.path for c in changes if isinstance(c, Create | Rewrite | Retire)]


def an_exam(
    exam_id: str,
    *,
    owner: str = INSTALLATION,
    server: str = "anthropic",
    model: str = "a-model",
    passed: bool = True,
    taken_at: datetime = NOW,
) -> ExamResult:
    """The result of an exam that holds until it expires."""
    return ExamResult(
        id=exam_id,
        examined=ExaminedModel(owner=owner, server=server, model=model),
        fingerprint="0" * 64,
        passed=passed,
        reason="" if passed else "it found 3 of 15 duplicates; 80% are needed",
        grade=Grade(duplicates_asked=15, duplicates_found=15 if passed else 3, apart_asked=51),
        taken_at=taken_at,
        expires_at=taken_at + timedelta(days=EXAM_DAYS),
        tokens=9_000,
        cost_usd=0.01,
    )
