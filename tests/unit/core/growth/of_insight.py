"""Call what tells an owner of a week, each with one hostile text."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime

from shared.core.dream.effects import Effect
from shared.core.dream.operations import OperationKind
from shared.core.insight.digest import list_facts, render_week
from shared.core.insight.lessons import find_lesson, find_taken
from shared.core.insight.model import Judged, Lesson, NewMemories, Recalls, Spent, Week
from shared.core.webhooks.insight_message import build_weekly_message
from tests.support.builders import a_memory
from tests.unit.core.growth.dressed import Entry, half


def a_week(text: str) -> Week:
    """Return a week that says so."""
    lesson = Lesson(operation_id="op_1", kind=OperationKind.GATHER, store="s", path="a.md", text=text, instead_of=text)
    return Week(
        monday=date(2026, 11, 23), time_zone="UTC", today=date(2026, 11, 23), store="s", new=NewMemories(), newest=(), lessons=(lesson,), deeds={}, judged=Judged(),
        spent=Spent(), recall=(), evaluated=None, to_review={}, quarantined=(), recalls=Recalls(live=0, never=0, most=()),
    )  # fmt: skip


def _told(text: str) -> object:
    effect = Effect(before=a_memory(content=half(text)), after=a_memory(content=text))
    return find_lesson(OperationKind.CORRECT, [effect])


def _taken(text: str) -> object:
    brought = Effect(before=None, after=a_memory(content=text))
    return find_taken([brought], [Effect(before=brought.after, after=a_memory(content=half(text)))])


ENTRIES: Mapping[Callable[..., object], Sequence[Entry]] = {
    list_facts: [lambda text: list_facts(a_week(text), text)],
    build_weekly_message: [lambda text: build_weekly_message(text, a_week(text), datetime(2026, 11, 30, tzinfo=UTC))],
    render_week: [lambda text: render_week(a_week(text), text)],
    find_lesson: [_told],
    find_taken: [_taken],
}
