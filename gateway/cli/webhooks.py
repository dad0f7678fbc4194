"""`slowwave webhooks`: make, list, delete, rotate, enable and test endpoints, and read the log of deliveries.

`replay` is in a file of its own.
"""

from typing import Annotated, Any

import typer

from gateway.cli.actor import cli_actor
from gateway.cli.delivery_lines import COLUMNS, delivery_json, delivery_row
from gateway.cli.exit_codes import EPILOG, ExitCode
from gateway.cli.options import AsJson, Tenant
from gateway.cli.output import ago, print_json, print_table, say
from gateway.cli.session import open_session
from shared.core.errors import ConflictError
from shared.core.webhook import EVENTS, DeliveryState, WebhookEndpoint
from shared.ports.webhook_books import DeliveryFilter
from shared.services.deliver_webhook import deliver_webhook
from shared.services.manage_webhooks import (
    IssuedEndpoint,
    NewEndpoint,
    claim_test,
    create_endpoint,
    delete_endpoint,
    enable_endpoint,
    find_deliveries,
    find_endpoints,
    rotate_endpoint,
)

app = typer.Typer(help="Webhooks: be told of dreams and reviews.", no_args_is_help=True, epilog=EPILOG)
Endpoint = Annotated[str, typer.Argument(help="The endpoint's id, such as hook_01J….", metavar="ENDPOINT")]


@app.command()
def create(
    tenant: Tenant,
    url: Annotated[str, typer.Argument(help="Where to post: https://, at a public address.", metavar="URL")],
    event: Annotated[list[str] | None, typer.Option(help="What to hear; everything if left out.")] = None,
    description: Annotated[str, typer.Option(help="What to know it by.")] = "",
    as_json: AsJson = False,
) -> None:
    """Have events posted to an address. Its signing secret is shown this once."""
    wanted = NewEndpoint(url=url, events=event or EVENTS, description=description)
    with open_session(tenant=tenant) as session:
        issued = create_endpoint(session.ports, tenant, wanted, actor=cli_actor())
    _print_issued(issued, as_json=as_json)


@app.command("list")
def list_endpoints(tenant: Tenant, as_json: AsJson = False) -> None:
    """List a tenant's endpoints, newest first; never their secrets."""
    with open_session(tenant=tenant) as session:
        found = find_endpoints(session.ports.db, tenant)
    if as_json:
        print_json([_endpoint_json(endpoint) for endpoint in found])
        return
    if not found:
        say(f"{tenant} has no webhooks. Make one: ./slowwave webhooks create {tenant} https://…")
        return
    print_table(f"Webhooks of {tenant}", ("endpoint", "url", "events", "delivered", "state"), map(_row, found))


@app.command()
def rotate(
    tenant: Tenant,
    endpoint: Endpoint,
    grace_hours: Annotated[float, typer.Option(min=0, help="How long the old secret signs beside the new one.")] = 24,
    as_json: AsJson = False,
) -> None:
    """Give an endpoint a new secret, which is shown this once."""
    with open_session(tenant=tenant) as session:
        issued = rotate_endpoint(session.ports, tenant, endpoint, grace_hours=grace_hours, actor=cli_actor())
    _print_issued(issued, as_json=as_json)


@app.command()
def enable(tenant: Tenant, endpoint: Endpoint, as_json: AsJson = False) -> None:
    """Send to a disabled endpoint again, also what was held back."""
    with open_session(tenant=tenant) as session:
        enabled, released = enable_endpoint(session.ports.db, tenant, endpoint, actor=cli_actor())
    if as_json:
        print_json(_endpoint_json(enabled) | {"released": released})
        return
    say(f"{endpoint} is enabled" + (f"; {released} held back go out now." if released else "."))
    say(f"What failed before goes again with: ./slowwave webhooks replay {tenant} --failed --since 24h")


