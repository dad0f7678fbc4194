"""Choose messages of people in which no search found anything, for a model: cues rank what people said, and do not gate it.

Cues know some languages and the usual ways to say that something holds; a plain statement ("the gateway listens on port 3007
since today"), or one in another language, has no cue. A budget of tokens decides how many are shown, after all hits. Runs of
neighbouring messages are shown together. Sessions take turns, the one with the newest event first, each with its latest run that
is not shown yet, until the next run does not fit. Messages without a word that a person wrote are passed over; entries of
daily logs are hits already.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, zip_longest

from shared.core.policy.policy import BYTES_A_TOKEN, GatherPolicy
from shared.core.sessions.excerpts import Excerpt, join_positions, render_excerpt
from shared.core.sessions.model import EventKind, Session, Window
from shared.ports.sessions import GatherRepository
from workers.phases.gather.spans import Span, read_spans

#: A longer run is cut in two, so that the messages of one session do not use up the budget of all.
_RUN_EVENTS = 20
#: The head of an excerpt in a question.
_HEAD_BYTES = 100
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmarked:
    """The excerpts without a hit in the order of the sessions, and how many messages of how many sessions are not shown."""

    excerpts: tuple[Excerpt, ...] = ()
    unshown: int = 0
    unshown_sessions: int = 0


def choose_unmarked(
    repository: GatherRepository,
    covered: Sequence[tuple[Session, Window]],
    marked: Collection[tuple[str, int]],
    policy: GatherPolicy,
    tokens: int,
    now: datetime,
) -> Unmarked:
    """Return the messages without a hit that are shown within a budget.

    Args:
        repository: the store's sessions.
        covered: the sessions, and the events that their cursors move over.
        marked: what is shown around hits, as session id and position.
        policy: the limits of an excerpt.
        tokens: the budget.
        now: stands in for the time of events that have none.
    """
    spans = _take_turns(_find_runs(repository, covered, marked, policy))
    chosen: list[tuple[Span, Excerpt]] = []
    read = 0
    for span, excerpt in read_spans(repository, spans, {}, policy, now):
        if excerpt is not None and _has_own_words(excerpt, span):
            tokens -= int((len(render_excerpt(excerpt).encode()) + _HEAD_BYTES) / BYTES_A_TOKEN) + 1
            if tokens < 0:
                break
            chosen.append((span, excerpt))
        read += 1
    order = {session.id: number for number, (session, _) in enumerate(covered)}
    chosen.sort(key=lambda one: (order[one[0].session.id], one[0].bounds))
    excerpts = tuple(excerpt for _, excerpt in chosen)
    rest = {(span.session.id, position) for span in spans[read:] for position in span.positions} - find_shown(excerpts)
    return Unmarked(excerpts=excerpts, unshown=len(rest), unshown_sessions=len({session for session, _ in rest}))


def find_shown(excerpts: Iterable[Excerpt]) -> set[tuple[str, int]]:
    """Return the events in excerpts, as session id and position."""
    return {(excerpt.session_id, line.position) for excerpt in excerpts for line in excerpt.lines}


def _find_runs(
    repository: GatherRepository,
    covered: Sequence[tuple[Session, Window]],
    marked: Collection[tuple[str, int]],
    policy: GatherPolicy,
) -> Mapping[str, list[Span]]:
    """Return the runs of messages of people by session, the latest of each first."""
    found = repository.find_windows([window for _, window in covered], max_chars=1, kinds={EventKind.USER})
    runs: dict[str, list[Span]] = {}
    for (session, _), events in zip(covered, found, strict=True):
        said = [one.position for one in events if one.is_spoken and (session.id, one.position) not in marked]
        joined = join_positions(said, policy, longest=_RUN_EVENTS)
        runs[session.id] = [Span(session=session, positions=tuple(run)) for run in reversed(joined)]
    return runs


def _take_turns(runs: Mapping[str, list[Span]]) -> list[Span]:
    newest_first = sorted(
        (some for some in runs.values() if some),
        key=lambda some: some[0].session.last_event_at or _LONG_AGO,
        reverse=True,
    )
    return [span for span in chain.from_iterable(zip_longest(*newest_first)) if span is not None]


def _has_own_words(excerpt: Excerpt, span: Span) -> bool:
    return any(line.own_words.strip() for line in excerpt.lines if line.position in span.positions)
