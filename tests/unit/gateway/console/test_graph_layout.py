"""A graph is drawn the same way each time, and however many nodes it has, each name can be read."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gateway.console.graph.layout import WIDTH, Drawing, Spot, draw_neighbours, draw_ring

SPOTS = st.lists(
    st.builds(Spot, label=st.text(max_size=80), told=st.text(max_size=5), weight=st.floats(0, 1e6)), max_size=60
)
_LINE_HEIGHT = 14


def _check(drawing: Drawing) -> None:
    assert all(0 < node.x < WIDTH and 0 < node.y < drawing.height for node in drawing.nodes)
    for anchor in ("start", "end"):
        rows = sorted(node.y for node in drawing.nodes if node.anchor == anchor and node.x != WIDTH / 2)
        assert all(below - above >= _LINE_HEIGHT for above, below in pairwise(rows))


@given(SPOTS)
def test_no_name_lies_on_another_in_a_ring(spots: list[Spot]) -> None:
    joined = [(0, len(spots) - 1, 3)] if len(spots) > 1 else []
    drawing = draw_ring(spots, joined)
    _check(drawing)
    assert len(drawing.edges) == len(joined)
    assert drawing == draw_ring(spots, joined)


@given(SPOTS, SPOTS)
def test_no_name_lies_on_another_beside_a_memory(sources: list[Spot], targets: list[Spot]) -> None:
    drawing = draw_neighbours(Spot(label="", told="here"), sources, targets)
    _check(drawing)
    assert len(drawing.edges) == len(sources) + len(targets) == len(drawing.nodes) - 1
