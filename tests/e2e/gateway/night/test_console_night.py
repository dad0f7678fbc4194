"""A reviewer's night of 140 operations at the console, in Chromium: each gets a verdict, none is stuck, and the hands' work is counted."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import ReviewState
from shared.core.policy.policy import Autonomy
from shared.core.questions.question import Question
from shared.core.tenants.roles import Role
from shared.services.operations.review import count_reviews_by_facet
from tests.e2e.gateway.console_browser import Desk, Look, a_key, needs_chromium
from tests.support.builders import a_store, get_operations, run_dream, write
from tests.support.session_builders import tell
from workers.phases.gather.answer import GatherAnswer, GatheredMemory

pytestmark = [pytest.mark.thorough, needs_chromium]
_STORES = ("day", "night")
_ROOMS = ("attic", "bakery", "cellar", "dairy", "engine", "forge", "garage")
_THINGS = ("boiler", "cabinet", "drawer", "fridge", "gate", "hatch", "locker", "oven", "safe", "vault")
_OPERATIONS = len(_STORES) * len(_ROOMS) * len(_THINGS)
#: One of so many verdicts is a rejection.
_REJECTED_EACH = 5
#: A verdict by itself is one key, and a rejection one more for its reason; each page of twenty is opened by two.
_MOST_KEYS = _OPERATIONS + _OPERATIONS // _REJECTED_EACH + 2 * (_OPERATIONS // 20)
#: Two to choose all, one to open the form, one to approve.
_MOST_CLICKS = 3


class _Hands:
    """The keys and the mouse of a person, counted."""

    def __init__(self, desk: Desk) -> None:
        self.page = desk.page
        self.keys = self.clicks = 0

    def press(self, key: str) -> None:
        self.keys += 1
        self.page.keyboard.press(key)

    def click(self, role: str, name: str) -> None:
        self.clicks += 1
        found = (
            self.page.get_by_role("link", name=name) if role == "link" else self.page.get_by_role("button", name=name)
        )
        found.click()


def _said(number: int) -> str:
    room, thing = _ROOMS[number // len(_THINGS)], _THINGS[number % len(_THINGS)]
    if number % 2:
        return f"No, the {thing} in the {room} is opened by Ada."
    return f"Remember that the {thing} in the {room} was built by the firm of Brandt."


def _old(number: int) -> str:
    room, thing = _ROOMS[number // len(_THINGS)], _THINGS[number % len(_THINGS)]
    return f"The {thing} in the {room} is opened by Ben."


_PATHS = {number: f"{_ROOMS[number // len(_THINGS)]}/{_THINGS[number % len(_THINGS)]}.md" for number in range(70)}


def _answer(question: Question) -> GatherAnswer | None:
    """Everything that was said, as the odd ones correct a note and the even ones are new."""
    if question.phase != "gather":
        return None
    found = []
    for piece in (document for document in question.documents if document.role == "session"):
        for number, path in _PATHS.items():
            if _said(number) not in piece.text:
                continue
            is_correction = bool(number % 2)
            found.append(
                GatheredMemory(
                    kind="correction" if is_correction else "save",
                    window=piece.path,
                    quote=_said(number),
                    statement=_said(number).removeprefix("No, ").removeprefix("Remember that ").capitalize(),
                    target=path if is_correction else None,
                    replaces=_old(number) if is_correction else None,
                    confidence=0.9,
                )
            )
    return GatherAnswer(memories=tuple(found))


def _a_night(ports: Ports, tenant: str) -> list[str]:
    """Two stores whose dreams propose 70 operations each; return the ids of the dreams."""
    dreams = []
    for store in _STORES:
        notes = {path: f"# {path}\n\n{_old(number)}\n" for number, path in _PATHS.items() if number % 2}
        write(ports, tenant, notes, store=store)
        a_store(ports, tenant, store, autonomy=Autonomy.PROPOSE)
        for number in _PATHS:
            tell(ports, tenant, f"s{number}", _said(number), store=store, at=datetime.now(UTC))
        dreams.append(run_dream(ports, tenant, ScriptedLlm(_answer), store=store).id)
    assert sum(one.number for one in count_reviews_by_facet(ports.db, tenant)) == _OPERATIONS
    return dreams


def _verdicts(ports: Ports, tenant: str, dreams: list[str]) -> list[ReviewState]:
    found = [one for dream in dreams for one in get_operations(ports, tenant, dream)]
    return [one.review for one in found if one.review is not ReviewState.NONE]


def test_a_night_of_140_is_read_and_decided_one_by_one_by_keys(
    address: str, chromium: Browser, session_ports: Ports
) -> None:
    tenant = f"night-{uuid4().hex[:8]}"
    dreams = _a_night(session_ports, tenant)
    desk = Desk(chromium, address, Look(1280, "light"))
    try:
        desk.go(f"/console/t/{tenant}/reviews")
        desk.sign_in(a_key(session_ports, tenant, Role.REVIEWER))
        hands = _Hands(desk)
        _decides_one_by_one(hands)
        expect(desk.page.get_by_text("Nothing is waiting for review.")).to_be_visible()
        assert desk.problems == []
    finally:
        desk.close()
    verdicts = _verdicts(session_ports, tenant, dreams)
    assert verdicts.count(ReviewState.REJECTED) == _OPERATIONS // _REJECTED_EACH
    assert verdicts.count(ReviewState.APPROVED) == _OPERATIONS - _OPERATIONS // _REJECTED_EACH
    assert hands.clicks == 0
    assert hands.keys <= _MOST_KEYS


def _decides_one_by_one(hands: _Hands) -> None:
    page, decided = hands.page, 0
    waiting = page.locator("[data-review]:not([data-settled])")
    while left := waiting.count():
        hands.press("j")
        for _ in range(left):
            number = waiting.count()
            decided += 1
            if decided % _REJECTED_EACH:
                hands.press("a")
            else:
                hands.press("r")
                hands.press("1")
            expect(waiting).to_have_count(number - 1)
            # A person looks at the next one before a key is pressed; it has the focus by then.
            expect(
                page.locator("[data-review]:not([data-settled]):focus, a[rel=next]:focus, a[data-onward]:focus")
            ).to_have_count(1)
        page.evaluate("window.sameDocument = true")
        hands.press("Enter")
        page.wait_for_function("!window.sameDocument")


def test_a_night_of_140_is_approved_as_a_whole_by_three_clicks(
    address: str, chromium: Browser, session_ports: Ports
) -> None:
    tenant = f"night-{uuid4().hex[:8]}"
    dreams = _a_night(session_ports, tenant)
    desk = Desk(chromium, address, Look(400, "dark"))
    try:
        desk.go(f"/console/t/{tenant}/reviews")
        desk.sign_in(a_key(session_ports, tenant, Role.REVIEWER))
        hands = _Hands(desk)
        hands.click("link", f"Select all {_OPERATIONS} …")
        expect(desk.page.get_by_role("heading", name=f"{_OPERATIONS} operations")).to_be_visible()
        hands.clicks += 1
        desk.page.get_by_text(f"Approve all {_OPERATIONS} …").click()
        hands.click("button", f"Approve {_OPERATIONS}")
        expect(desk.page.get_by_role("heading", name=f"Approved: {_OPERATIONS} operations")).to_be_visible()
        assert desk.problems == []
    finally:
        desk.close()
    assert set(_verdicts(session_ports, tenant, dreams)) == {ReviewState.APPROVED}
    assert hands.clicks <= _MOST_CLICKS
