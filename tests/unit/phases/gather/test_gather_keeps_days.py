"""A file that gather adds to keeps the days of its own words: afterwards the day of a "yesterday" would be unknown."""

from datetime import UTC, datetime

import pytest

from shared.core.dates.rewrite import rewrite_dates
from shared.core.dream.operations import Rewrite
from shared.core.memory.model import Author, Memory
from shared.core.policy.policy import GatherPolicy
from shared.core.sessions.excerpts import Excerpt, ExcerptLine
from workers.phases.gather.answer import GatheredMemory
from workers.phases.gather.plan import GatherView, plan_gathering

WRITTEN = datetime(2026, 2, 10, 9, tzinfo=UTC)
SAID = datetime(2026, 3, 4, 10, tzinfo=UTC)
BODY = "# Staging\n\nStaging broke down yesterday.\n"


def gathered(quote: str, path: str = "ops/staging.md", author: Author = Author.USER, **fields: str) -> str:
    known = Memory(
        id="mem_1", path=path, content=BODY, author=author, created_at=WRITTEN, updated_at=WRITTEN, touched_at=WRITTEN
    )
    line = ExcerptLine(position=1, event_id="e1", role="user", at=SAID, text=quote, is_hit=True)
    piece = Excerpt(session_id="sesn_1", lines=(line,), reasons=())
    view = GatherView(
        excerpts=(piece,),
        existing=(known,),
        live_paths=frozenset({path}),
        policy=GatherPolicy(),
        resolve_dates=rewrite_dates,
        now=SAID,
    )
    given = {"kind": "save", "window": piece.path, "quote": quote, "target": path, "confidence": 0.9, **fields}
    (operation,) = plan_gathering(view, [GatheredMemory.model_validate(given)]).operations
    (change,) = operation.changes
    assert isinstance(change, Rewrite)
    return change.content


def test_relative_dates_of_a_file_are_resolved_by_the_day_on_which_it_was_written_before_a_dream_adds_to_it() -> None:
    text = gathered("Remember that it runs in eu-north-1.", statement="Staging runs in eu-north-1.")
    assert "Staging broke down yesterday (2026-02-09).\n\n- Staging runs in eu-north-1." in text


def test_words_that_are_replaced_are_found_although_their_date_was_added() -> None:
    replaces = "Staging broke down yesterday."
    text = gathered("No, it was updated.", kind="correction", statement="Staging was updated.", replaces=replaces)
    assert "Staging was updated.\n\n## Superseded\n\n- “Staging broke down yesterday (2026-02-09).”" in text


@pytest.mark.parametrize(("path", "author"), [("logs-2026-01-02.md", Author.USER), ("ops/a.md", Author.DREAM)])
def test_words_of_an_unknown_day_get_no_date(path: str, author: Author) -> None:
    text = gathered("Remember eu-north-1.", path, author, statement="Staging runs in eu-north-1.")
    assert "Staging broke down yesterday.\n" in text
