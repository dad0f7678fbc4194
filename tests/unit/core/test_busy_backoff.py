"""How long a dream sleeps whose agent is busy."""

from shared.core.snooze import SnoozeTerms, decide_busy_wait, decide_snooze


def test_a_dream_backs_off_5_10_20_40_60_60_minutes_and_then_no_more() -> None:
    terms = SnoozeTerms()
    waits = [
        decide_snooze(terms, snoozes=number, wanted_seconds=decide_busy_wait(snoozes=number)) for number in range(7)
    ]
    assert [wait and wait / 60 for wait in waits] == [5, 10, 20, 40, 60, 60, None]
