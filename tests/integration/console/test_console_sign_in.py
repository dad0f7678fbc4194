"""Signing in at the console: by key, for one browser, until it signs out or the key ends."""

from dataclasses import replace

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.services.tenants.keys import find_keys, revoke_key, rotate_key
from tests.integration.api.api_support import a_token, id_of
from tests.integration.console.console_support import a_browser, a_visitor, csrf_of, send, sign_in

COOKIE = "slowwave_session"


def test_a_key_opens_the_console_and_the_page_that_was_asked_for(ports: Ports, tenant: str) -> None:
    browser, token = a_browser(ports), a_token(ports, tenant)
    wanted = f"/console/t/{tenant}/dreams?state=partial"
    asked = browser.get(wanted)
    assert asked.status_code == 303
    form = browser.get(asked.headers["location"])
    then = form.text.split('name="next" value="')[1].split('"')[0]
    answer = browser.post("/console/sign-in", data={"key": token, "csrf": csrf_of(form.text), "next": then})
    assert answer.headers["location"] == wanted
    assert browser.get(wanted).status_code == 200


def test_signing_in_with_a_key_is_a_use_of_it(ports: Ports, tenant: str) -> None:
    a_visitor(ports, tenant)
    (key,) = find_keys(ports.db, tenant)
    assert key.last_used_at is not None


def test_signing_in_never_leads_to_another_site(ports: Ports, tenant: str) -> None:
    token = a_token(ports, tenant)
    for wanted in (
        "https://evil.test/console",
        "//evil.test/console",
        "/console//evil.test",
        "/console\\@evil.test",
        "x",
    ):
        browser = a_browser(ports)
        form = browser.get("/console/sign-in", params={"next": wanted})
        answer = browser.post("/console/sign-in", data={"key": token, "csrf": csrf_of(form.text), "next": wanted})
        assert answer.headers["location"] == "/console"


def test_the_cookie_is_for_this_site_and_not_for_scripts(ports: Ports, tenant: str) -> None:
    token = a_token(ports, tenant)
    plain = sign_in(a_browser(ports), token).headers["set-cookie"].lower()
    assert "httponly" in plain
    assert "samesite=lax" in plain
    assert "secure" not in plain.split("slowwave_guest")[0]
    secure = sign_in(a_browser(ports, https=True), token).headers["set-cookie"].lower()
    assert "secure" in secure.split("slowwave_guest")[0]
    behind_proxy = replace(ports, settings=ports.settings.model_copy(update={"public_url": "https://console.test"}))
    assert "secure" in sign_in(a_browser(behind_proxy), token).headers["set-cookie"].lower()


def test_a_wrong_key_is_refused_with_what_to_do(ports: Ports, tenant: str) -> None:
    token = a_token(ports, tenant)
    for wrong in ("", "nonsense", token[:-4] + "AAAA", "swk_0_x"):
        browser = a_browser(ports)
        answer = sign_in(browser, wrong)
        assert answer.status_code == 401
        assert "not a valid key" in answer.text
        assert COOKIE not in browser.cookies


def test_a_word_that_was_planted_before_signing_in_is_worth_nothing_after(ports: Ports, tenant: str) -> None:
    browser = a_browser(ports)
    browser.cookies.set(COOKIE, "planted", domain="console.test", path="/console")
    sign_in(browser, a_token(ports, tenant))
    assert [cookie.value for cookie in browser.cookies.jar if cookie.name == COOKIE] != ["planted"]
    stranger = a_browser(ports)
    stranger.cookies.set(COOKIE, "planted")
    assert stranger.get(f"/console/t/{tenant}").status_code == 303


def test_signing_in_again_ends_the_session_before(ports: Ports, tenant: str) -> None:
    browser = a_visitor(ports, tenant)
    before = browser.cookies[COOKIE]
    form = a_browser(ports)
    guest = csrf_of(form.get("/console/sign-in").text)
    form.cookies.set(COOKIE, before)
    assert form.post("/console/sign-in", data={"key": a_token(ports, tenant), "csrf": guest}).status_code == 303
    assert browser.get(f"/console/t/{tenant}").status_code == 303


def test_signing_out_ends_the_session_on_the_server_too(ports: Ports, tenant: str) -> None:
    browser = a_visitor(ports, tenant)
    stolen = browser.cookies[COOKIE]
    assert send(browser, "/console/sign-out").headers["location"] == "/console/sign-in"
    assert COOKIE not in browser.cookies
    thief = a_browser(ports)
    thief.cookies.set(COOKIE, stolen)
    assert thief.get(f"/console/t/{tenant}").status_code == 303


def test_a_key_that_is_revoked_or_rotated_ends_its_sessions(ports: Ports, tenant: str) -> None:
    for end in ("revoke", "rotate"):
        browser, token = a_browser(ports), a_token(ports, tenant)
        sign_in(browser, token)
        assert browser.get(f"/console/t/{tenant}").status_code == 200
        if end == "revoke":
            revoke_key(ports.db, tenant, id_of(token), actor="a test", actor_role=Role.OPERATOR)
        else:
            rotate_key(ports.db, tenant, id_of(token), grace_minutes=0, actor="a test", actor_role=Role.OPERATOR)
        assert browser.get(f"/console/t/{tenant}").status_code == 303


def test_guessing_keys_is_slowed_down(ports: Ports) -> None:
    browser = a_browser(ports)
    answers = [sign_in(browser, "swk_0_guess").status_code for _ in range(30)]
    assert answers[0] == 401
    assert answers[-1] == 429


def test_part_of_a_page_that_is_asked_for_without_a_session_sends_the_whole_page_to_the_form(ports: Ports) -> None:
    browser = a_browser(ports)
    headers = {"HX-Request": "true"}
    asked = browser.get("/console/t/acme/dreams/drm_0/live", headers=headers)
    assert asked.headers["location"] == "/console/sign-in"
    assert browser.get("/console/sign-in", headers=headers).headers["hx-redirect"] == "/console/sign-in"


def test_no_key_is_ever_in_a_page_or_in_what_is_stored_of_a_session(ports: Ports, tenant: str) -> None:
    browser, token = a_browser(ports), a_token(ports, tenant)
    sign_in(browser, token)
    secret = token.rpartition("_")[2]
    assert secret not in browser.get(f"/console/t/{tenant}").text
    assert secret not in (ports.console_sessions.get(browser.cookies[COOKIE]) or "")
