"""Show what dreams cost, by store, model, phase and day, with budgets, forecast and savings; and hand it out as a file."""

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import urlencode

import orjson
from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from gateway.api.http.parameters import StoreFilter
from gateway.console.pages import POLICY, page
from gateway.console.views.charts import costs_chart
from gateway.console.visitor import AdminReader, OperatorReader, Visitor
from gateway.phases import get_phases
from shared.ports.tenants import CostBy, CostFilter
from shared.services.budgets.use import find_budget_lines
from shared.services.costs.report import CostReport, get_cost_report
from shared.services.tenants.forecast import CostLine, find_cost_lines

router = APIRouter(prefix="/console/t/{tenant}/costs", include_in_schema=False)
root_router = APIRouter(prefix="/console/costs", include_in_schema=False)
_PERIODS = (7, 30, 92)
_SHOWN = 100
_OF_TENANT = (CostBy.STORE, CostBy.MODEL, CostBy.PHASE, CostBy.DAY)
_OF_ALL = (CostBy.TENANT, CostBy.STORE, CostBy.MODEL, CostBy.PHASE, CostBy.DAY)
#: A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
By = Annotated[str, Query(max_length=20)]
Days = Annotated[int, Query(ge=1, le=92)]
Word = Annotated[str, Query(max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostQuery:
    """The choices in the address of the page."""

    by: CostBy
    days: int
    store: str = ""
    model: str = ""
    phase: str = ""

    @property
    def filters(self) -> dict[str, str]:
        """Return what narrows the calls."""
        return {name: value for name in ("store", "model", "phase") if (value := getattr(self, name))}

    def query(self, **other: object) -> str:
        """Return the query of an address with the same choices but for some; an empty one is left out."""
        whole = {"by": self.by, "days": self.days, **self.filters} | other
        return urlencode({name: value for name, value in whole.items() if value})


def choose(by: By = "", days: Days = 30, store: StoreFilter = None, model: Word = "", phase: Word = "") -> CostQuery:
    """Return what an address asks for; an unknown kind of sum is by store."""
    wanted = CostBy(by) if by in set(_OF_TENANT) else CostBy.STORE
    model, phase = (text.replace("\x00", "") for text in (model, phase))
    return CostQuery(by=wanted, days=days, store=store or "", model=model, phase=phase)


Choice = Annotated[CostQuery, Depends(choose)]


@router.get("")
def show(request: Request, visitor: AdminReader, chosen: Choice) -> Response:
    """Show a tenant's costs."""
    report = _report(visitor, chosen)
    return page(
        request,
        visitor,
        "costs/costs.html",
        report=report,
        lines=report.lines[:_SHOWN],
        chosen=chosen,
        kinds=_OF_TENANT,
        periods=_PERIODS,
        chart_of_days=costs_chart(report.days),
        labels={phase: get_phases().label_of(phase) for phase in _names(report.lines, chosen)},
        budgets=find_budget_lines(visitor.ports.db, visitor.tenant_id),
    )


@router.get("/download")
def download(
    visitor: AdminReader,
    chosen: Choice,
    kind: Annotated[str, Query(pattern="^(csv|json)$")] = "csv",
) -> Response:
    """Return the sums that the page shows, as a file."""
    rows = [_row(line) for line in _report(visitor, chosen).lines]
    name = f"costs-{visitor.tenant_id}-by-{chosen.by}-{datetime.now(UTC):%Y-%m-%d}.{kind}"
    content = orjson.dumps(rows, option=orjson.OPT_INDENT_2) if kind == "json" else _write_csv(rows)
    return Response(
        content,
        media_type="application/json" if kind == "json" else "text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
            "Content-Security-Policy": POLICY,
        },
    )


@root_router.get("")
def show_all(request: Request, visitor: OperatorReader, by: By = "", days: Days = 30) -> Response:
    """Show the costs of all tenants."""
    wanted = CostBy(by) if by in set(_OF_ALL) else CostBy.TENANT
    lines = find_cost_lines(visitor.ports.db.installation.find_costs, days, wanted, datetime.now(UTC).date())
    return page(
        request,
        visitor,
        "costs/all.html",
        lines=lines[:_SHOWN],
        more=max(0, len(lines) - _SHOWN),
        chosen=CostQuery(by=wanted, days=days),
        kinds=_OF_ALL,
        periods=_PERIODS,
        chart_of_days=costs_chart(visitor.ports.db.installation.find_days(days)),
        total=sum(line.cost.cost_usd for line in lines),
        tokens=sum(line.cost.tokens for line in lines),
        labels={},
    )


def _report(visitor: Visitor, chosen: CostQuery) -> CostReport:
    ports = visitor.ports
    return get_cost_report(
        ports.db,
        visitor.tenant_id,
        days=chosen.days,
        by=chosen.by,
        wanted=CostFilter(store=chosen.store, model=chosen.model, phase=chosen.phase),
        settings=ports.settings,
    )


def _names(lines: Sequence[CostLine], chosen: CostQuery) -> list[str]:
    return [line.cost.name for line in lines] if chosen.by is CostBy.PHASE else []


def _row(line: CostLine) -> dict[str, object]:
    forecast = {"month_usd": None, "month_end_usd": None} if line.forecast is None else asdict(line.forecast)
    return asdict(line.cost) | forecast


def _write_csv(rows: Sequence[dict[str, object]]) -> str:
    out = io.StringIO()
    columns = ("name", "model_calls", "tokens", "cost_usd", "month_usd", "month_end_usd")
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([_cell(row[name]) for name in columns] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
