"""The simulated quarter as a picture: three charts over the days, one SVG of shapes and text, no library, no script."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

_WIDTH, _HEIGHT, _GAP = 720, 170, 54
_LEFT, _RIGHT, _TOP = 60, 150, 46
_COLOURS = ("#2563eb", "#d97706", "#059669", "#9333ea")
#: Title, and the columns that one chart shows on one scale.
_CHARTS = (
    ("Memories", ("memories", "archived", "superseded")),
    ("Evidence of the questions so far, among the first ten memories", ("recall", "recall, first weeks")),
    ("MEMORY.md, bytes", ("index bytes",)),
)


def draw(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the picture of these rows, one point a row, `day` along the bottom."""
    height = _TOP + len(_CHARTS) * (_HEIGHT + _GAP)
    charts = "".join(
        _chart(title, names, rows, _TOP + n * (_HEIGHT + _GAP)) for n, (title, names) in enumerate(_CHARTS)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif"'
        f' font-size="12"><rect width="100%" height="100%" fill="#ffffff"/>{charts}</svg>\n'
    )


def _chart(title: str, names: Sequence[str], rows: Sequence[Mapping[str, Any]], top: float) -> str:
    highest = max((float(row[name]) for row in rows for name in names), default=0.0) or 1.0
    last_day = max((row["day"] for row in rows), default=1)
    wide = _WIDTH - _LEFT - _RIGHT
    bottom = top + _HEIGHT
    parts = [f'<text x="{_LEFT}" y="{top - 12:g}" font-weight="bold" fill="#111827">{escape(title)}</text>']
    for share in (0.0, 0.5, 1.0):
        y = bottom - share * _HEIGHT
        parts.append(f'<line x1="{_LEFT}" y1="{y:g}" x2="{_LEFT + wide}" y2="{y:g}" stroke="#e5e7eb"/>')
        parts.append(
            f'<text x="{_LEFT - 6}" y="{y + 4:g}" text-anchor="end" fill="#4b5563">{_said(share * highest)}</text>'
        )
    for row in rows:
        x = _LEFT + wide * row["day"] / last_day
        parts.append(f'<text x="{x:.1f}" y="{bottom + 15:g}" text-anchor="middle" fill="#4b5563">{row["day"]}</text>')
    ends: list[float] = []
    for name, colour in zip(names, _COLOURS, strict=False):
        points = [(_LEFT + wide * row["day"] / last_day, bottom - _HEIGHT * float(row[name]) / highest) for row in rows]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        label = points[-1][1] if points else bottom
        while any(abs(label - other) < 14 for other in ends):
            label -= 14
        ends.append(label)
        parts.append(f'<text x="{_LEFT + wide + 8}" y="{label + 4:.1f}" fill="{colour}">{escape(name)}</text>')
    return "".join(parts)


def _said(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2f}"
