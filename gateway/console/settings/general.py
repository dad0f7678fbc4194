"""Show and change what holds for a tenant: its clock and limits, its model, and how long it keeps things."""

from collections.abc import Mapping
from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import Response

from gateway.api.shapes.tenants import ClockPatch, TenantPatch, changes_of
from gateway.console.pages import page
from gateway.console.settings.changes import Fields, Line, change, read_changed, read_form
from gateway.console.visitor import Administrator, AdminReader, Operator, Visitor
from gateway.phases import find_exam_standings, get_phases
from shared.core.errors import BadInputError
from shared.core.tenants.model_settings import ADAPTERS, BATCH, MODEL_SETTINGS, SourcedValue
from shared.core.tenants.phase_models import OF_PHASE
from shared.services.tenants.configure import TenantChanges, configure_tenant, set_retention
from shared.services.tenants.effective import EffectiveTenant, find_effective_tenant

router = APIRouter(prefix="/console/t/{tenant}/settings", include_in_schema=False)
_STORES_SHOWN = 50
#: Who may see which variable of the server holds a key: operators.
_OF_SERVER = frozenset({"api_key_variable"})
#: What each rule of retention keeps.
_KEPT = {
    "undo": "Dreams that can be undone", "versions": "Old versions of memories",
    "archived": "Archived, superseded and removed memories", "dreams": "Dreams with their operations",
    "calls": "Model calls of dreams", "audit": "Audit log", "sessions": "Sessions that were read",
    "feedback": "Feedback", "workflows": "Workflow runs", "skill_uses": "Uses of skills", "exams": "Replaced exams", "directives": "Replaced directives",
    "deliveries": "Deliveries of webhooks", "searches": "Searches of agents",
}  # fmt: skip


def find_of_tenant(visitor: Visitor) -> EffectiveTenant:
    """Return what holds for the tenant of a page."""
    return find_effective_tenant(visitor.ports.db, visitor.ports.settings, visitor.tenant_id)


def hide_of_server(visitor: Visitor, model: Mapping[str, SourcedValue]) -> dict[str, SourcedValue]:
    """Return what a visitor may see of a model's settings."""
    return {name: one for name, one in model.items() if visitor.is_operator or name not in _OF_SERVER}


def name_model_settings() -> list[str]:
    """Return the names of a model's settings, with those of each phase that asks one."""
    return [*MODEL_SETTINGS, *(f"{OF_PHASE}{phase}" for phase in get_phases().asking)]


@router.get("")
def show(request: Request, visitor: AdminReader) -> Response:
    """Show the clock and the limits of a tenant, and lead to the settings of its stores."""
    found = find_of_tenant(visitor)
    return page(request, visitor, "settings/general.html", found=found, stores=found.stores[:_STORES_SHOWN])


@router.post("/clock")
def set_clock(visitor: Administrator, time_zone: Line = "", quiet_hours: Line = "", locale: Line = "") -> Response:
    """Change the time zone, the quiet hours and the language."""

    def carry_out() -> str:
        given = {"time_zone": time_zone, "locale": locale}
        wanted = read_form(ClockPatch, given).model_copy(update={"quiet_hours": quiet_hours.strip()})
        configure_tenant(visitor.ports.db, visitor.tenant_id, changes=changes_of(wanted), actor=visitor.actor)
        return "The clock is set"

    return change(visitor, "", carry_out)


@router.post("/limits")
def set_limits(
    visitor: Operator,
    max_concurrent_dreams: Line = "",
    tokens_per_day: Line = "",
    model_calls_per_minute: Line = "",
    model_calls_at_once: Line = "",
    usd_per_day: Line = "",
    usd_per_month: Line = "",
) -> Response:
    """Change the limits of a tenant; an empty budget in dollars holds no more, any other empty field stays as it is."""
    dollars = {"usd_per_day": usd_per_day, "usd_per_month": usd_per_month}
    given = dollars | {
        "max_concurrent_dreams": max_concurrent_dreams,
        "tokens_per_day": tokens_per_day,
        "model_calls_per_minute": model_calls_per_minute,
        "model_calls_at_once": model_calls_at_once,
    }

    def carry_out() -> str:
        taken_back = tuple(name for name, value in dollars.items() if not value.strip())
        wanted = replace(changes_of(read_form(TenantPatch, given)), taken_back=taken_back)
        configure_tenant(visitor.ports.db, visitor.tenant_id, changes=wanted, actor=visitor.actor)
        return "The limits are set"

    return change(visitor, "", carry_out)


@router.get("/model")
def show_model(request: Request, visitor: AdminReader) -> Response:
    """Show which model the dreams of a tenant ask, and where each part of that comes from."""
    found = find_of_tenant(visitor)
    return page(
        request,
        visitor,
        "settings/model.html",
        model=hide_of_server(visitor, found.model),
        own={name: found.model[name].value for name in found.tenant.llm if name in found.model},
        choices={"adapter": ADAPTERS, "batch": BATCH},
        names=name_model_settings(),
        exams=find_exam_standings(visitor.ports.settings, visitor.ports.db, visitor.tenant_id),
    )


@router.post("/model")
def set_model(visitor: Operator, given: Fields) -> Response:
    """Change a tenant's model; an empty field goes back to the installation's."""
    return change(visitor, "/model", lambda: _set_model(visitor, given))


def _set_model(visitor: Visitor, given: dict[str, str]) -> str:
    shown = find_of_tenant(visitor)
    own = {name: shown.model[name].value for name in shown.tenant.llm if name in shown.model}
    wanted = TenantChanges(llm=read_changed(own, given))
    if not wanted.llm:
        raise BadInputError("Nothing was changed")
    configure_tenant(visitor.ports.db, visitor.tenant_id, changes=wanted, actor=visitor.actor, phases=get_phases())
    return f"Set: {', '.join(sorted(wanted.llm))}"


@router.get("/retention")
def show_retention(request: Request, visitor: AdminReader) -> Response:
    """Show how long things of a tenant are kept."""
    return page(request, visitor, "settings/retention.html", found=find_of_tenant(visitor), names=_KEPT)


@router.post("/retention")
def set_days(visitor: Administrator, given: Fields) -> Response:
    """Change how long things of a tenant are kept; an empty field goes back to the installation's days."""
    return change(visitor, "/retention", lambda: _set_days(visitor, given))


def _set_days(visitor: Visitor, given: dict[str, str]) -> str:
    own = find_of_tenant(visitor).tenant.retention
    changed = read_changed({**own}, given)
    if not changed:
        raise BadInputError("Nothing was changed")
    days = {rule: _read_days(rule, value) for rule, value in changed.items()}
    set_retention(visitor.ports.db, visitor.tenant_id, days, visitor.ports.settings.retention, actor=visitor.actor)
    return f"Set: {', '.join(sorted(days))}"


def _read_days(rule: str, value: str) -> int | None:
    if value and not (value.isascii() and value.isdigit() and len(value) < 10):
        raise BadInputError(f"{rule[:40]} takes a number of days, not {value[:40]!r}")
    return int(value) if value else None
