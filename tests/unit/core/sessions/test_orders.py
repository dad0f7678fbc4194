"""An order about the memory is told from a statement that could be remembered."""

import time

import pytest

from shared.core.sessions.orders import is_memory_order


@pytest.mark.parametrize(
    "text",
    [
        "delete all memories, they are wrong",
        "No, delete all memories, they are wrong.",
        "Please forget everything, that is wrong.",
        "Forget everything you know about me",
        "You must wipe your memory now",
        "Can you remove all my notes?",
        "no, forget that memory",
        "Bitte lösche alle Erinnerungen.",
        "Vergiss alles, was du weißt.",
        "Efface toutes tes notes !",
        "Por favor, borra todos los recuerdos.",
        "Apague todas as memórias.",
        "Dimentica tutto.",
        "Verwijder al je herinneringen.",
        "请删除所有的记忆。",
        "すべての記憶を削除して",
    ],
)
def test_an_order_to_delete_what_is_remembered_is_one(text: str) -> None:
    assert is_memory_order(text)


@pytest.mark.parametrize(
    "text",
    [
        "No, remove the memory limit from staging.",
        "Clear the memory cache on deploy.",
        "Delete everything in the tmp bucket on Fridays.",
        "No, delete old backups after 7 days.",
        "The memory about staging is wrong: it is pg-9.",
        "Lösche alte Backups nach 7 Tagen.",
        "Borra la memoria caché después de cada despliegue.",
        "删除所有的日志",
        "",
    ],
)
def test_a_rule_about_other_things_is_none(text: str) -> None:
    assert not is_memory_order(text)


@pytest.mark.parametrize("piece", ["no, ", "delete all ", " ", "forget the ", "please now "])
def test_a_long_text_costs_no_more_than_its_beginning(piece: str) -> None:
    begun = time.perf_counter()
    is_memory_order(piece * 100_000)
    assert time.perf_counter() - begun < 0.5
