"""The irritation in a statement, from its words alone: RockBot's three levels, each with its number of occurrences.

A rule of thumb for the offline model, and the host's check of a model's claim. English only.
"""

import re
from enum import StrEnum

from shared.core.policy.policy import PreferencePolicy
from shared.languages.language_file import every_word, pattern_of


class Sentiment(StrEnum):
    """The tone of a statement. The stronger it is, the fewer repetitions it needs."""

    VERY_IRRITATED = "very_irritated"
    MILD = "mild"
    CASUAL = "casual"

    @property
    def label(self) -> str:
        """Return how a sentence names the tone."""
        return {"very_irritated": "very irritated", "mild": "displeased", "casual": "in passing"}[self.value]


_VERY = pattern_of("irritated", r"<>|!{2,}")
_SHOUTED = re.compile(rf"\b(?:{'|'.join(sorted(every_word('shouted')))})\b".upper().replace("\\B", "\\b"))
_MILD = pattern_of("displeased", "<>|!")
#: Letters in capitals are shouting only where words are written in small ones otherwise.
_CAPITALS = re.compile(r"(?<![A-Z])[A-Z]{3,}+(?:\W++[A-Z]{2,}+){2}")


def decide_sentiment(text: str) -> Sentiment:
    """Return the tone of a sentence."""
    words = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    is_loud = _SHOUTED.search(words) is not None or _CAPITALS.search(words) is not None
    if is_loud or _VERY.search(words) is not None:
        return Sentiment.VERY_IRRITATED
    return Sentiment.MILD if _MILD.search(words) else Sentiment.CASUAL


def needed_occurrences(sentiment: Sentiment, policy: PreferencePolicy) -> int:
    """Return how often a wish in this tone must occur before it counts as a preference."""
    return {
        Sentiment.VERY_IRRITATED: policy.min_very_irritated,
        Sentiment.MILD: policy.min_mild,
        Sentiment.CASUAL: policy.min_casual,
    }[sentiment]


def sentiment_of(claimed: str) -> Sentiment:
    """Return the level that a model names; what is none counts as casual, which needs the most."""
    wanted = claimed.strip().lower().replace(" ", "_").replace("-", "_")
    return next((one for one in Sentiment if one.value == wanted), Sentiment.CASUAL)
