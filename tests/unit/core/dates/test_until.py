"""The last day of a sentence, where only one day can be meant and all of the sentence ends with it."""

from datetime import UTC, date, datetime

import pytest

from shared.core.dates.until import find_last_day

#: A Wednesday.
SAID_AT = datetime(2026, 3, 11, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("Remember for one week that the staging database is frozen.", "2026-03-18"),
        ("Please keep in mind until 12 April: the lift is broken.", "2026-04-12"),
        ("For one week, answer in German.", "2026-03-18"),
        ("For the next two weeks use the old key.", "2026-03-25"),
        ("Answer in German for the next two weeks.", "2026-03-25"),
        ("Until Friday the office is closed.", "2026-03-13"),
        ("Remember that the office is closed until 12 October.", "2026-10-12"),
        ("The office is closed until 12 April 2027.", "2027-04-12"),
        ("Don't merge to main until 2026-04-01.", "2026-04-01"),
        ("Use the old key until tomorrow.", "2026-03-12"),
        ("Merk dir für eine Woche, dass die Datenbank gesperrt ist.", "2026-03-18"),
        ("Bis Freitag ist das Büro zu.", "2026-03-13"),
        ("Pendant une semaine, réponds en allemand.", "2026-03-18"),
        ("Hasta el viernes la oficina está cerrada.", "2026-03-13"),
        ("Per due settimane rispondi in tedesco.", "2026-03-25"),
        ("Tot vrijdag is het kantoor dicht.", "2026-03-13"),
        ("Até sexta o escritório está fechado.", "2026-03-13"),
        ("Bis zum 12. Oktober ist das Büro zu.", "2026-10-12"),
        ("Bis 3. März 2027 den alten Schlüssel benutzen.", "2027-03-03"),
        ("Le bureau est fermé jusqu'au 12 août.", "2026-08-12"),
        ("La oficina está cerrada hasta el 12 de octubre.", "2026-10-12"),
        ("Hasta el 3 de enero de 2027 responde en inglés.", "2027-01-03"),
        ("O escritório está fechado até 12 de outubro.", "2026-10-12"),
        ("L'ufficio è chiuso fino al 12 ottobre.", "2026-10-12"),
        ("Het kantoor is dicht tot en met 12 oktober.", "2026-10-12"),
        ("记住办公室直到10月12日都关着。", "2026-10-12"),
        ("到2027年1月3日为止用旧密钥。", "2027-01-03"),
        ("事務所は10月12日まで閉まっています。", "2026-10-12"),
    ],
)
def test_an_end_that_can_be_read_in_one_way_is_found(sentence: str, day: str) -> None:
    assert find_last_day(sentence, SAID_AT) == date.fromisoformat(day)


@pytest.mark.parametrize(
    "sentence",
    [
        "Remember that backups are kept for one week.",
        "The office was closed for one week.",
        "The certificate is valid until 12 April.",
        "The invoice is not due until Friday.",
        "The shop doesn't open its doors until Friday.",
        "The office is open from Monday until Friday.",
        "Until 12 April or 13 April the office is closed.",
        "The office is closed until Monday morning.",
        "The office is closed until Wednesday.",
        "The office is closed until next week.",
        "The office is closed until 31 June.",
        "The office is closed until 12 January.",
        "The office is closed until 2026-03-01.",
        "The sign says 'closed until Friday'.",
        'The sign says "closed until Friday"',
        "Every ticket stays with its finder until Friday.",
        "Wait until the build is green.",
        "Das Zertifikat ist bis zum 12. Oktober gültig.",
        "Bis zum 31. Juni ist das Büro zu.",
        "La oficina está cerrada del 3 de abril hasta el 12 de octubre.",
        "L'ufficio è chiuso fino al 12 ottobre o al 13 ottobre.",
        "证书直到10月12日有效。",
        "办公室从10月3日到10月12日为止关着。",
        "10月12日までに報告を書いて。",
        "事務所は10月3日から10月12日まで閉まっています。",
        "事務所は2月30日まで閉まっています。",
    ],
)
def test_what_is_not_certain_to_end_has_no_last_day(sentence: str) -> None:
    assert find_last_day(sentence, SAID_AT) is None


def test_a_span_counts_from_the_day_of_the_speaker_and_from_none_where_that_is_uncertain() -> None:
    late = datetime(2026, 3, 11, 23, tzinfo=UTC)
    assert find_last_day("For one week, answer in German.", late) is None
    assert find_last_day("For one week, answer in German.", late, "Asia/Tokyo") == date(2026, 3, 19)
