"""List the places of the console's main navigation. A new place is a line here."""

import re
from dataclasses import dataclass

from gateway.console.visitor import HOME, Visitor
from shared.core.tenants.roles import Permission

INSTALLATION = f"{HOME}/installation"


@dataclass(frozen=True, slots=True)
class Place:
    """A link of the main navigation, followed by `g` and its key."""

    key: str
    label: str
    #: Follows `/console/t/TENANT`.
    suffix: str
    #: The pages below the place, as a pattern of what follows `/console/t/TENANT`.
    pages: str
    permission: Permission = Permission.READ


PLACES = (
    Place("o", "Overview", "", ""),
    Place("s", "Stores", "/stores", "/stores(?!.*/(memories|forget|graph|sessions|ask)).*"),
    Place("l", "Insight", "/insight", "/insight.*"),
    Place("m", "Memories", "/memories", ".*/(memories|forget|graph).*"),
    Place("a", "Ask", "/ask", ".*/ask", Permission.REVIEW),
    Place("n", "Sessions", "/sessions", ".*/sessions.*"),
    Place("d", "Dreams", "/dreams", "/dreams.*"),
    Place("r", "Reviews", "/reviews", "/(reviews|operations).*"),
    Place("c", "Costs", "/costs", "/costs.*", Permission.ADMINISTER),
    Place("e", "Settings", "/settings", "/settings.*", Permission.ADMINISTER),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A place as a page shows it."""

    key: str
    label: str
    address: str
    is_current: bool


def find_links(visitor: Visitor, path: str) -> list[Link]:
    """Return the places that a visitor may go to; the one of the page at `path` is marked as current."""
    base = f"{HOME}/t/{visitor.tenant_id}"
    below = path.removeprefix(base) if path.startswith(base) else None
    links = [
        Link(
            key=place.key,
            label=place.label,
            address=base + place.suffix,
            is_current=below is not None and re.fullmatch(place.pages, below) is not None,
        )
        for place in PLACES
        if visitor.session.may(place.permission)
    ]
    if visitor.is_operator:
        links[:0] = [
            Link(key="t", label="Tenants", address=HOME, is_current=path == HOME),
            Link(key="i", label="Installation", address=INSTALLATION, is_current=path == INSTALLATION),
        ]
    return links
