"""Relative dates of other languages: each sentence is read in its own language, whatever the tenant's is."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dates.languages.known import GRAMMARS
from shared.core.dates.mentions import has_relative_date
from shared.core.dates.resolve import resolve_dates
from shared.core.dates.rewrite import rewrite_dates

THURSDAY = datetime(2026, 3, 5, 10, tzinfo=UTC)


def days_of(text: str, locale: str = "en") -> list[str]:
    return [(one.day or one.from_date).isoformat() for one in resolve_dates(text, THURSDAY, locale=locale)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Die Heizung ist vorgestern ausgefallen.", "2026-03-03"),
        ("Heute Abend gehen wir ins Kino.", "2026-03-05"),
        ("Das Konzert am Freitag war großartig.", "2026-02-27"),
        ("Am Samstag grillen wir bei Jonas.", "2026-03-07"),
        ("Nächste Woche Donnerstag ist Abgabe.", "2026-03-12"),
        ("Der Stammtisch ist am zweiten Dienstag im nächsten Monat.", "2026-04-14"),
        ("Im Oktober haben wir das Büro gewechselt.", "2025-10-01"),
        ("Der Techniker war am 3. hier.", "2026-03-03"),
        ("La chaudière est tombée en panne mardi.", "2026-03-03"),
        ("Le technicien passera vendredi matin.", "2026-03-06"),
        ("On se retrouve mardi en huit.", "2026-03-17"),
        ("Le week-end dernier on a déménagé.", "2026-02-28"),
        ("Fin juin on livre.", "2026-06-30"),
        ("Il faut rendre le dossier avant vendredi.", "2026-03-06"),
        ("La caldera se rompió el martes.", "2026-03-03"),
        ("La matrona pasa mañana por la tarde.", "2026-03-06"),
        ("Mañana por la mañana llega el camión.", "2026-03-06"),
        ("El 15 del mes pasado firmamos.", "2026-02-15"),
        ("A finales de mes cierra la tienda.", "2026-03-31"),
        ("Il certificato scade tra due giorni.", "2026-03-07"),
        ("La caldaia si è rotta martedì.", "2026-03-03"),
        ("Mercoledì della prossima settimana arriva il pezzo.", "2026-03-11"),
        ("De monteur komt vrijdagochtend.", "2026-03-06"),
        ("Afgelopen weekend zijn we verhuisd.", "2026-02-28"),
        ("A caldeira quebrou na terça.", "2026-03-03"),
        ("Na próxima quarta chega a peça.", "2026-03-11"),
    ],
)
def test_a_sentence_is_read_in_its_own_language(text: str, day: str) -> None:
    assert days_of(text)[0] == day
    assert days_of(text, locale="de")[0] == day


@pytest.mark.parametrize(
    "text",
    [
        "The German word gestern stands in the glossary.",
        "My colleague Ayer handled the hier library.",
        "We ordered a domani pizza and it was great.",
        "Talk to Frau Morgen about the lease.",
        "The morgen is an old unit of land.",
        "Guten Morgen, liebe Leute!",
        "Am Morgen war noch alles gut.",
        "Hier ist der Schlüssel, die Tür ist offen.",
        "Trabaja por las mañanas en la panadería.",
        "Abre en dos turnos: mañana 9-14, tarde 17-20.",
        "Die Pforte hat drei Dienste (Morgen 6-14, Abend 14-22, Nacht 22-6).",
        "Er hat die Arbeit in zwei Tagen geschafft.",
        "Lo terminó en dos días.",
        "Elke morgen gaat hij hardlopen.",
        "Jeden Freitag gibt es Fisch.",
        "Le lundi matin on fait le point.",
        "Il lunedì facciamo il punto.",
        "Toda segunda fazemos a revisão.",
        "Morgen ist auch noch ein Tag.",
        "Dieser Streit ist Schnee von gestern.",
        "Si mañana nevara, cerraríamos la escuela.",
        "Wenn das Spiel am Montag wäre, könnten wir kommen.",
        "Herr Sonntag leitet das Lager.",
        "Heute rot, morgen tot.",
        "Oggi a te, domani a lei.",
    ],
)
def test_foreign_words_mornings_durations_habits_and_sayings_name_no_day(text: str) -> None:
    assert days_of(text) == []


def test_each_sentence_of_a_text_in_two_languages_is_read_in_its_own() -> None:
    text = "The pump was replaced and it holds.\n\nDer Techniker kommt übermorgen mit dem Ersatzteil.\n\nWe paid him yesterday."
    assert days_of(text) == ["2026-03-07", "2026-03-04"]


def test_a_date_is_written_into_a_sentence_of_any_language() -> None:
    dated = rewrite_dates("Le colis est arrivé avant-hier soir.\nDas Dach wurde letzte Woche gedeckt.\n", THURSDAY)
    assert "avant-hier soir (2026-03-03)." in dated
    assert "letzte Woche (week of 2026-02-23) gedeckt." in dated


@pytest.mark.parametrize("text", ["我们昨天签了合同。", "契約は先月切れました。", "The note: 后天 we move."])
def test_a_text_in_chinese_or_japanese_with_a_relative_date_is_shown_to_a_model(text: str) -> None:
    assert has_relative_date(text)


COUNTS = {
    "de": ("Das Paket kam vor {} Tagen an.", "In {} Tagen läuft das Zertifikat ab."),
    "fr": ("Le colis est arrivé il y a {} jours.", "Le certificat expire dans {} jours."),
    "es": ("El paquete llegó hace {} días.", "El contrato termina dentro de {} días."),
    "pt": ("O pacote chegou há {} dias.", "O contrato termina daqui a {} dias."),
    "it": ("Il pacco è arrivato {} giorni fa.", "Il contratto scade tra {} giorni."),
    "nl": ("Het pakket kwam {} dagen geleden aan.", "Het contract loopt over {} dagen af."),
}


@given(st.sampled_from(sorted(COUNTS)), st.integers(2, 300))
def test_days_are_counted_alike_in_every_language(code: str, days: int) -> None:
    past, ahead = (text.format(days) for text in COUNTS[code])
    assert days_of(past) == [(THURSDAY.date() - timedelta(days=days)).isoformat()]
    assert days_of(ahead) == [(THURSDAY.date() + timedelta(days=days)).isoformat()]


def test_every_language_with_a_grammar_counts_days_and_is_noticed() -> None:
    assert set(COUNTS) == set(GRAMMARS)
    assert all(has_relative_date(past.format(3)) for past, _ in COUNTS.values())


@pytest.mark.parametrize("text", ["Hier ist der Schlüssel.", "The hier library was updated.", "Tee gibt es genug."])
def test_a_text_without_a_relative_date_is_not_looked_at(text: str) -> None:
    assert not has_relative_date(text)


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.integers(1, 400))
def test_said_whole_weeks_later_a_foreign_weekday_is_as_many_weeks_later(day: date, weeks: int) -> None:
    at, shift = datetime(day.year, day.month, day.day, 12, tzinfo=UTC), timedelta(weeks=weeks)
    for text in ("Letzten Montag war ich krank.", "Nos vemos el jueves que viene."):
        first, second = resolve_dates(text, at), resolve_dates(text, at + shift)
        assert [one.from_date + shift for one in first] == [one.from_date for one in second]


def test_a_sentence_is_read_in_its_language_among_those_of_another_one() -> None:
    text = "The crane was inspected. Der Kran wird übermorgen abgeholt. We cleaned up yesterday."
    found = [one.day for one in resolve_dates(text, THURSDAY)]
    assert found == [date(2026, 3, 7), date(2026, 3, 4)]
