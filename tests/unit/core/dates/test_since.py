"""The day from which on a statement says that it holds, where only one day can be meant."""

from datetime import UTC, date, datetime

import pytest

from shared.core.dates.since import find_since

#: A Wednesday.
SAID_AT = datetime(2026, 3, 11, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("statement", "day"),
    [
        ("Since 3 March the retention is 9 days.", "2026-03-03"),
        ("The retention is 9 days since March 3rd.", "2026-03-03"),
        ("Since the 3rd of March it is 9.", "2026-03-03"),
        ("Since 3 December 2024 it is 9.", "2024-12-03"),
        ("Since 20 December it is 9.", "2025-12-20"),
        ("As of 2026-03-01 the port is 99.", "2026-03-01"),
        ("Effective April 1st the port is 99.", "2026-04-01"),
        ("From 1 April on we use MySQL.", "2026-04-01"),
        ("From Monday on the stand-up is at ten.", "2026-03-16"),
        ("The stand-up is at ten from Monday onwards.", "2026-03-16"),
        ("Starting tomorrow the stand-up is at ten.", "2026-03-12"),
        ("Since Monday the stand-up is at ten.", "2026-03-09"),
        ("Since yesterday the port is 99.", "2026-03-10"),
        ("Starting today, the port is 99.", "2026-03-11"),
        ("Ab Montag ist das Stand-up um zehn.", "2026-03-16"),
        ("Seit Montag ist das Stand-up um zehn.", "2026-03-09"),
        ("Depuis hier, le port est 99.", "2026-03-10"),
        ("A partir del lunes la reunión es a las diez.", "2026-03-16"),
        ("Desde ayer el puerto es 99.", "2026-03-10"),
        ("A partire da lunedì la porta è 99.", "2026-03-16"),
        ("A partir de segunda-feira a reunião é às dez.", "2026-03-16"),
        ("Vanaf maandag is de stand-up om tien uur.", "2026-03-16"),
    ],
)
def test_a_day_that_can_be_read_in_one_way_is_found(statement: str, day: str) -> None:
    assert find_since(statement, SAID_AT) == date.fromisoformat(day)


@pytest.mark.parametrize(
    "statement",
    [
        "The stand-up is at ten, and the release is on 3 March.",
        "The office is open from Monday to Friday.",
        "The limit is 9 from 3 March on, and 12 as of 2026-04-01.",
        "Since last Monday the port is 99.",
        "Since Wednesday the port is 99.",
        "Starting next week the port is 99.",
        "Since 3 March is a holiday, the stand-up is at ten.",
        "From 3 March on to 5 March the port is 99.",
        "Since tomorrow the port is 99.",
        "From 11 September on the port is 99.",
        "As of 31 June the port is 99.",
        "The mail from Monday says that the port is 99.",
        "Desde el lunes la reunión es a las diez.",
        'The page says "since 3 March"; the port is 99.',
        "The port is 99.",
    ],
)
def test_no_day_is_found_where_none_or_more_than_one_may_be_meant(statement: str) -> None:
    assert find_since(statement, SAID_AT) is None


def test_a_weekday_is_counted_from_the_speakers_own_day_and_from_no_uncertain_one() -> None:
    late = SAID_AT.replace(hour=23)
    said = "Since yesterday the port is 99."
    assert find_since(said, late) is None
    assert find_since(said, late, "Asia/Tokyo") == date(2026, 3, 11)
    assert find_since("Since 3 March the port is 99.", late) == date(2026, 3, 3)
