"""Every page of the console, found by its route, in Chromium: nothing hard to use, no script error, nothing too wide."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from starlette.routing import Route

from gateway.console.routers import ROUTERS
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.e2e.gateway.console_browser import Desk, Look, a_chromium, a_key, needs_chromium
from tests.integration.api.api_support import Everything, a_tenant_with_everything
from tests.support.clients.served import a_server

#: That each route is there, and for whom, is held by tests/integration/console/test_console_pages.py without a browser.
pytestmark = [pytest.mark.thorough, needs_chromium]
#: No pages of the console's own: files, and the way to a provider that no test has.
_NO_PAGES = {"/", "/console/static/{name}", "/console/oidc/start", "/console/oidc/callback"}
LOOKS = [Look(400, "light"), Look(1280, "dark"), Look(1920, "light")]
PAGES = sorted(
    {
        route.path
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, Route) and "GET" in (route.methods or ()) and route.path not in _NO_PAGES
    }
)


@pytest.fixture(scope="module")
def everything(session_ports: Ports) -> Everything:
    return a_tenant_with_everything(session_ports)


@pytest.fixture(scope="module")
def desks(session_ports: Ports, everything: Everything) -> Iterator[list[Desk]]:
    """An operator, signed in at each width, once for all pages."""
    token = a_key(session_ports, everything.tenant, Role.OPERATOR)
    with a_server(session_ports) as address, a_chromium() as browser:
        yield [_sit_down(browser, address, look, token) for look in LOOKS]


def _sit_down(browser: Browser, address: str, look: Look, token: str) -> Desk:
    desk = Desk(browser, address, look)
    desk.go("/console/sign-in")
    desk.examine("sign-in")
    desk.sign_in(token)
    return desk


@pytest.mark.parametrize("path", PAGES)
def test_a_page_can_be_used_at_each_width_in_each_theme(path: str, desks: list[Desk], everything: Everything) -> None:
    address = path.format(**everything._asdict())
    if not desks[0].is_page(address):
        return  # a part of a page, or a file
    for desk in desks:
        desk.problems.clear()
        desk.go(address)
        desk.unfold_all()
        desk.examine(path)
        assert desk.problems == []
