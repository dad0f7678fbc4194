"""Find what is stored of secrets or personal data: from before the scanner knew its kind, or from a time when it was let in."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from shared.core.forgetting.json_values import strings_of_json
from shared.core.personal_data.spans import Span, mask_spans
from shared.ports.database import Database, UnitOfWork
from shared.ports.stores import StoredRow

#: Finds something in a text: secrets, or personal data.
Find = Callable[[str], Sequence[Span]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """The finding of a scan at one place of a store: a memory by its path, or a column of another table with the number of its rows.

    `kinds` says how often each kind was found. None of it is shown, and a path is masked. The first store of a tenant comes with what is of none.
    """

    tenant: str
    store: str
    place: str
    path: str = ""
    rows: int
    kinds: dict[str, int]


def find_stored(db: Database, find: Find) -> Iterator[Stored]:
    """Yield where texts of all tenants hold something, in every table, older versions and events of sessions too."""
    for tenant in db.sweeps.find_tenants():
        with db.transaction(tenant) as uow:
            stores = [(one.id, one.name) for one in uow.stores.find_all()]
        for number, (store_id, name) in enumerate(stores):
            with db.transaction(tenant, read_only=True) as uow:
                yield from _find_in_store(uow, store_id, name, find, with_tenants=number == 0)


def _find_in_store(uow: UnitOfWork, store_id: str, name: str, find: Find, *, with_tenants: bool) -> Iterator[Stored]:
    kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
    rows: Counter[str] = Counter()
    for row in uow.forgetting(store_id).find_all_rows(with_tenants=with_tenants):
        found = _find_in_row(row, find)
        if row.table == "memories" and found:
            path = str(row.values["path"])
            all_kinds = sum(found.values(), Counter[str]())
            yield Stored(
                tenant=uow.tenant_id, store=name, place="memories", path=mask_spans(path, find(path)), rows=1, kinds=dict(all_kinds),
            )  # fmt: skip
            continue
        for column, held in found.items():
            place = f"{row.table}.{column}"
            kinds[place] += held
            rows[place] += 1
    for place, held in sorted(kinds.items()):
        yield Stored(tenant=uow.tenant_id, store=name, place=place, rows=rows[place], kinds=dict(held))


def _find_in_row(row: StoredRow, find: Find) -> dict[str, Counter[str]]:
    """Return how often each kind was found, by column."""
    found = {
        column: Counter(span.kind for text in strings_of_json(value) for span in find(text))
        for column, value in row.values.items()
    }
    return {column: kinds for column, kinds in found.items() if kinds}
