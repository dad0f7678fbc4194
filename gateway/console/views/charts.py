"""Say what charts show: series of numbers by day, the end of their scale, and the same as sentences of a table.

The browser draws them with uPlot (static/charts.js); the style sheet sets the colours.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from gateway.console.views.words import TONES, count
from shared.core.questions.prices import say_cost
from shared.ports.tenants import Day

#: The order of the stack, from the bottom of a bar to its top.
_STATES = ("completed", "running", "queued", "partial", "error", "canceled", "undone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A number for each day, drawn in one colour. Series of bars stand on top of each other, the first at the bottom."""

    name: str
    tone: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One chart: bars or a line, the end of its scale, and the numbers as a table."""

    title: str
    summary: str
    shape: str = "bars"
    series: tuple[Series, ...] = ()
    top: float = 0
    top_label: str = "0"
    rows: tuple[tuple[str, str], ...] = ()
    days: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to draw."""
        return not any(any(series.values) for series in self.series)

    @property
    def legend(self) -> tuple[tuple[str, str], ...]:
        """Return the name and the tone of each series, where there can be several."""
        return tuple((series.name, series.tone) for series in self.series if series.name)

    @property
    def drawn(self) -> dict[str, object]:
        """Return what the script in the browser draws."""
        return {
            "shape": self.shape,
            "days": self.days,
            "said": [text for _, text in self.rows],
            "top": self.top,
            "topLabel": self.top_label,
            "series": [{"tone": series.tone, "values": series.values} for series in self.series],
        }


def dreams_chart(days: Sequence[Day]) -> Chart:
    """Return a chart of dreams by state, with a bar for each day."""
    seen = [state for state in _STATES if any(state in day.dreams for day in days)]
    series = tuple(
        Series(name=state, tone=TONES[state], values=tuple(day.dreams.get(state, 0) for day in days)) for state in seen
    )
    totals = [sum(day.dreams.values()) for day in days]
    said = [", ".join(f"{number} {state}" for state, number in day.dreams.items()) or "none" for day in days]
    return _chart("Dreams by state", count(sum(totals), "dream"), days, said, series, top=_nice(max(totals, default=0)))


def tokens_chart(days: Sequence[Day]) -> Chart:
    """Return a chart of tokens and cost, with a bar for each day."""
    said = [f"{day.tokens:,} tokens, {say_cost(day.cost_usd, day.tokens)}" for day in days]
    tokens = sum(day.tokens for day in days)
    summary = f"{tokens:,} tokens, {say_cost(sum(day.cost_usd for day in days), tokens)}"
    top = _nice(max((day.tokens for day in days), default=0))
    return _chart("Tokens and cost", summary, days, said, (_one(day.tokens for day in days),), top=top)


def costs_chart(days: Sequence[Day]) -> Chart:
    """Return a chart of dollars, with a bar for each day; where no price is known, of tokens."""
    if not any(day.cost_usd for day in days):
        return tokens_chart(days)
    unit = _find_unit(max(day.cost_usd for day in days))
    top = _nice(math.ceil(max(day.cost_usd for day in days) / unit)) * unit
    said = [f"{say_cost(day.cost_usd, day.tokens)}, {day.tokens:,} tokens" if day.tokens else "nothing" for day in days]
    summary = say_cost(sum(day.cost_usd for day in days), 0)
    drawn = _chart("Cost", summary, days, said, (_one(day.cost_usd for day in days),), top=top)
    return replace(drawn, top_label=f"${top:g}")


def _find_unit(most: float) -> float:
    """Return the step of a scale of dollars: one, or a thousandth where all are small."""
    return 1.0 if most >= 1 else 0.01 if most >= 0.01 else 0.0001


def memories_chart(days: Sequence[Day]) -> Chart:
    """Return a line chart of the live memories at the end of each day."""
    top = _nice(max((day.memories for day in days), default=0))
    said = [f"{day.memories:,}" for day in days]
    summary = count(days[-1].memories if days else 0, "live memory", "live memories")
    drawn = _chart("Memories", summary, days, said, (_one(day.memories for day in days),), top=top)
    return replace(drawn, shape="line")


def replay_chart(title: str, dreams: Sequence[datetime], since: datetime, until: datetime) -> Chart:
    """Return a chart of dreams that would have started, with a bar for each 24 hours, named by the day on which they end."""
    one = timedelta(days=1)
    days = [Day(day=(since + (number + 1) * one).date()) for number in range((until - since) // one)]
    starts = Counter(min((at - since) // one, len(days) - 1) for at in dreams)
    numbers = [starts[place] for place in range(len(days))]
    said = [count(number, "dream") for number in numbers]
    return _chart(title, count(len(dreams), "dream"), days, said, (_one(numbers),), top=_nice(max(numbers, default=0)))


def _one(values: Iterable[float]) -> Series:
    """Return the only series of a chart, which needs no legend."""
    return Series(name="", tone="accent", values=tuple(values))


def _chart(
    title: str, summary: str, days: Sequence[Day], said: Sequence[str], series: tuple[Series, ...], *, top: float
) -> Chart:
    return Chart(
        title=title,
        summary=summary,
        series=series,
        top=top,
        top_label=_shorten(top),
        rows=tuple((f"{day.day}", text) for day, text in zip(days, said, strict=True)),
        days=tuple(f"{day.day:%d %b}" for day in days),
    )


def _nice(most: int) -> int:
    """Return the next round number at or above, for the end of a scale."""
    if most <= 5:
        return max(1, most)
    size: int = 10 ** int(math.log10(most))
    return next(step * size // 2 for step in (2, 3, 4, 5, 6, 8, 10, 12, 16, 20) if step * size // 2 >= most)


def _shorten(value: float) -> str:
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"
