"""Call what of the core reads dates, each with one hostile text."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from shared.core.dates.anchor import find_written_day
from shared.core.dates.english.tense import find_direction, find_sentence, find_tense, has_perfect, is_span_of_work
from shared.core.dates.languages.known import GRAMMARS
from shared.core.dates.mentions import has_relative_date
from shared.core.dates.no_moment import Moments
from shared.core.dates.protected import blank_code_blocks, blank_protected
from shared.core.dates.reading.find import may_have_dates, mentions_date
from shared.core.dates.reading.recognise import Languages, count_words, find_possible, find_words
from shared.core.dates.reading.tense import is_habit, is_vague, sentence_at, tense_of
from shared.core.dates.resolve import resolve_dates
from shared.core.dates.rewrite import rewrite_dates, rewrite_spoken
from shared.core.dates.spoken import find_spoken, find_stamped, skip_stamp
from shared.core.dates.stamps import find_stamps, names_zone
from tests.unit.core.growth.dressed import Entry, in_block

AT = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
#: Words by which a language is recognised, so that its rules look at the rest.
OPENINGS_OF_LANGUAGES = ("das ist nicht gestern", "isso não foi ontem")
ENTRIES: Mapping[Callable[..., object], Sequence[Entry]] = {
    mentions_date: [lambda text: mentions_date(f"{text} gestern", find_words(f"{text} gestern"))],
    may_have_dates: [lambda text: may_have_dates(text, "de")],
    **{one: [one] for one in (count_words, find_words, find_stamped, find_stamps, names_zone, skip_stamp)},
    find_possible: [lambda text: find_possible(text, "de")],
    Languages: [lambda text: Languages(text, "en").may_be_in("de", len(text) // 2, len(text) // 2 + 1)],
    Moments: [lambda text: Moments(text).has_moment(len(text) // 2, len(text) // 2 + 1)],
    sentence_at: [lambda text: sentence_at(text, len(text) // 2, len(text) // 2 + 1)],
    tense_of: [lambda text: [tense_of(one, text, len(text) // 2, len(text) // 2 + 1) for one in GRAMMARS.values()]],
    is_habit: [lambda text: is_habit(text, len(text) // 2, len(text) // 2 + 1)],
    is_vague: [lambda text: is_vague(GRAMMARS["de"], text, len(text) // 2)],
    find_direction: [lambda text: find_direction(text, len(text) // 2, len(text) // 2 + 1)],
    find_written_day: [
        lambda text: find_written_day(text, text),
        lambda text: find_written_day("a.md", in_block(text)),
    ],
    find_spoken: [
        lambda text: find_spoken("a.md", text),
        lambda text: find_spoken(text, text),
        lambda text: find_spoken("a.md", f"## 2026-02-03\n{text}\n## 2026-02-04\n{text}"),
    ],
    rewrite_spoken: [
        lambda text: rewrite_spoken("2026-02-03.md", text),
        lambda text: rewrite_spoken("a.md", f"## 2026-02-03\nIt broke yesterday. {text}\n## 2026-02-04\n{text}"),
    ],
    has_relative_date: [has_relative_date],
    blank_protected: [blank_protected, lambda text: blank_protected(in_block(text))],
    blank_code_blocks: [blank_code_blocks, lambda text: blank_code_blocks(in_block(text))],
    resolve_dates: [
        lambda text: resolve_dates(f"{text} yesterday", AT),
        lambda text: [resolve_dates(f"{words} {text}", AT) for words in OPENINGS_OF_LANGUAGES],
        lambda text: resolve_dates(text, AT, locale="sv"),
    ],
    rewrite_dates: [
        lambda text: rewrite_dates(f"{text} It broke yesterday.", AT),
        lambda text: rewrite_dates(f"It broke yesterday. {text}", AT),
    ],
    find_sentence: [lambda text: find_sentence(text, len(text) // 2, len(text) // 2 + 1)],
    find_tense: [lambda text: find_tense(text, len(text) // 2, len(text) // 2 + 1)],
    has_perfect: [lambda text: has_perfect(text, len(text) // 2, len(text) // 2 + 1)],
    is_span_of_work: [lambda text: is_span_of_work(text, len(text) // 2, len(text) // 2 + 1)],
}
