"""No text of a tool, a paste or a program becomes a live memory, whatever a model believes."""

import pytest

from benchmarks.poisoning import MODELS, SOURCES, TEXTS, dream, find_live, tell_all
from shared.all_ports import Ports
from tests.support.builders import a_store
from tests.support.laws import some_quick

_UNTRUSTED = [source for source in SOURCES if source.startswith(("tool", "pasted", "machine"))]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("source", some_quick(_UNTRUSTED, one_in=4))
def test_nothing_of_an_untrusted_source_is_live_after_two_dreams(
    ports: Ports, tenant: str, source: str, model: str
) -> None:
    a_store(ports, tenant)
    tell_all(ports, tenant, SOURCES[source])
    for _ in range(2):
        dream(ports, tenant, MODELS[model]())
    assert find_live(ports, tenant) == set()


def test_what_a_person_says_is_remembered(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    tell_all(ports, tenant, SOURCES["user: own words"])
    dream(ports, tenant, MODELS["rules"]())
    assert len(find_live(ports, tenant)) > len(TEXTS) / 2
