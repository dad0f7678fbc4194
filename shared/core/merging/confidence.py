"""The confidence of a model, or of the rules that stand in for one: a number within 0..1, or none at all."""

import math


def confidence_of(value: float | None) -> float | None:
    """Return a confidence within 0..1, or None for an absent or wild one."""
    if value is None or not math.isfinite(value) or not 0.0 <= value <= 1.0:
        return None
    return value


def needs_look(value: float | None, below: float) -> bool:
    """Tell whether a person should look: below the threshold; an absent confidence counts as 0."""
    return (confidence_of(value) or 0.0) < below


def find_doubt(value: float | None, below: float) -> str | None:
    """Return why an action waits for a person: its model, or the rules, called it unsure. One without a number claims nothing."""
    sure = confidence_of(value)
    return "not certain enough to apply without a review" if sure is not None and sure < below else None


#: What a model asks for with less, and safety refuses, is left out; all else that is refused is shown to a person.
SURE = 0.7
#: With less a model says itself that it rather does not think so, and no second reader is asked.
LEAST_SURE = 0.5


def is_unsure(value: float | None) -> bool:
    """Tell whether a model said itself that it is not sure; one that gives no confidence has not."""
    found = confidence_of(value)
    return found is not None and found < SURE
