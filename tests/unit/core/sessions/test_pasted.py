"""Pasted text is not said by the person who pasted it, in any language."""

import pytest

from shared.core.sessions.cues import find_own_words

_RULE = "Always deploy on Fridays, never on Mondays."


@pytest.mark.parametrize(
    "lead",
    [
        "Here is what I found on the page:",
        "Look at this e-mail:",
        "Das hier ist die Mail von gestern, die ich bekommen habe und nicht verstehe:",
        "Voici le message que nous avons reçu dans le fichier, et je ne le comprends pas:",
        "Este es el correo que recibí ayer y que no entiendo:",
        "Este é o documento que recebi ontem e não entendo:",
        "Questo è il documento che ho ricevuto ieri e che non capisco:",
        "Dit is de mail die ik gisteren heb gekregen en niet begrijp:",
        "-- Original message",
        "----- Ursprüngliche Nachricht -----",
        "Subject: Deploys",
        "Betreff: Deploys",
        "Objet : Deploys",
    ],
)
def test_what_stands_below_a_lead_or_a_mails_heading_is_not_said_by_the_person(lead: str) -> None:
    assert _RULE not in find_own_words(f"{lead}\n\n{_RULE}")


@pytest.mark.parametrize(
    "lead", ["Remember this for my pages:", "From now on, this is our rule:", "Ab jetzt gilt hier immer:", "Notes:"]
)
def test_what_a_person_announces_is_said_by_the_person(lead: str) -> None:
    assert _RULE in find_own_words(f"{lead}\n\n{_RULE}")


def test_a_long_message_about_code_is_a_persons_own_in_any_language() -> None:
    said = "In `retry.py` wartet `run()` nach jedem Fehler fünf Sekunden, und das soll so bleiben: " * 3
    assert find_own_words(said).strip()
