"""Fixtures that several integration tests share, beside those of every test."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from shared.all_ports import Ports
from shared.core.policy.policy import Autonomy
from shared.core.questions.prices import FREE_MODEL
from shared.settings import Settings
from tests.integration.runner.snooze_support import open_endpoint
from tests.integration.undo.undo_support import Dreamt, dream_in_a_rich_store
from tests.integration.webhooks.webhook_support import Receiver, a_receiver, local_ports
from tests.support.database.scene import Scene
from tests.support.servers import plain_url
from workers.ask.escalate import Askers
from workers.ask.exam import Standing, examine_models
from workers.phase.work import PhaseWork
from workers.runner import steps


@pytest.fixture(scope="session", autouse=True)
def acting_pruner() -> Iterator[None]:
    """Lets the model of prune act where no exams are taken, so that its checks alone keep memories; `exams` tests who may act."""

    def examine(work: PhaseWork, askers: Askers) -> Standing:
        is_pruner = work.phase.name == "prune" and work.ports.settings.llm_exam == "off"
        has_passed = is_pruner and askers.first.llm.model != FREE_MODEL
        return Standing(has_passed=True) if has_passed else examine_models(work, askers)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "examine_models", examine)
        yield


def _a_scene(settings: Settings, ports: Ports, **of_the_store: Any) -> tuple[Dreamt, Scene]:
    """Dream once; to put rows back afterwards is five times as fast as to dream again."""
    dreamt = dream_in_a_rich_store(ports, f"t{uuid4().hex}", **of_the_store)
    return dreamt, Scene(plain_url(settings.owner_database_url), dreamt.tenant)


@pytest.fixture(scope="session")
def dreamt_scene(settings: Settings, quiet_ports: Ports) -> tuple[Dreamt, Scene]:
    """The store of `dreamt`, and its rows to restore before each test."""
    return _a_scene(settings, quiet_ports)


@pytest.fixture
def dreamt(dreamt_scene: tuple[Dreamt, Scene]) -> Dreamt:
    """A store in which a dream has just done one operation of every kind."""
    dreamt_scene[1].restore()
    return dreamt_scene[0]


@pytest.fixture(scope="session")
def proposed_scene(settings: Settings, quiet_ports: Ports) -> tuple[Dreamt, Scene]:
    """The store of `proposed`, and its rows to restore before each test."""
    return _a_scene(settings, quiet_ports, autonomy=Autonomy.PROPOSE)


@pytest.fixture
def proposed(proposed_scene: tuple[Dreamt, Scene]) -> Dreamt:
    """The same in a store that leaves every decision about content to a person."""
    proposed_scene[1].restore()
    return proposed_scene[0]


@pytest.fixture
def owner(fresh_settings: Settings) -> Iterator[psycopg.Connection]:
    """The owner of the tables behind `fresh_ports`, who may arrange what the application may not."""
    with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as connection:
        yield connection


@pytest.fixture
def endpoint_open_again(ports: Ports) -> Iterator[None]:
    """The model's server turns no call away before the test, and none because of it."""
    open_endpoint(ports)
    yield
    open_endpoint(ports)


@pytest.fixture
def hooked(fresh_ports: Ports) -> Ports:
    """Ports that post webhooks to this machine."""
    return local_ports(fresh_ports)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A server that receives the posts of webhooks."""
    with a_receiver() as found:
        yield found
