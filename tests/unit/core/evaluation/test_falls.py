"""Falls of recall: one clear loss is worth an alert, and so are three small ones in a row."""

from shared.core.dream.recall import Recall
from shared.core.evaluation.falls import Fall, decide_fall


def dreamt(before: int, after: int, lost: int | None = None) -> Recall:
    fallen = max(0, before - after)
    return Recall(asked=200, before=before, after=after, lost=fallen if lost is None else lost)


NOTHING = Recall(asked=0, before=0, after=0, lost=0)


def test_a_clear_loss_is_told_at_once() -> None:
    assert decide_fall([dreamt(190, 180)]) is Fall.BEYOND_MARGIN


def test_a_loss_that_is_mostly_made_up_for_is_not() -> None:
    assert decide_fall([dreamt(190, 186, lost=20)]) is None


def test_three_small_losses_in_a_row_are_told() -> None:
    assert decide_fall([dreamt(188, 187), dreamt(189, 188)]) is None
    assert decide_fall([dreamt(187, 186), dreamt(188, 187), dreamt(189, 188)]) is Fall.IN_A_ROW
    assert decide_fall([dreamt(187, 186), dreamt(187, 187), dreamt(189, 188)]) is None


def test_dreams_that_asked_nothing_do_not_break_a_row() -> None:
    assert decide_fall([dreamt(187, 186), NOTHING, dreamt(188, 187), dreamt(189, 188)]) is Fall.IN_A_ROW
    assert decide_fall([NOTHING]) is None
    assert decide_fall([]) is None
