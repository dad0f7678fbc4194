"""The contract of `DreamLock`, on every adapter."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from typing import Protocol

import pytest
from redis import Redis

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.inmemory.dream_lock import InMemoryDreamLock
from shared.adapters.redis.dream_lock import RedisDreamLock
from shared.ports.runtime import UNREADABLE, DreamLock

TTL_SECONDS = 600.0


class Subject(Protocol):
    """A lock, a way to let its time go by, and one whose server is away."""

    lock: DreamLock
    lost: DreamLock

    def let_pass(self, tenant: str, seconds: float) -> None: ...


class InMemorySubject:
    def __init__(self) -> None:
        self.now = 0.0
        self.lock: DreamLock = InMemoryDreamLock(ttl_seconds=TTL_SECONDS, clock=lambda: self.now)
        lost = InMemoryDreamLock(ttl_seconds=TTL_SECONDS)
        lost.is_reachable = False
        self.lost: DreamLock = lost

    def let_pass(self, tenant: str, seconds: float) -> None:
        assert tenant
        self.now += seconds


class RedisSubject:
    def __init__(self, client: Redis, lock: RedisDreamLock, lost: RedisDreamLock) -> None:
        self.client = client
        self.lock: DreamLock = lock
        self.lost: DreamLock = lost

    def let_pass(self, tenant: str, seconds: float) -> None:
        for key in self.client.scan_iter(f"*{tenant}*"):
            left_ms = self.client.pttl(key)
            assert left_ms > 0, "a lock without an end would outlive its holder"
            self.client.pexpire(key, left_ms - int(seconds * 1000))


@pytest.fixture(params=["inmemory", "redis"])
def subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    if request.param == "inmemory":
        yield InMemorySubject()
        return
    servers: Endpoints = request.getfixturevalue("servers")
    with socket.socket() as unused, Redis.from_url(servers.redis_url) as client:
        unused.bind(("127.0.0.1", 0))  # bound and not listening: every connection is refused
        nowhere = f"redis://127.0.0.1:{unused.getsockname()[1]}/0"
        with (
            closing(RedisDreamLock(servers.redis_url, ttl_seconds=TTL_SECONDS)) as lock,
            closing(RedisDreamLock(nowhere, ttl_seconds=TTL_SECONDS)) as lost,
        ):
            yield RedisSubject(client, lock, lost)


def test_a_free_lock_is_taken_and_names_its_holder(subject: Subject, tenant: str) -> None:
    assert subject.lock.find_holder(tenant, "default") is None
    assert subject.lock.acquire(tenant, "default", "drm_a:1", instead_of=None)
    assert subject.lock.find_holder(tenant, "default") == "drm_a:1"


def test_a_held_lock_is_not_taken(subject: Subject, tenant: str) -> None:
    subject.lock.acquire(tenant, "default", "drm_a:1", instead_of=None)
    assert not subject.lock.acquire(tenant, "default", "drm_b:1", instead_of=None)
    assert subject.lock.find_holder(tenant, "default") == "drm_a:1"


def test_the_holder_may_take_again(subject: Subject, tenant: str) -> None:
    subject.lock.acquire(tenant, "default", "drm_a:1", instead_of=None)
    assert subject.lock.acquire(tenant, "default", "drm_a:1", instead_of=None)


def test_a_leftover_is_replaced_only_by_who_knows_its_token(subject: Subject, tenant: str) -> None:
    subject.lock.acquire(tenant, "default", "drm_a:1", instead_of=None)
    assert not subject.lock.acquire(tenant, "default", "drm_a:2", instead_of="drm_z:1")
    assert subject.lock.acquire(tenant, "default", "drm_a:2", instead_of="drm_a:1")
    assert subject.lock.find_holder(tenant, "default") == "drm_a:2"


def test_a_held_lock_tells_its_holder_and_how_long_it_lasts(subject: Subject, tenant: str) -> None:
    assert subject.lock.take(tenant, "default", "drm_a:claiming") is None
    subject.let_pass(tenant, TTL_SECONDS / 2)
    held = subject.lock.take(tenant, "default", "drm_b:claiming")
    assert held is not None
    assert held.token == "drm_a:claiming"
    assert held.seconds_left == pytest.approx(TTL_SECONDS / 2, abs=5)
    assert subject.lock.find_holder(tenant, "default") == "drm_a:claiming"


def test_the_holder_that_takes_again_has_the_whole_time_again(subject: Subject, tenant: str) -> None:
    subject.lock.take(tenant, "default", "drm_a:claiming")
    subject.let_pass(tenant, TTL_SECONDS / 2)
    assert subject.lock.take(tenant, "default", "drm_a:claiming") is None
    held = subject.lock.take(tenant, "default", "drm_b:claiming")
    assert held is not None
    assert held.seconds_left == pytest.approx(TTL_SECONDS, abs=5)


def test_a_taken_lock_is_free_after_its_time(subject: Subject, tenant: str) -> None:
    subject.lock.take(tenant, "default", "drm_a:claiming")
    subject.let_pass(tenant, TTL_SECONDS)
    assert subject.lock.take(tenant, "default", "drm_b:claiming") is None


def test_stores_and_tenants_have_locks_of_their_own(subject: Subject, tenant: str) -> None:
    subject.lock.acquire(tenant, "default", "drm_a:1", instead_of=None)
    assert subject.lock.acquire(tenant, "other", "drm_b:1", instead_of=None)
    assert subject.lock.acquire(f"{tenant}x", "default", "drm_c:1", instead_of=None)


def test_only_its_holder_releases_a_lock(subject: Subject, tenant: str) -> None:
    subject.lock.acquire(tenant, "default", "drm_a:2", instead_of=None)
    subject.lock.release(tenant, "default", "drm_a:1")
    assert subject.lock.find_holder(tenant, "default") == "drm_a:2"
    subject.lock.release(tenant, "default", "drm_a:2")
    assert subject.lock.find_holder(tenant, "default") is None


def test_only_its_holder_renews_a_lock(subject: Subject, tenant: str) -> None:
    subject.lock.acquire(tenant, "default", "drm_a:2", instead_of=None)
    assert not subject.lock.renew(tenant, "default", "drm_a:1")
    assert subject.lock.renew(tenant, "default", "drm_a:2")


def test_a_lock_that_is_not_renewed_is_free_after_its_time(subject: Subject, tenant: str) -> None:
    subject.lock.acquire(tenant, "default", "drm_a:1", instead_of=None)
    subject.let_pass(tenant, TTL_SECONDS)
    assert subject.lock.find_holder(tenant, "default") is None
    assert subject.lock.acquire(tenant, "default", "drm_b:1", instead_of=None)


def test_a_renewed_lock_has_its_whole_time_again(subject: Subject, tenant: str) -> None:
    subject.lock.acquire(tenant, "default", "drm_a:1", instead_of=None)
    for _ in range(3):
        subject.let_pass(tenant, TTL_SECONDS / 2)
        assert subject.lock.renew(tenant, "default", "drm_a:1")
    assert subject.lock.find_holder(tenant, "default") == "drm_a:1"


def test_an_expired_lock_is_not_brought_back_by_a_renewal(subject: Subject, tenant: str) -> None:
    subject.lock.acquire(tenant, "default", "drm_a:1", instead_of=None)
    subject.let_pass(tenant, TTL_SECONDS)
    assert not subject.lock.renew(tenant, "default", "drm_a:1")
    assert subject.lock.find_holder(tenant, "default") is None


def test_releasing_and_renewing_what_was_never_taken_does_nothing(subject: Subject, tenant: str) -> None:
    subject.lock.release(tenant, "default", "drm_a:1")
    assert not subject.lock.renew(tenant, "default", "drm_a:1")
    assert subject.lock.find_holder(tenant, "default") is None


def test_a_lock_that_cannot_be_read_is_held_not_free(subject: Subject, tenant: str) -> None:
    assert subject.lost.find_holder(tenant, "default") == UNREADABLE
    lost = subject.lost.take(tenant, "default", "drm_a:claiming")
    assert lost is not None
    assert lost.is_unknown
    assert not subject.lost.acquire(tenant, "default", "drm_a:1", instead_of=None)
    assert not subject.lost.renew(tenant, "default", "drm_a:1")
    subject.lost.release(tenant, "default", "drm_a:1")


def test_of_many_who_take_at_once_one_gets_it(subject: Subject, tenant: str) -> None:
    together = Barrier(8)

    def take(number: int) -> bool:
        together.wait(timeout=30)
        return subject.lock.acquire(tenant, "default", f"drm_{number}:1", instead_of=None)

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(8))) == 1
