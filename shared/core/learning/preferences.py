"""Inferred preferences: where they lie, when they are tentative, which need a person, what they weigh."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from shared.core.dream.operations import Operation, OperationKind, Plan, Retire, Skip
from shared.core.memory import importance as scoring
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Author, Memory, MemoryState, Signals
from shared.core.merging.loss_cap import LossBudget
from shared.core.sessions.sentiment import Sentiment

#: Category and folder of inferred preferences; of what went wrong by domain.
INFERRED = "user-preferences/inferred"
ANTI_PATTERNS = "anti-patterns"
_STUB_CHARS = 320
#: On importance 0..100: the more irritated, the more it matters. Below what a user says on purpose.
_IMPORTANCE = {Sentiment.VERY_IRRITATED: 65.0, Sentiment.MILD: 58.0, Sentiment.CASUAL: 50.0}
#: What a dream must not decide alone, whatever the model calls it.
IS_SENSITIVE = re.compile(
    r"\b(?:security|securities|secured?|insecure|credential\w*|passw\w*|passphrase\w*|passkey\w*|secret\w*|api[- _]?keys?|private keys?|ssh|tokens?|"
    r"oauth|2fa|mfa|two[- ]factor|login\w*|permission\w*|sudo|encrypt\w*|certificate\w*|firewall\w*|vpn|financ\w*|"
    r"bank\w*|pay\w*|credit cards?|iban|invoice\w*|billing|salar\w*|tax(?:es)?|invest\w*|"
    r"stocks?|crypto\w*|wallet\w*|purchas\w*|buy\w*|spend\w*|money|budget\w*|refund\w*)\b",
    re.IGNORECASE,
)


def is_inferred(path: str, author: Author) -> bool:
    """Tell whether a memory is a preference that a dream inferred and nobody has edited since."""
    return path.startswith(f"{INFERRED}/") and author is Author.DREAM


def is_tentative(path: str, author: Author, signals: Signals) -> bool:
    """Tell whether an inferred preference still waits to be recalled once; a recall, a pin or an edit ratifies it."""
    return is_inferred(path, author) and signals.access_count == 0 and not signals.pinned


def merge_signals(sentiment: Sentiment, occurrences: int, latest: datetime, olds: Sequence[Signals]) -> Signals:
    """Return the signals of a new preference, on top of those of the ones that it replaces."""
    fresh = Signals(importance=_IMPORTANCE[sentiment], reinforcement_count=occurrences, last_seen_at=latest)
    fresh = replace(fresh, maturity=scoring.decide_maturity(fresh.maturity, fresh.importance))
    return scoring.merged([fresh, *olds]) if olds else fresh


def plan_unratified(waiting: Sequence[Memory], *, days: float, now: datetime, loss: LossBudget) -> Plan:
    """Archive tentative preferences that nobody has recalled in so many days; the loss cap holds here, too."""
    operations: list[Operation] = []
    skips: list[Skip] = []
    left: LossBudget | None = loss
    for memory in sorted(waiting, key=lambda one: (one.created_at, one.path)):
        age = now - memory.created_at
        if not is_tentative(memory.path, memory.author, memory.signals) or age < timedelta(days=days):
            continue
        after = left.take(1) if left is not None else None
        if after is None:
            skips.append(Skip(code="loss_cap", detail=f"{memory.path}: this dream has retired enough"))
            continue
        left = after
        stub = " ".join(body_of(memory.content).replace("#", " ").split())[:_STUB_CHARS]
        change = Retire(
            memory_id=memory.id, version=memory.version, path=memory.path, state=MemoryState.ARCHIVED, stub=stub
        )
        reason = f"unratified: inferred {age.days} days ago and never recalled (limit {days:g} days)"
        operations.append(
            Operation(kind=OperationKind.UNRATIFY, phase="infer_preferences", reason=reason, changes=(change,))
        )
    return Plan(operations=tuple(operations), skips=tuple(skips))
