"""Keep the filters of a list under a name, and forget them."""

from typing import Annotated
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Form
from starlette.responses import Response

from gateway.console.pages import go
from gateway.console.visitor import SignedIn, Visitor
from shared.core.errors import BadInputError, ConflictError, NotFoundError
from shared.core.listings.saved_filters import MAX_QUERY_CHARS, FilteredList, SavedFilter
from shared.services.dreams.saved_filters import delete_filter, find_filters, save_filter

router = APIRouter(prefix="/console/t/{tenant}/filters", include_in_schema=False)
#: The parameters of each list's address that are filters, in the order in which they are kept.
_PARAMETERS = {
    FilteredList.REVIEWS: ("kind", "phase", "confidence", "store", "dream", "assigned"),
    FilteredList.DREAMS: ("state", "store", "since", "until"),
    FilteredList.AUDIT: ("actor", "action", "day"),
}
#: The path of each list below the tenant's address.
_ADDRESSES = {FilteredList.REVIEWS: "reviews", FilteredList.DREAMS: "dreams", FilteredList.AUDIT: "settings/audit"}
Of = Annotated[FilteredList, Form(alias="list")]
Name = Annotated[str, Form(max_length=500)]
Query = Annotated[str, Form(max_length=4 * MAX_QUERY_CHARS)]


@router.post("")
def save(visitor: SignedIn, of: Of = FilteredList.REVIEWS, name: Name = "", query: Query = "") -> Response:
    """Keep the filters that a list has, in place of those of the same name."""
    kept = SavedFilter(name=name.strip(), query=_read_query(of, query))
    try:
        save_filter(visitor.ports.db, visitor.tenant_id, of, kept, owner=visitor.actor)
    except (BadInputError, ConflictError) as error:
        return _back(visitor, of, kept.query, str(error), "refused")
    return _back(visitor, of, kept.query, f"Saved as {kept.name}")


@router.post("/delete")
def delete(visitor: SignedIn, of: Of = FilteredList.REVIEWS, name: Name = "", query: Query = "") -> Response:
    """Forget a filter; the list stays as it is."""
    shown = _read_query(of, query)
    try:
        delete_filter(visitor.ports.db, visitor.tenant_id, of, name, owner=visitor.actor)
    except NotFoundError as error:
        return _back(visitor, of, shown, str(error), "refused")
    return _back(visitor, of, shown, f"{name} is deleted")


def saved_filters(visitor: Visitor, of: FilteredList, query: str) -> dict[str, object]:
    """Return what a page needs to show the visitor's filters of its list, which is at a query of its address now."""
    found = find_filters(visitor.ports.db, visitor.tenant_id, of, owner=visitor.actor)
    return {"list": of, "address": _ADDRESSES[of], "filters": found, "query": _read_query(of, query)}


def _read_query(of: FilteredList, query: str) -> str:
    """Return the filters of a query in their order, without what is empty or no filter of the list."""
    given = dict(parse_qsl(query.removeprefix("?")))
    return urlencode({name: given[name] for name in _PARAMETERS[of] if given.get(name)})


def _back(visitor: Visitor, of: FilteredList, query: str, said: str, kind: str = "done") -> Response:
    where = f"/console/t/{visitor.tenant_id}/{_ADDRESSES[of]}"
    return go(visitor, f"{where}?{query}" if query else where, said, kind)
