"""The irritation in a statement, from its words alone: RockBot's three levels, each with its number of occurrences.

A rule of thumb for the offline model, and the host's check of a model's claim. English only.
"""

import re
from enum import StrEnum

from shared.core.policy.policy import PreferencePolicy


class Sentiment(StrEnum):
    """The tone of a statement. The stronger it is, the fewer repetitions it needs."""

    VERY_IRRITATED = "very_irritated"
    MILD = "mild"
    CASUAL = "casual"

    @property
    def label(self) -> str:
        """Return how a sentence names the tone."""
        return {"very_irritated": "very irritated", "mild": "displeased", "casual": "in passing"}[self.value]


_VERY = re.compile(
    r"\b(?:for the (?:last|hundredth|umpteenth|third|fourth|fifth|nth) time|how many times|sick of|fed up|"
    r"(?:i(?:'ve| have)? )?(?:already |just )?told you|i said|i keep (?:telling|saying|asking)|again and again|"
    r"never ever|stop (?:doing|adding|writing|using|making|asking|it)|wtf|damn|hell|stupid|ridiculous|unacceptable|"
    r"terrible|horrible|furious|hate)\b|!{2,}",
    re.IGNORECASE,
)
_SHOUTED = re.compile(r"\b(?:NEVER|ALWAYS|STOP|DON'T|NOT|MUST|AGAIN)\b")
_MILD = re.compile(
    r"\b(?:again|annoying|please (?:don't|do not|stop)|still (?:not|wrong)|not what i|as i (?:said|mentioned)|"
    r"i (?:asked|mentioned|wanted)|once more|another time|instead of|rather than|wrong|keeps|seriously|ugh|argh|"
    r"disappoint\w*|frustrat\w*)\b|!",
    re.IGNORECASE,
)
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
