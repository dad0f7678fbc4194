"""Mask a secret, too, where another event of a batch repeats it without the words that tell what it is."""

from dataclasses import replace
from itertools import islice

from shared.core.personal_data.spans import MOST_REPEATED, find_repeats, mask_spans, may_repeat, without_overlaps
from shared.core.policy.masked import find_masked
from shared.core.sessions.model import NewEvent
from shared.services.masking import Mask


class Repeats:
    """Notes what a batch's masks take out, and masks it in all of its events."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}

    def noting(self, mask: Mask) -> Mask:
        """Return a mask that does the same and notes what it takes out."""

        def masked(text: str) -> str:
            kept = mask(text)
            if kept is not text and len(self._kinds) < MOST_REPEATED:
                told = {value: kind for value, kind in find_masked(text, kept).items() if may_repeat(value)}
                self._kinds = dict(islice((self._kinds | told).items(), MOST_REPEATED))
            return kept

        return masked

    def mask(self, event: NewEvent) -> NewEvent:
        """Return an event without what was masked elsewhere in the batch."""
        if not self._kinds:
            return event
        text, as_sent = self._mask(event.text), event.as_sent and self._mask(event.as_sent)
        details = event.details and {
            name: self._mask(one) if isinstance(one, str) else one for name, one in event.details.items()
        }
        if (text, as_sent, details) == (event.text, event.as_sent, event.details):
            return event
        return replace(event, text=text, as_sent=as_sent, details=details, is_masked=True)

    def _mask(self, text: str) -> str:
        return mask_spans(text, without_overlaps(find_repeats(text, self._kinds)))
