"""Which statements a dream believes: offered window, words that are really there, said by the user, no passing intent."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from shared.core.answers import GatheredMemory
from shared.core.confidence import confidence_of
from shared.core.cues import is_order_to_model, is_question, is_transient
from shared.core.excerpt import Excerpt, find_quoted
from shared.core.gather_home import Said
from shared.core.memory import Memory
from shared.core.operation import Skip
from shared.core.policy import GatherPolicy

_MAX_STATEMENT_CHARS = 2_000
#: What only a person can say: an assistant's own words are no correction, no wish and no preference of the user.
_USERS_OWN = frozenset({"correction", "save", "preference"})
_PEOPLE = frozenset({"user", "log"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherView:
    """What the rules know: the offered windows and memories, and which live paths exist beyond them."""

    excerpts: tuple[Excerpt, ...]
    existing: tuple[Memory, ...]
    live_paths: frozenset[str]
    policy: GatherPolicy
    resolve_dates: Callable[[str, datetime], str]  # text, said at → the text with absolute dates beside relative ones
    now: datetime


def decide_grounded(view: GatherView, item: GatheredMemory) -> Said | Skip:
    """Return a statement with its place in a session, or why it is not believed."""
    name = " ".join(item.statement.split())[:80] or "a statement"
    excerpt = next((one for one in view.excerpts if one.path == item.window), None)
    if excerpt is None:
        return Skip(code="not_offered", detail=f"{name}: the window {item.window[:100]!r} was not offered to the model")
    if not item.statement.strip() or len(item.statement) > _MAX_STATEMENT_CHARS:
        return Skip(code="incomplete_action", detail=f"{name}: needs a statement of sane size")
    line = find_quoted(excerpt, item.quote)
    if line is None:
        return Skip(code="unfounded_quote", detail=f"{name}: the quote does not stand in {excerpt.path}")
    if item.kind in _USERS_OWN and line.role not in _PEOPLE:
        return Skip(code="not_the_users_words", detail=f"{name}: a {item.kind} that the user did not say")
    no_fact = _find_no_fact(item, name)
    if no_fact is not None:
        return no_fact
    return Said(
        item=item,
        statement=view.resolve_dates(" ".join(item.statement.split()), line.at),
        session_id=excerpt.session_id,
        event_id=line.event_id,
        position=line.position,
        at=line.at,
        context="\n".join(f"{line.at.date().isoformat()} {line.text}" for line in excerpt.lines),
        confidence=confidence_of(item.confidence),
    )


def _find_no_fact(item: GatheredMemory, name: str) -> Skip | None:
    """Return why words that were really said are no knowledge, or None."""
    if is_order_to_model(item.quote) or is_order_to_model(item.statement):
        return Skip(code="order", detail="words that command whoever reads the session are no fact")
    if is_question(item.quote) or is_question(item.statement) or item.statement.rstrip().endswith("?"):
        return Skip(code="question", detail=f"{name}: a question is no fact")
    if is_transient(item.quote):
        return Skip(code="transient", detail=f"{name}: what somebody is about to do is no fact")
    return None
