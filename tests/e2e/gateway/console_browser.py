"""A real browser at the console of a real server with a real worker behind it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.services.tenants.keys import NewKey, create_key
from tests.e2e.workers.worker_support import ROOT

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (apt-get install chromium)")
#: `make pictures` sets it: the pictures of the documentation are taken again, those that are named here, each cut to this height in pixels.
PICTURES = os.environ.get("SLOWWAVE_PICTURES")
_CHOSEN = dict.fromkeys(
    (
        "overview-1280-light",
        "insight-1280-light",
        "webhooks-1280-light",
        "diff-1280-light",
        "reviews-1280-light",
        "dream-1280-light",
        "dream-400-dark",
        "store-400-light",
        "memory-1280-light",
        "keys-1280-light",
    ),
    700,
)
#: A page full of text takes more bytes than others: less of it is shown.
_CHOSEN["reviews-1280-light"] = 380
_CHOSEN["diff-1280-light"] = 545
#: Up to the charts, which are in the picture of the overview.
_CHOSEN["insight-1280-light"] = 590
#: A page of the documentation with all of them is still quick to load.
_MOST_BYTES = 120_000
#: From this width on, the navigation of an operator, who has all places, is one row beside a tenant's name.
_ONE_ROW_FROM, _MOST_HEADER = 1280, 50
IMAGES = ROOT / "docs" / "images"
#: A state is waited for; on a busy machine five seconds are too few.
_PATIENCE_MS = 60_000
_SERIOUS = {"serious", "critical"}


@dataclass(frozen=True, slots=True)
class Look:
    """The width of the window, and the colour scheme that its user prefers."""

    width: int
    colours: str

    def __str__(self) -> str:
        return f"{self.width}-{self.colours}"


LOOKS = [Look(width, colours) for width in (1280, 400) for colours in ("light", "dark")]


def a_key(ports: Ports, tenant: str, role: Role) -> str:
    """A key that opens the console; its owner's name may be seen in pictures."""
    key = NewKey(name="Ada", role=role)
    return create_key(ports.db, ports.ids, tenant, key, actor="a test", actor_role=Role.OPERATOR).token


@contextmanager
def a_chromium() -> Iterator[Browser]:
    """Debian's Chromium without a window."""
    expect.set_options(timeout=_PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Desk:
    """One person's browser: goes to pages, and looks at each with care."""

    def __init__(self, browser: Browser, address: str, look: Look) -> None:
        self._look = look
        self._address = address
        self.problems: list[str] = []
        self._context = browser.new_context(
            viewport={"width": look.width, "height": 860}, color_scheme="dark" if look.colours == "dark" else "light"
        )
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(_PATIENCE_MS)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(message.text)

    def go(self, path: str) -> None:
        self.page.goto(self._address + path)

    def sign_in(self, token: str) -> None:
        """Fill in the form that a stranger is led to."""
        self.page.get_by_label("Key").fill(token)
        self.page.get_by_role("button", name="Sign in", exact=True).click()
        expect(self.page.get_by_role("button", name="Sign out")).to_be_visible()

    def is_page(self, path: str) -> bool:
        """Tell whether an address answers with a whole page: others are parts of one, or files."""
        answer = self.page.request.get(self._address + path)
        assert answer.ok, f"{path}: {answer.status}"
        return "html" in answer.headers.get("content-type", "") and "<!doctype html>" in answer.text()

    def unfold_all(self) -> None:
        """Open what can be unfolded, so that it is examined, too."""
        self.page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        self.page.wait_for_load_state("networkidle")

    def examine(self, name: str) -> None:
        """Find what a user would stumble over on this page: too wide, or hard to use without eyes or a mouse."""
        width = self.page.evaluate("document.documentElement.scrollWidth")
        if width > self._look.width:
            self.problems.append(f"{name}: {width} px wide")
        header = self.page.evaluate("document.querySelector('.top')?.offsetHeight ?? 0")
        if self._look.width >= _ONE_ROW_FROM and header > _MOST_HEADER:
            self.problems.append(f"{name}: the header is {header} px high, more than one row")
        found = Axe().run(self.page).response["violations"]
        for one in found:
            if one["impact"] in _SERIOUS:
                places = [node["target"] for node in one["nodes"]][:3]
                self.problems.append(f"{name}: {one['id']}: {one['help']} at {places}")
        if PICTURES and f"{name}-{self._look}" in _CHOSEN:
            IMAGES.mkdir(parents=True, exist_ok=True)
            picture = Path(IMAGES / f"console-{name}-{self._look}.png")
            taken = self.page.screenshot(
                path=picture,
                clip={"x": 0, "y": 0, "width": self._look.width, "height": _CHOSEN[f"{name}-{self._look}"]},
            )
            if len(taken) > _MOST_BYTES:
                self.problems.append(f"{picture.name} has {len(taken):,} bytes")

    def close(self) -> None:
        self._context.close()
