"""Entries of daily logs without a model: what lasts is filed, and what was done or only may last stays in the log."""

import pytest

from shared.core.sessions.daily_log import bare_entry
from shared.core.sessions.findings import ENTRY, find_in_event
from shared.core.sessions.model import EventKind
from workers.phases.gather.entries import lasts


@pytest.mark.parametrize(
    "entry",
    [
        "- 11:40 The staging database is pg-7.",
        "- Marta owns the importer; changes go through her.",
        "- Lesson: the retry wrapper swallows KeyboardInterrupt, catch it outside.",
        "- 14:03 Moved the image cache from Redis to local disk because of cost.",
        "- Frau Lindner ist für Freigaben zuständig.",
        "- Le serveur de recette se trouve chez OVH, port 8443.",
        "- 客户要求所有报表用A3纸。",
    ],
)
def test_an_entry_that_states_something_lasting_is_filed(entry: str) -> None:
    assert lasts(bare_entry(entry))


@pytest.mark.parametrize(
    "entry",
    [
        "- 09:00 started work",
        "- 10:20 Ran the test suite, all green",
        "- TODO: look at the flaky test of the importer",
        "- build of the importer is red",
        "- Deployed 2.3.1 to production",
        "- he probably uses Redis 7 for that",
        "- Why does the importer hang on db-02?",
        "- Habe PR 88 gemerged",
        "- need to buy printer paper",
        "- 今天修复了登录",
    ],
)
def test_log_entries_about_work_plans_and_passing_states_stay_in_the_log(entry: str) -> None:
    assert not lasts(bare_entry(entry))


def test_a_log_entry_that_only_names_things_stays_in_the_log() -> None:
    assert not lasts("Kobo reader only syncs over USB since firmware 4.38.")


def test_a_bullet_and_the_time_of_day_are_no_part_of_an_entry_and_a_time_within_it_is() -> None:
    assert bare_entry("- 09:12 The gate opens at 15:00.") == "The gate opens at 15:00."
    assert bare_entry("* [x] [10:15] Keys rotate - weekly") == "Keys rotate - weekly"


def test_each_entry_is_looked_at_and_a_heading_is_not() -> None:
    assert [cue.kind for cue in find_in_event(EventKind.LOG, "- The staging database is pg-7.").cues] == [ENTRY]
    assert find_in_event(EventKind.LOG, "## Afternoon").cues == ()
    assert find_in_event(EventKind.USER, "The staging database was slow.").cues == ()


def test_a_plain_fact_is_a_cue_when_a_user_says_it_and_an_entry_when_a_log_does() -> None:
    fact = "The staging database is pg-7."
    assert [cue.kind for cue in find_in_event(EventKind.USER, fact).cues] == ["save"]
    assert [cue.kind for cue in find_in_event(EventKind.LOG, fact).cues] == [ENTRY]
