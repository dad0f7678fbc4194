"""The console asks the database the same for another tenant's id as for one that does not exist: time tells nothing."""

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.access.test_api_timing_class import asked
from tests.integration.api.api_support import a_tenant_with_everything
from tests.integration.console.console_support import a_visitor, csrf_of
from tests.integration.console.test_console_pages import MISSING, NEEDS, OF_A_TENANT, OF_OPERATORS, WITH_IDS

#: An operator sees every tenant, so that a page of operators has nothing to hide.
NAMED = [route for route in WITH_IDS if NEEDS[route] is not OF_OPERATORS]
#: A store that is missing in front of an id ends the question before the id is looked at.
OWN = {"store": "mine"}


def test_anothers_id_and_a_missing_one_cost_the_same_questions(session_ports: Ports) -> None:
    theirs = a_tenant_with_everything(session_ports)
    tenant = f"looking-{theirs.tenant}"
    browser = a_visitor(session_ports, tenant, Role.ADMIN)
    csrf = csrf_of(browser.get(f"/console/t/{tenant}").text)
    foreign = {name: getattr(theirs, name) for name in MISSING}
    for method, path in NAMED:
        own = OWN if path.count("{") > 2 else {"store": "gone"}  # every tenant has a store called default
        answers = []
        for ids in (foreign | own, MISSING | own):
            with asked() as statements:
                data = {"csrf": csrf} if method == "POST" else None
                answer = browser.request(method, path.format(**ids, tenant=tenant), data=data)
            answers.append((answer.status_code, statements))
        assert answers[0] == answers[1], (method, path)
        assert answers[0][0] == 404, (method, path)
        assert answers[0][1], (method, path)  # it did ask


def test_anothers_tenant_and_a_missing_one_cost_the_same_questions(session_ports: Ports) -> None:
    theirs = a_tenant_with_everything(session_ports)
    browser = a_visitor(session_ports, f"peeping-{theirs.tenant}", Role.ADMIN)
    ids = {name: getattr(theirs, name) for name in MISSING}
    for method, path in OF_A_TENANT:
        answers = []
        for tenant in (theirs.tenant, "no-such-tenant"):
            with asked() as statements:
                answer = browser.request(method, path.format(**ids, tenant=tenant), data={})
            answers.append((answer.status_code, statements))
        assert answers[0] == answers[1] == (404, answers[0][1]), (method, path)
