"""`slowwave stores arms`: compare the arms of a tenant's stores by what their dreams did."""

from dataclasses import asdict

from gateway.cli.console.options import AsJson, Tenant
from gateway.cli.console.output import print_json, print_table, say
from gateway.cli.console.session import open_session
from shared.core.evaluation.arms import ArmSums
from shared.program import COMMAND
from shared.services.evaluation.arms import compare_arms

_COLUMNS = (
    "arm",
    "stores",
    "dreams",
    "measured",
    "found before → after",
    "a dream's difference",
    "fell",
    "$",
    "rejected",
)


def list_arms(tenant: Tenant, as_json: AsJson = False) -> None:
    """Compare arms: dreams, recall before and after with a 95 % interval, cost, and the share of changes that were rejected."""
    with open_session(tenant=tenant) as session:
        arms = compare_arms(session.ports.db, tenant)
    if as_json:
        print_json([asdict(arm) for arm in arms])
        return
    print_table(f"Arms of {tenant}", _COLUMNS, [_row(arm) for arm in arms])
    if not any(arm.arm for arm in arms):
        say(f"No store is in an arm: {COMMAND} stores set {tenant}/STORE --arm NAME")


def _row(arm: ArmSums) -> tuple[object, ...]:
    found, rejected = arm.found_before is not None and arm.found_after is not None, arm.rejected_share
    return (
        arm.arm or "(none)",
        arm.stores,
        arm.dreams,
        arm.measured,
        f"{arm.found_before:.1%} → {arm.found_after:.1%}" if found else "",
        f"{arm.mean:+.3f} [{arm.low:+.3f}, {arm.high:+.3f}]" if arm.measured else "",
        arm.fell,
        f"{arm.cost_usd:.2f}",
        "" if rejected is None else f"{rejected:.0%}",
    )
