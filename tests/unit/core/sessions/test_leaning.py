"""A statement is kept with the sentence that names its subject, or not at all."""

import pytest

from shared.core.sessions.statements.leaning import find_whole, leans


@pytest.mark.parametrize(
    "statement",
    [
        "It's 609 now.", "That one is on port 8443.", "The other way round.", "They run on pg-7.", "If it fails, restart the worker.",
        "Rinse it after every use.", "She is on call in even weeks.", "Es läuft auf Port 8443.", "Das läuft jetzt auf 8443.", "Umgekehrt.", "I named her Tilly.",
        "I love his tech and sarcastic humor.", "I don't want to spoil it, but remember the date.", "We chose to write about this because of the deadline.",
        "Il tourne sur le port 8443.", "L'inverse.", "Está en el puerto 8443 ahora.", "Al revés, por favor.", "É 609 agora, não 600.",
        "Ora è sulla porta 8443.", "Het draait nu op poort 8443.", "它在 8443 端口。", "现在是 609。", "反过来。", "それは 8443 番ポートです。",
        "8443 番ポートです。",
    ],
)  # fmt: skip
def test_a_sentence_whose_subject_was_named_before_leans_on_it(statement: str) -> None:
    assert leans(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "The conveyor has 609 sensors now.", "Never push to main without asking.", "Use tabs because they are easier to read.",
        "When the queue is full, it drops messages.", "There are 12 replicas in eu-west.", "It is important to run the linter first.",
        "This repo uses pnpm.", "I want tabs because they are accessible.", "We use pnpm because it is fast.", "I told Ben that he should call.",
        "Answer in German.", "Das Backup läuft um 3 Uhr.", "Es gibt drei Umgebungen.", "Il faut utiliser pnpm.",
        "El puerto es 8443.", "Usa sempre pnpm.", "Het wachtwoord staat in de kluis.", "端口是 8443。", "请用中文回答。",
        "ポートは 8443 です。", "日本語で答えてください。", "タブを使います。", "Tabs, not spaces.",
    ],
)  # fmt: skip
def test_a_sentence_that_names_its_subject_leans_on_nothing(statement: str) -> None:
    assert not leans(statement)


@pytest.mark.parametrize(
    ("text", "quote", "whole"),
    [
        ("The conveyor had 600 sensors. It's 609 now.", "It's 609 now.", "The conveyor had 600 sensors. It's 609 now."),
        ("传感器有 600 个。现在是 609。", "现在是 609。", "传感器有 600 个。现在是 609。"),
        ("Der Port war 8080. Es ist jetzt 8443.", "Es ist jetzt 8443.", "Der Port war 8080. Es ist jetzt 8443."),
    ],
)
def test_it_is_kept_with_the_sentence_before_it(text: str, quote: str, whole: str) -> None:
    assert find_whole(quote, quote, text) == (whole, text)


@pytest.mark.parametrize(
    "before", ["", "How many sensors are there? ", "Let me count the sensors. ", "It had 600 sensors. ", "Hm. "]
)
def test_without_a_sentence_before_it_that_names_its_subject_it_is_not_kept(before: str) -> None:
    assert find_whole("It's 609 now.", "It's 609 now.", f"{before}It's 609 now.") is None