@app.command()
def delete(tenant: Tenant, endpoint: Endpoint, as_json: AsJson = False) -> None:
    """Send nothing to an endpoint any more; it stays on record without its secret."""
    with open_session(tenant=tenant) as session:
        dropped = delete_endpoint(session.ports.db, tenant, endpoint, actor=cli_actor())
    if as_json:
        print_json({"id": endpoint, "dropped": dropped})
        return
    say(f"{endpoint} is deleted" + (f"; {dropped} pending will not be sent." if dropped else "."))


@app.command("test", epilog=EPILOG)
def send_test(tenant: Tenant, endpoint: Endpoint, as_json: AsJson = False) -> None:
    """Send a test message now, from this machine, and show what comes back (exit code 1 when it is not taken)."""
    with open_session(tenant=tenant) as session:
        claimed = claim_test(session.ports, tenant, endpoint, actor=cli_actor())
        delivery = deliver_webhook(session.ports, claimed)
    if delivery is None:
        raise ConflictError(f"{endpoint} was changed meanwhile; try again")
    if as_json:
        print_json(delivery_json(delivery))
    else:
        attempt = delivery.tries[-1]
        said = attempt.error or f"HTTP {attempt.status}"
        say(f"{delivery.message.id}: {said} after {attempt.latency_ms:,} ms", "yellow" if attempt.error else "green")
        if attempt.error and delivery.next_attempt_at is not None:
            say(f"It is tried again {ago(delivery.next_attempt_at)}, as every delivery is.")
    if delivery.state is not DeliveryState.DELIVERED:
        raise typer.Exit(ExitCode.UNEXPECTED)


@app.command()
def deliveries(
    tenant: Tenant,
    endpoint: Annotated[str | None, typer.Option(help="Only of this endpoint.")] = None,
    state: Annotated[DeliveryState | None, typer.Option(help="Only those.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="How many.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Show what was or will be sent, newest first, and how the last attempt went."""
    wanted = DeliveryFilter(endpoint_id=endpoint, state=state)
    with open_session(tenant=tenant) as session:
        found = find_deliveries(session.ports.db, tenant, wanted, limit=limit)
    if as_json:
        print_json([delivery_json(delivery) for delivery in found])
        return
    if not found:
        say(
            "No deliveries."
            if endpoint or state
            else f"{tenant} has no deliveries: nothing has happened to tell of yet."
        )
        return
    print_table(f"Deliveries of {tenant}", COLUMNS, map(delivery_row, found))
    if any(delivery.state is DeliveryState.FAILED for delivery in found):
        say(f"Send failed ones again: ./slowwave webhooks replay {tenant} DELIVERY, or --failed --since 24h")


def _print_issued(issued: IssuedEndpoint, *, as_json: bool) -> None:
    if as_json:
        print_json(_endpoint_json(issued.endpoint) | {"secret": issued.secret})
        return
    say(f"{issued.endpoint.id} · {', '.join(issued.endpoint.events)} to {issued.endpoint.url}", "bold")
    say(f"  {issued.secret}", "cyan")
    say("Keep it now: it is not shown again. The receiver checks signatures with it.", "yellow")
    if issued.endpoint.previous_until is not None:
        say(f"The secret before it signs, too, and ends {ago(issued.endpoint.previous_until)}.")


def _endpoint_json(endpoint: WebhookEndpoint) -> dict[str, Any]:
    names = (
        "id", "url", "description", "events", "created_at", "disabled_at", "disabled_reason", "failures",
        "failing_since", "delivered_at",
    )  # fmt: skip
    shown = {name: getattr(endpoint, name) for name in names}
    return shown | {"tenant": endpoint.tenant_id, "previous_secret_until": endpoint.previous_until}


def _row(endpoint: WebhookEndpoint) -> tuple[object, ...]:
    failing = f"{endpoint.failures} failures since {ago(endpoint.failing_since)}" if endpoint.failures else "on"
    state = f"disabled {ago(endpoint.disabled_at)}: {endpoint.disabled_reason}" if endpoint.disabled_at else failing
    return endpoint.id, endpoint.url, ", ".join(endpoint.events), ago(endpoint.delivered_at), state
