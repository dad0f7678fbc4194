"""The console in this process: browsers that are signed in, and the forms that they send."""

import re
from html import unescape
from typing import Any
from uuid import uuid4

from starlette.testclient import TestClient

from gateway.api.server import create_server
from gateway.console.visitor import COOKIE
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.api.api_support import a_token, an_app
from tests.support.one_loop import on_one_loop

#: The tokens that were read before, by the browser's session: they stay the same while it lasts.
_TOKENS: dict[str, str] = {}
_FORM = re.compile(r'name="csrf" value="([^"]+)"')


def a_browser(ports: Ports, *, https: bool = False) -> TestClient:
    """A browser that follows no redirect by itself."""
    origin = "https://console.test" if https else "http://console.test"
    browser = TestClient(
        an_app(ports, create_server),
        base_url=origin,
        follow_redirects=False,
        raise_server_exceptions=False,
        client=(uuid4().hex, 1),  # an address that no other test guesses from
    )
    return on_one_loop(browser)


def csrf_of(text: str) -> str:
    """The CSRF token that the forms of a page carry."""
    found = _FORM.search(text)
    assert found, text
    return unescape(found.group(1))


def fields_of(text: str) -> dict[str, str]:
    """The hidden fields of the forms of a page."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text))


def sign_in(browser: TestClient, token: str) -> Any:
    """Sign in with a key; return the server's answer."""
    form = browser.get("/console/sign-in")
    return browser.post("/console/sign-in", data={"key": token, "csrf": csrf_of(form.text)})


def a_visitor(ports: Ports, tenant: str, role: Role = Role.ADMIN) -> TestClient:
    """A browser that is signed in."""
    browser = a_browser(ports)
    assert sign_in(browser, a_token(ports, tenant, role, rate_per_minute=100_000)).status_code == 303
    return browser


def send(browser: TestClient, where: str, **fields: str) -> Any:
    """Send a form with the CSRF token of the session's pages."""
    session = browser.cookies.get(COOKIE) or ""
    if session not in _TOKENS:
        page = browser.get(browser.get("/console").headers.get("location", "/console"))
        _TOKENS[session] = csrf_of(page.text)
    return browser.post(where, data={"csrf": _TOKENS[session], **fields})
