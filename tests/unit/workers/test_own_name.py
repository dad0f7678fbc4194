"""Workers have names of their own, unless an operator has named them."""

from types import SimpleNamespace

import pytest
from celery.utils.nodenames import default_nodename, nodesplit

from workers.process.own_name import give_own_name


def test_two_workers_without_a_name_get_two_names_of_their_host() -> None:
    workers = [SimpleNamespace(hostname=default_nodename("")) for _ in range(2)]
    for worker in workers:
        give_own_name(worker)
    names = {worker.hostname for worker in workers}
    assert len(names) == 2, "also in one process, as in containers where every worker is process 1"
    assert {nodesplit(name)[1] for name in names} == {nodesplit(default_nodename(""))[1]}
    assert all(name.startswith("worker-") for name in names)


@pytest.mark.parametrize("given", ["big@here", default_nodename("night")])
def test_a_name_that_an_operator_has_given_stays(given: str) -> None:
    worker = SimpleNamespace(hostname=given)
    give_own_name(worker)
    assert worker.hostname == given
