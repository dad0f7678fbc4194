"""Exams are appended, and found newest first by every tenant that asks at the same endpoint."""

from datetime import timedelta
from uuid import uuid4

from shared.all_ports import Ports
from shared.core.exam.model import INSTALLATION
from tests.support.builders import a_store
from tests.unit.builders import NOW, an_exam


def test_an_exam_at_the_installations_endpoint_holds_for_every_tenant(ports: Ports, tenant: str) -> None:
    other, model = f"t{uuid4().hex}", f"m{uuid4().hex}"
    a_store(ports, tenant)
    a_store(ports, other)
    taken = an_exam(f"exm_{model}", owner=INSTALLATION, model=model)
    with ports.db.transaction(tenant) as uow:
        uow.exams.add(taken)
    with ports.db.transaction(other) as uow:
        assert uow.exams.find_all(taken.examined) == [taken]
        assert taken in uow.exams.find_all()


def test_an_exam_at_a_tenants_own_endpoint_is_seen_by_no_other(ports: Ports, tenant: str) -> None:
    other = f"t{uuid4().hex}"
    a_store(ports, tenant)
    a_store(ports, other)
    taken = an_exam(f"exm_{tenant}", owner=f"tenant:{tenant}")
    with ports.db.transaction(tenant) as uow:
        uow.exams.add(taken)
        assert uow.exams.find_all(taken.examined) == [taken]
    with ports.db.transaction(other) as uow:
        assert uow.exams.find_all(taken.examined) == []


def test_the_newest_exam_comes_first_and_one_of_another_server_is_another_models(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    owner = f"tenant:{tenant}"
    old = an_exam(f"exm_1{tenant}", owner=owner, passed=False)
    new = an_exam(f"exm_2{tenant}", owner=owner, taken_at=NOW + timedelta(days=1))
    elsewhere = an_exam(f"exm_3{tenant}", owner=owner, server="anthropic https://other.example.com")
    with ports.db.transaction(tenant) as uow:
        for one in (new, elsewhere, old):
            uow.exams.add(one)
        assert uow.exams.find_all(new.examined) == [new, old]
