"""Corrections that agents and people noted: each is asked about like a piece of a session, and always leads to an operation.

A correction may name the memory that is wrong, by path or id. It is then shown with that memory, and goes into it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.core.filing.belonging import Candidate, read_candidate
from shared.core.learning.feedback import Feedback, FeedbackKind
from shared.core.memory.model import Memory
from shared.core.questions.question import Document
from shared.core.sessions.excerpts import Excerpt, ExcerptLine, cut_around, render_excerpt
from workers.phase.shape import PhaseContext
from workers.phases.gather.answer import GatheredMemory
from workers.phases.gather.offline import decide_noted
from workers.phases.gather.placement import ABOUT, IS_NOTED, NOTED, GroundedStatement
from workers.phases.gather.plan import GatherView, decide_grounded

#: One dream reads at most this many, the newest ones; the rest wait for the next dream.
_MAX_NOTED = 50
_CHARS = 2_000
_CORRECTING = (FeedbackKind.CORRECTION, FeedbackKind.THUMBS_DOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedCorrection:
    """A correction as a piece to ask about, and the path of the live memory that it names, or empty."""

    excerpt: Excerpt
    about: str

    @property
    def text(self) -> str:
        """Return what was noted."""
        return self.excerpt.lines[0].text


def find_corrections(context: PhaseContext) -> list[Feedback]:
    """Return the corrections that no dream has used, oldest first; a thumbs-down that says why is one."""
    repository = context.uow.feedback(context.store.id)
    return repository.find(limit=_MAX_NOTED, kinds=_CORRECTING, only_unused=True, with_words=True)[::-1]


def choose_noted(
    corrections: Sequence[Feedback], topics: Sequence[Memory], find_near: Callable[[str], Sequence[str]]
) -> list[NotedCorrection]:
    """Return the corrections that name a memory or take one back, as pieces to ask about.

    This phase ignores the others: the phase of preferences reads them.

    Args:
        corrections: the noted ones.
        topics: the live memories.
        find_near: returns the paths of the memories that a text is closest to.
    """
    paths = {name: memory.path for memory in topics for name in (memory.id, memory.path)}
    known = {memory.path: memory for memory in topics}
    made = [_make_noted(one, paths.get(one.subject, "")) for one in corrections]
    return [one for one in made if one.about or _finds_one(one, [known[path] for path in find_near(one.text)])]


def _finds_one(one: NotedCorrection, near: Sequence[Memory]) -> bool:
    return any(item.target is not None for item in decide_noted(_piece_of(one.excerpt), _places_of(near)))


def _make_noted(one: Feedback, about: str) -> NotedCorrection:
    text = cut_around(one.text, 0, 0, _CHARS)
    line = ExcerptLine(
        position=1, event_id=NOTED, role="user", at=one.occurred_at, text=text, is_hit=True, noted_by=one.rank
    )
    reasons = (IS_NOTED, f"{ABOUT}{about}") if about else (IS_NOTED,)
    return NotedCorrection(about=about, excerpt=Excerpt(session_id=one.id, lines=(line,), reasons=reasons))


def is_noted(excerpt: Excerpt) -> bool:
    """Tell whether an excerpt is a noted correction rather than a piece of a session."""
    return excerpt.lines[0].event_id == NOTED


def complete_noted(
    view: GatherView, answered: Collection[Excerpt], found: Sequence[GatheredMemory], about: Mapping[str, str]
) -> Iterator[GatheredMemory]:
    """Yield what was found, with the memory that a correction names; a correction that a model passed over is added.

    Args:
        view: the facts that statements are checked by.
        answered: the excerpts that an answer covers.
        found: the statements of the answers.
        about: the paths of the memories that corrections name, by the path of the excerpt.
    """
    grounded: set[str] = set()
    for item in found:
        named = about.get(item.window, "")
        whole = item.model_copy(update={"target": named}) if named and item.target is None else item
        if isinstance(decide_grounded(view, whole), GroundedStatement):
            grounded.add(whole.window)
        yield whole
    known = _places_of(view.existing)
    for excerpt in answered:
        if is_noted(excerpt) and excerpt.path not in grounded:
            yield from decide_noted(_piece_of(excerpt), known)


def _piece_of(excerpt: Excerpt) -> Document:
    return Document(path=excerpt.path, text=render_excerpt(excerpt), role="session", facts=excerpt.reasons)


def _places_of(memories: Sequence[Memory]) -> list[Candidate]:
    return [read_candidate(memory.path, memory.content) for memory in memories]
