"""Imports, agents, dreams, undo, verdicts and redaction in any order over one store: nothing is lost without a reason."""

from random import Random

import psycopg
import pytest

from shared.all_ports import Ports
from shared.core.memory.model import Author
from tests.integration.memories.store_machine import PATHS, TEXTS, StoreActors

_STEPS = 12


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_nothing_is_lost_without_a_reason_whatever_happens_in_which_order(
    seed: int, session_ports: Ports, owner_connection: psycopg.Connection
) -> None:
    actors, random = StoreActors(ports=session_ports, owner=owner_connection), Random(seed)
    for path, number in zip(PATHS[:3], random.sample(range(TEXTS), 3), strict=True):
        actors.write(path, number, Author.AGENT, overwrite=False, is_old=random.random() < 0.5)
    for _ in range(_STEPS):
        _take_any_step(actors, random)
        actors.check()


def _take_any_step(actors: StoreActors, random: Random) -> None:
    path, number, pick, toss = (
        random.choice(PATHS),
        random.randrange(TEXTS),
        random.randrange(20),
        random.random() < 0.5,
    )
    match random.choice(("write", "import", "edit", "archive", "dream", "dream", "dream", "undo", "verdict", "redact")):
        case "write":
            actors.write(path, number, Author.AGENT, overwrite=False, is_old=toss)
        case "import":
            actors.write(path, number, Author.IMPORT, overwrite=toss, is_old=random.random() < 0.5)
        case "edit":
            actors.edit(path, number if toss else None, random.choice((None, *PATHS)))
        case "archive":
            actors.archive(path)
        case "dream":
            actors.dream(pick)
        case "undo":
            actors.undo(pick, force=toss)
        case "verdict":
            actors.review(pick, approve=toss)
        case _:
            actors.redact(pick)
