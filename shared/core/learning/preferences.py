"""Inferred preferences: their paths, their weight, when they are tentative, and which ones need a person."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from shared.core.memory import importance as scoring
from shared.core.memory.model import Author, Signals
from shared.core.sessions.sentiment import Sentiment

#: Category and folder of inferred preferences, and folder of anti-patterns by domain.
INFERRED = "user-preferences/inferred"
ANTI_PATTERNS = "anti-patterns"
#: Importance (0..100) by the user's irritation; lower than that of a preference which the user states on purpose.
_IMPORTANCE = {Sentiment.VERY_IRRITATED: 65.0, Sentiment.MILD: 58.0, Sentiment.CASUAL: 50.0}
#: Subjects that a dream must not decide alone, whatever the model calls them.
IS_SENSITIVE = re.compile(
    r"\b(?:security|securities|secured?|insecure|credential\w*|passw\w*|passphrase\w*|passkey\w*|secret\w*|api[- _]?keys?|private keys?|ssh|tokens?|"
    r"oauth|2fa|mfa|two[- ]factor|login\w*|permission\w*|sudo|encrypt\w*|certificate\w*|firewall\w*|vpn|financ\w*|"
    r"bank\w*|pay\w*|credit cards?|iban|invoice\w*|billing|salar\w*|tax(?:es)?|invest\w*|"
    r"stocks?|crypto\w*|wallet\w*|purchas\w*|buy\w*|spend\w*|money|budget\w*|refund\w*)\b",
    re.IGNORECASE,
)


def is_inferred(path: str, author: Author) -> bool:
    """Tell whether a memory is a preference that a dream inferred and that was not edited since then."""
    return path.startswith(f"{INFERRED}/") and author is Author.DREAM


def is_tentative(path: str, author: Author, signals: Signals) -> bool:
    """Tell whether an inferred preference is still unratified: a recall, a pin or an edit ratifies it."""
    return is_inferred(path, author) and signals.access_count == 0 and not signals.pinned


def merge_signals(sentiment: Sentiment, occurrences: int, latest: datetime, olds: Sequence[Signals]) -> Signals:
    """Return the signals of a new preference, combined with those of the preferences that it replaces."""
    fresh = Signals(importance=_IMPORTANCE[sentiment], reinforcement_count=occurrences, last_seen_at=latest)
    fresh = replace(fresh, maturity=scoring.decide_maturity(fresh.maturity, fresh.importance))
    return scoring.merged([fresh, *olds]) if olds else fresh
