"""Compute where the nodes and edges of a graph stand. The same graph always looks the same; the templates draw it as SVG.

Nodes stand in two columns that bulge outwards, each in a row of its own, so that no label ever lies on another.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 900
_LEFT, _RIGHT, _BULGE = 330, 570, 60
_TOP, _ROW = 30, 30
#: What fits beside a node on a wide screen, and on a phone, where the whole drawing is as wide as the screen.
_LABEL_CHARS, _SHORT_CHARS = 40, 17
_SMALLEST, _LARGEST = 4.0, 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A node before it has a place: its name, its note, its address and its size."""

    label: str
    told: str
    address: str = ""
    weight: float = 0.0
    is_dead: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node in its place. `anchor` is where its label ends or begins; `short` is the label on a narrow screen."""

    spot: Spot
    label: str
    short: str
    x: float
    y: float
    radius: float
    label_x: float
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A curve between two nodes."""

    line: str
    width: float
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A whole graph, in a box of `WIDTH` by `height`."""

    height: float
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def draw_ring(spots: Sequence[Spot], joined: Sequence[tuple[int, int, int]]) -> Drawing:
    """Draw nodes around an empty middle through which the edges run.

    Args:
        spots: the nodes; the first half goes down on the right, the second half up on the left.
        joined: (number of the source, number of the target, links), each pair in either order once.
    """
    half = (len(spots) + 1) // 2
    height = 2 * _TOP + max(1, half) * _ROW
    heaviest = max((spot.weight for spot in spots), default=0.0)
    nodes = []
    for number, spot in enumerate(spots):
        is_right = number < half
        rows = half if is_right else len(spots) - half
        row = number if is_right else rows - 1 - (number - half)
        y = height * (row + 1) / (rows + 1)
        out = _BULGE * math.sqrt(max(0.0, 1 - (2 * y / height - 1) ** 2))
        nodes.append(_place(spot, _RIGHT + out if is_right else _LEFT - out, y, heaviest, is_right=is_right))
    middle = WIDTH / 2, height / 2
    edges = [_curve(nodes[source], nodes[target], middle, links) for source, target, links in joined]
    return Drawing(height=height, nodes=tuple(nodes), edges=tuple(edges))


def draw_neighbours(centre: Spot, sources: Sequence[Spot], targets: Sequence[Spot]) -> Drawing:
    """Draw one node in the middle, those that lead to it on the left, and those that it leads to on the right."""
    height = 2 * _TOP + max(2, len(sources), len(targets)) * _ROW
    middle = _place(centre, WIDTH / 2, height / 2, 1.0, is_right=True)
    nodes, edges = [middle], []
    for spots, x, is_right in ((sources, _LEFT - _BULGE, False), (targets, _RIGHT + _BULGE, True)):
        for row, spot in enumerate(spots):
            node = _place(spot, x, height * (row + 1) / (len(spots) + 1), 1.0, is_right=is_right)
            nodes.append(node)
            edges.append(_lead(node, middle) if x < middle.x else _lead(middle, node))
    return Drawing(height=height, nodes=tuple(nodes), edges=tuple(edges))


def _place(spot: Spot, x: float, y: float, heaviest: float, *, is_right: bool) -> Node:
    share = math.sqrt(spot.weight / heaviest) if heaviest > 0 else 0.0
    radius = _SMALLEST + (_LARGEST - _SMALLEST) * share
    gap = radius + 6
    return Node(
        spot=spot,
        label=_cut(spot.label, _LABEL_CHARS),
        short=_cut(spot.label, _SHORT_CHARS),
        x=round(x, 1),
        y=round(y, 1),
        radius=round(radius, 1),
        label_x=round(x + gap if is_right else x - gap, 1),
        anchor="start" if is_right else "end",
    )


def _cut(label: str, most: int) -> str:
    """Return the end of a label, which tells more of a path than its beginning."""
    return label if len(label) <= most else f"…{label[1 - most :]}"


def _curve(source: Node, target: Node, middle: tuple[float, float], links: int) -> Edge:
    """Return a curve that bends towards the middle: those between neighbours stay apart from those across."""
    bend_x, bend_y = (
        (a + b) / 4 + c / 2 for a, b, c in zip((source.x, source.y), (target.x, target.y), middle, strict=True)
    )
    told = f"{source.spot.told}, {target.spot.told}: {links:,} {'link' if links == 1 else 'links'}"
    line = f"M{source.x} {source.y}Q{bend_x:.1f} {bend_y:.1f} {target.x} {target.y}"
    return Edge(line=line, width=round(min(6.0, 1 + math.log2(links) / 2), 1), told=told)


def _lead(source: Node, target: Node) -> Edge:
    end = round(target.x - target.radius - 1, 1)  # the arrow's point stands before the node, which would hide it
    half = (source.x + end) / 2
    line = f"M{source.x} {source.y}C{half:.1f} {source.y} {half:.1f} {target.y} {end} {target.y}"
    return Edge(line=line, width=1.4, told=f"{source.spot.label} leads to {target.spot.label}")
