"""Call what of the core reads dates, each with one hostile text."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from shared.core.dates.anchor import find_written_day
from shared.core.dates.mentions import has_relative_date
from shared.core.dates.phrases import find_phrases
from shared.core.dates.protected import blank_code_blocks, blank_protected
from shared.core.dates.rewrite import rewrite_dates, rewrite_spoken
from shared.core.dates.since import AHEAD, find_since, read_day
from shared.core.dates.spoken import find_spoken, find_spoken_on_day, find_stamped, skip_stamp
from shared.core.dates.stamps import find_stamps, names_zone
from shared.core.dates.until import find_last_day
from shared.languages.language_file import read_date_words
from tests.unit.core.growth.dressed import Entry, in_block

AT = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
ENTRIES: Mapping[Callable[..., object], Sequence[Entry]] = {
    **{one: [one] for one in (find_stamped, find_stamps, has_relative_date, names_zone, skip_stamp)},
    find_phrases: [lambda text: find_phrases(f"{text} yesterday", AT.date())],
    find_since: [
        lambda text: find_since(text, AT),
        lambda text: find_since(f"{text} since {text} 3 March", AT),
        lambda text: find_since(f"Since Monday{text}", AT),
    ],
    read_day: [lambda text: read_day(text, read_date_words()["en"], AT.date(), AT.date(), AHEAD)],
    find_last_day: [
        lambda text: find_last_day(text, AT),
        lambda text: find_last_day(f"For one week, {text}"[:1_000], AT),
        lambda text: find_last_day(f"{text[:900]} until Friday", AT),
    ],
    find_written_day: [
        lambda text: find_written_day(text, text),
        lambda text: find_written_day("a.md", in_block(text)),
    ],
    find_spoken: [find_spoken, lambda text: find_spoken(f"## 2026-02-03\n{text}\n## 2026-02-04\n{text}")],
    find_spoken_on_day: [
        lambda text: find_spoken_on_day(text, text),
        lambda text: find_spoken_on_day("memory/2026-02-03.md", f"## 2026-02-03\n{text}"),
    ],
    rewrite_spoken: [lambda text: rewrite_spoken("memory/2026-02-03.md", f"It broke yesterday. {text}\n{text}")],
    blank_protected: [blank_protected, lambda text: blank_protected(in_block(text))],
    blank_code_blocks: [blank_code_blocks, lambda text: blank_code_blocks(in_block(text))],
    rewrite_dates: [
        lambda text: rewrite_dates(f"{text} It broke yesterday.", AT),
        lambda text: rewrite_dates(f"It broke yesterday. {text}", AT),
    ],
}
