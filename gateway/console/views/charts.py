"""Compute the geometry of charts. The templates draw them as SVG; the style sheet sets the colours."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from gateway.console.views.words import TONES, count
from shared.core.questions.prices import say_cost
from shared.ports.tenants import Day

WIDTH, HEIGHT = 480, 120
_LEFT, _BOTTOM, _TOP = 44, 18, 8
#: The order of the stack, from the bottom of a bar to its top.
_STATES = ("completed", "running", "queued", "partial", "error", "canceled", "undone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar and its tooltip."""

    x: float
    y: float
    width: float
    height: float
    tone: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One chart: bars or a line, the two ends of its scale, and the numbers as a table."""

    title: str
    summary: str
    bars: tuple[Bar, ...] = ()
    line: str = ""
    area: str = ""
    top: str = "0"
    top_y: float = _TOP
    zero_y: float = HEIGHT - _BOTTOM
    left: float = _LEFT
    first: str = ""
    last: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    legend: tuple[tuple[str, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to draw."""
        return not self.bars and not self.line


def dreams_chart(days: Sequence[Day]) -> Chart:
    """Return a chart of dreams by state, with a bar for each day."""
    top = _nice(max((sum(day.dreams.values()) for day in days), default=0))
    seen = [state for state in _STATES if any(state in day.dreams for day in days)]
    bars = []
    for place, day in enumerate(days):
        below = 0
        for state in seen:
            number = day.dreams.get(state, 0)
            if number:
                label = f"{day.day:%d %b}: {number} {state}"
                bars.append(_bar(place, len(days), (below, number), top, (TONES[state], label)))
                below += number
    total = sum(sum(day.dreams.values()) for day in days)
    rows = tuple((f"{day.day}", ", ".join(f"{n} {s}" for s, n in day.dreams.items()) or "none") for day in days)
    legend = tuple((state, TONES[state]) for state in seen)
    return _chart("Dreams by state", count(total, "dream"), days, bars=tuple(bars), top=top, rows=rows, legend=legend)


def tokens_chart(days: Sequence[Day]) -> Chart:
    """Return a chart of tokens and cost, with a bar for each day."""
    top = _nice(max((day.tokens for day in days), default=0))
    said = [f"{day.tokens:,} tokens, {say_cost(day.cost_usd, day.tokens)}" for day in days]
    bars = tuple(
        _bar(place, len(days), (0, day.tokens), top, ("accent", f"{day.day:%d %b}: {said[place]}"))
        for place, day in enumerate(days)
        if day.tokens
    )
    tokens = sum(day.tokens for day in days)
    summary = f"{tokens:,} tokens, {say_cost(sum(day.cost_usd for day in days), tokens)}"
    rows = tuple((f"{day.day}", text) for day, text in zip(days, said, strict=True))
    return _chart("Tokens and cost", summary, days, bars=bars, top=top, rows=rows)


def costs_chart(days: Sequence[Day]) -> Chart:
    """Return a chart of dollars, with a bar for each day; where no price is known, of tokens."""
    if not any(day.cost_usd for day in days):
        return tokens_chart(days)
    unit = _find_unit(max(day.cost_usd for day in days))
    top = _nice(math.ceil(max(day.cost_usd for day in days) / unit))
    said = [f"{say_cost(day.cost_usd, day.tokens)}, {day.tokens:,} tokens" if day.tokens else "nothing" for day in days]
    bars = tuple(
        _bar(place, len(days), (0, day.cost_usd / unit), top, ("accent", f"{day.day:%d %b}: {said[place]}"))
        for place, day in enumerate(days)
        if day.cost_usd
    )
    rows = tuple((f"{day.day}", text) for day, text in zip(days, said, strict=True))
    drawn = _chart("Cost", say_cost(sum(day.cost_usd for day in days), 0), days, bars=bars, top=top, rows=rows)
    return replace(drawn, top=f"${top * unit:g}")


def _find_unit(most: float) -> float:
    """Return the step of a scale of dollars: one, or a thousandth where all are small."""
    return 1.0 if most >= 1 else 0.01 if most >= 0.01 else 0.0001


def memories_chart(days: Sequence[Day]) -> Chart:
    """Return a line chart of the live memories at the end of each day."""
    most = max((day.memories for day in days), default=0)
    rows = tuple((f"{day.day}", f"{day.memories:,}") for day in days)
    summary = count(days[-1].memories if days else 0, "live memory", "live memories")
    if not most:
        return _chart("Memories", summary, days, rows=rows)
    top, step = _nice(most), (WIDTH - _LEFT) / len(days)
    points = [(_LEFT + (place + 0.5) * step, _y(day.memories, top)) for place, day in enumerate(days)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    floor = HEIGHT - _BOTTOM
    area = f"{points[0][0]:.1f},{floor} {line} {points[-1][0]:.1f},{floor}"
    return _chart("Memories", summary, days, line=line, area=area, top=top, rows=rows)


def replay_chart(title: str, dreams: Sequence[datetime], since: datetime, until: datetime) -> Chart:
    """Return a chart of dreams that would have started, with a bar for each 24 hours, named by the day on which they end."""
    one = timedelta(days=1)
    days = [Day(day=(since + (number + 1) * one).date()) for number in range((until - since) // one)]
    starts = Counter(min((at - since) // one, len(days) - 1) for at in dreams)
    top = _nice(max(starts.values(), default=0))
    said = [count(starts[place], "dream") for place in range(len(days))]
    bars = tuple(
        _bar(place, len(days), (0, starts[place]), top, ("accent", f"{day.day:%d %b}: {said[place]}"))
        for place, day in enumerate(days)
        if starts[place]
    )
    rows = tuple((f"{day.day}", text) for day, text in zip(days, said, strict=True))
    return _chart(title, count(len(dreams), "dream"), days, bars=bars, top=top, rows=rows)


def _chart(title: str, summary: str, days: Sequence[Day], *, top: int = 0, **drawn: object) -> Chart:
    first, last = (f"{days[0].day:%d %b}", "today") if days else ("", "")
    return Chart(title=title, summary=summary, first=first, last=last, top=_said(top), **drawn)  # type: ignore[arg-type] # the fields of Chart


def _bar(place: int, places: int, pile: tuple[float, float], top: int, look: tuple[str, str]) -> Bar:
    """Return a bar that starts at `pile[0]` and is `pile[1]` high, in column `place` of `places`."""
    step = (WIDTH - _LEFT) / places
    upper, lower = _y(pile[0] + pile[1], top), _y(pile[0], top)
    width = round(step * 0.72, 1)
    x = round(_LEFT + place * step + step * 0.14, 1)
    return Bar(
        x=x, y=round(upper, 1), width=width, height=round(max(1.0, lower - upper), 1), tone=look[0], label=look[1]
    )


def _y(value: float, top: int) -> float:
    return HEIGHT - _BOTTOM - (HEIGHT - _BOTTOM - _TOP) * value / max(1, top)


def _nice(most: int) -> int:
    """Return the next round number at or above, for the end of a scale."""
    if most <= 5:
        return max(1, most)
    size: int = 10 ** int(math.log10(most))
    return next(step * size // 2 for step in (2, 3, 4, 5, 6, 8, 10, 12, 16, 20) if step * size // 2 >= most)


def _said(value: int) -> str:
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:g}{unit}"
    return str(value)
