"""`slowwave webhooks`: create, list, delete, rotate, enable and test endpoints, and read the log of deliveries.

`listen` prints events as they come, `replay` sends deliveries again that did not arrive or that the receiver lost.
"""

import json
import sys
import time
from datetime import datetime
from typing import Annotated, Any

import typer

from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.options import AsJson, Since, Tenant, cli_actor, read_moment
from gateway.cli.console.output import ago, print_json, print_list, say, warn
from gateway.cli.console.session import Session, open_session
from shared.core.errors import BadInputError, ConflictError
from shared.core.webhooks.endpoint import DEFAULT_EVENTS, LISTEN, Delivery, DeliveryState, WebhookEndpoint
from shared.core.webhooks.message import sign
from shared.ports.webhooks import DeliveryFilter
from shared.program import COMMAND
from shared.services.webhooks.deliver import deliver_webhook
from shared.services.webhooks.endpoints import (
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
from shared.services.webhooks.replay import replay_delivery, replay_failed
from shared.services.webhooks.take import Taken, begin_listening, take_messages

COLUMNS = ("delivery", "message", "event", "endpoint", "state", "attempts", "status", "ms", "next", "error")


def delivery_json(delivery: Delivery) -> dict[str, Any]:
    """Return a delivery with its attempts, without the body that was sent."""
    names = ("id", "endpoint_id", "state", "attempts", "error", "tries", "next_attempt_at", "created_at", "ended_at")
    message = delivery.message
    told = {"message_id": message.id, "event": message.event, "dream_id": message.dream_id}
    return {name: getattr(delivery, name) for name in names} | told


def delivery_row(delivery: Delivery) -> tuple[object, ...]:
    """Return a delivery as a row under `COLUMNS`, with the result of the last attempt."""
    last = delivery.tries[-1] if delivery.tries else None
    following = ago(delivery.next_attempt_at) if delivery.next_attempt_at else ""
    return (
        delivery.id, delivery.message.id, delivery.message.event, delivery.endpoint_id, delivery.state,
        delivery.attempts, last and last.status, last and last.latency_ms, following, delivery.error,
    )  # fmt: skip


app = typer.Typer(no_args_is_help=True)
Endpoint = Annotated[str, typer.Argument(help="The endpoint's id, such as hook_01J….", metavar="ENDPOINT")]


@app.command()
def create(
    tenant: Tenant,
    url: Annotated[str, typer.Argument(help="The URL to post to: https://, at a public address.", metavar="URL")],
    event: Annotated[
        list[str] | None,
        typer.Option(help="An event to subscribe to; may be repeated. Default: all but insight.weekly."),
    ] = None,
    description: Annotated[str, typer.Option(help="A description to recognize it by.")] = "",
    as_json: AsJson = False,
) -> None:
    """Create an endpoint to which events are posted. Its signing secret is shown only once."""
    wanted = NewEndpoint(url=url, events=event or DEFAULT_EVENTS, description=description)
    with open_session(tenant=tenant) as session:
        issued = create_endpoint(session.ports, tenant, wanted, actor=cli_actor())
        fault = session.ports.webhooks.find_fault(url)
    _print_issued(issued, as_json=as_json)
    if fault is not None:
        again = f"`slowwave webhooks test {tenant} {issued.endpoint.id}` tries it"
        warn(f"{fault}, as seen from this machine: nothing can be delivered until it does; {again}.", "yellow")


@app.command("list")
def list_endpoints(tenant: Tenant, as_json: AsJson = False) -> None:
    """List a tenant's endpoints, newest first; never their secrets."""
    with open_session(tenant=tenant) as session:
        found = find_endpoints(session.ports.db, tenant)
    if as_json:
        print_json([_endpoint_json(endpoint) for endpoint in found])
        return
    if not found:
        say(f"{tenant} has no webhooks. Make one: {COMMAND} webhooks create {tenant} https://…")
        return
    print_list(f"Webhooks of {tenant}", ("endpoint", "url", "events", "delivered", "state"), map(_row, found))


@app.command()
def rotate(
    tenant: Tenant,
    endpoint: Endpoint,
    grace_hours: Annotated[
        float, typer.Option(min=0, help="For how many hours messages are also signed with the old secret.")
    ] = 24,
    as_json: AsJson = False,
) -> None:
    """Give an endpoint a new secret and print it. It is shown only once."""
    with open_session(tenant=tenant) as session:
        issued = rotate_endpoint(session.ports, tenant, endpoint, grace_hours=grace_hours, actor=cli_actor())
    _print_issued(issued, as_json=as_json)


@app.command()
def enable(tenant: Tenant, endpoint: Endpoint, as_json: AsJson = False) -> None:
    """Enable a disabled endpoint again, and send it the deliveries that were held back."""
    with open_session(tenant=tenant) as session:
        enabled, released = enable_endpoint(session.ports.db, tenant, endpoint, actor=cli_actor())
    if as_json:
        print_json(_endpoint_json(enabled) | {"released": released})
        return
    say(f"{endpoint} is enabled" + (f"; {released} held-back deliveries are sent now." if released else "."))
    say(f"To send earlier failed deliveries again: {COMMAND} webhooks replay {tenant} --failed --since 24h")


@app.command()
def delete(tenant: Tenant, endpoint: Endpoint, as_json: AsJson = False) -> None:
    """Delete an endpoint: nothing is sent to it any more. Its record stays, without the secret."""
    with open_session(tenant=tenant) as session:
        dropped = delete_endpoint(session.ports.db, tenant, endpoint, actor=cli_actor())
    if as_json:
        print_json({"id": endpoint, "dropped": dropped})
        return
    say(f"{endpoint} is deleted" + (f"; {dropped} pending will not be sent." if dropped else "."))


@app.command("test")
def send_test(tenant: Tenant, endpoint: Endpoint, as_json: AsJson = False) -> None:
    """Send a test message now, from this machine, and show the response. Exit code 1 if it is not accepted."""
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
            say(f"The next attempt is {ago(delivery.next_attempt_at)}, as for any delivery.")
    if delivery.state is not DeliveryState.DELIVERED:
        raise typer.Exit(ExitCode.UNEXPECTED)


@app.command()
def deliveries(
    tenant: Tenant,
    endpoint: Annotated[str | None, typer.Option(help="Only deliveries to this endpoint.")] = None,
    state: Annotated[DeliveryState | None, typer.Option(help="Only deliveries in this state.")] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=1000, help="Maximum number of entries to list.")
    ] = 20,
    as_json: AsJson = False,
) -> None:
    """List deliveries, sent and pending, newest first, with the result of the last attempt."""
    wanted = DeliveryFilter(endpoint_id=endpoint, state=state)
    with open_session(tenant=tenant) as session:
        found = find_deliveries(session.ports.db, tenant, wanted, limit=limit + 1)
    has_more, found = len(found) > limit, found[:limit]
    if as_json:
        print_json([delivery_json(delivery) for delivery in found])
        return
    if not found:
        say("No deliveries." if endpoint or state else f"{tenant} has no deliveries yet: no event has occurred.")
        return
    print_list(f"Deliveries of {tenant}", COLUMNS, map(delivery_row, found), has_more=has_more)
    if any(delivery.state is DeliveryState.FAILED for delivery in found):
        say(f"Send failed ones again: {COMMAND} webhooks replay {tenant} DELIVERY, or --failed --since 24h")


def _print_issued(issued: IssuedEndpoint, *, as_json: bool) -> None:
    if as_json:
        print_json(_endpoint_json(issued.endpoint) | {"secret": issued.secret})
        return
    say(f"{issued.endpoint.id} · {', '.join(issued.endpoint.events)} to {issued.endpoint.url}", "bold")
    say(f"  {issued.secret}", "cyan")
    say("Store this secret now: it is not shown again. The receiver verifies signatures with it.", "yellow")
    if issued.endpoint.previous_until is not None:
        say(f"Messages are also signed with the old secret, which expires {ago(issued.endpoint.previous_until)}.")


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


@app.command()
def replay(
    tenant: Tenant,
    delivery: Annotated[
        str | None, typer.Argument(help="The delivery's id, as `webhooks deliveries` shows it.", metavar="[DELIVERY]")
    ] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Replay all deliveries that failed since --since.")] = False,
    since: Since = None,
    endpoint: Annotated[str | None, typer.Option(help="With --failed: only deliveries to this endpoint.")] = None,
    as_json: AsJson = False,
) -> None:
    """Send a delivery again, or all that failed: the same message with the same id. Workers send it within seconds."""
    is_bulk = failed and since is not None and delivery is None
    if not is_bulk and (failed or since or endpoint or delivery is None):
        raise BadInputError("Name a delivery, or give --failed --since 24h (and --endpoint for only one endpoint)")
    with open_session(tenant=tenant) as session:
        if delivery is not None:
            _replay_one(session, tenant, delivery, as_json=as_json)
        else:
            _replay_failed(session, tenant, read_moment(since or ""), endpoint, as_json=as_json)


def _replay_one(session: Session, tenant: str, delivery_id: str, *, as_json: bool) -> None:
    again = replay_delivery(session.ports.db, tenant, delivery_id, actor=cli_actor())
    if as_json:
        print_json(delivery_json(again))
    else:
        say(
            f"{again.id} will be sent again as {again.message.id}. To follow it: {COMMAND} webhooks deliveries {tenant}"
        )


def _replay_failed(session: Session, tenant: str, moment: datetime, endpoint_id: str | None, *, as_json: bool) -> None:
    done = replay_failed(session.ports.db, tenant, since=moment, actor=cli_actor(), endpoint_id=endpoint_id)
    if as_json:
        print_json(done)
    elif done.replayed:
        say(f"{done.replayed:,} deliveries will be sent again. To follow them: {COMMAND} webhooks deliveries {tenant}")
    else:
        say(f"No delivery that failed since {moment:%Y-%m-%d %H:%M} UTC can be sent again.")
    if done.disabled:
        warn(f"Skipped, because disabled: {', '.join(done.disabled)}. To enable: {COMMAND} webhooks enable {tenant} …")


_POLL_SECONDS = 1.0
#: What an event is about, as opposed to what it says.
_NAMES = frozenset({"tenant", "store", "store_id", "dream_id"})


@app.command()
def listen(
    tenant: Tenant,
    event: Annotated[
        list[str] | None, typer.Option(help="An event to print; may be repeated. Default: all but insight.weekly.")
    ] = None,
    forward: Annotated[
        str | None, typer.Option(help="Post each event to this address, too, such as http://127.0.0.1:3000/hooks.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print each event as it comes, until Ctrl-C: signed as a receiver gets it, and without an address on the internet."""
    if forward is not None and not forward.startswith(("http://", "https://")):
        raise BadInputError(f"--forward {forward} is no address: it begins with http:// or https://")
    wanted = NewEndpoint(url=LISTEN, events=event or DEFAULT_EVENTS, description="slowwave webhooks listen")
    with open_session(tenant=tenant) as session:
        ports, actor = session.ports, cli_actor()
        issued = begin_listening(ports, tenant, wanted, actor=actor)
        endpoint_id = issued.endpoint.id
        warn(f"Listening for {', '.join(issued.endpoint.events)}. Ctrl-C ends it.", "dim")
        warn(f"The secret of {endpoint_id}, for your receiver: {issued.secret}", "dim")
        try:
            while True:
                for taken in take_messages(ports, tenant, endpoint_id, actor=actor):
                    _print_taken(taken, issued.secret, forward, as_json=as_json)
                time.sleep(_POLL_SECONDS)
        finally:
            delete_endpoint(ports.db, tenant, endpoint_id, actor=actor)


def _print_taken(taken: Taken, secret: str, forward: str | None, *, as_json: bool) -> None:
    headers, message = taken.headers, taken.delivery.message
    expected = sign(secret, headers["webhook-id"], int(headers["webhook-timestamp"]), message.body)
    is_verified = expected in headers["webhook-signature"].split(" ")
    answer = _forward(taken, forward) if forward else ""
    told = json.loads(message.body)
    if as_json:
        print_json({"headers": headers, "is_verified": is_verified, "forwarded": answer, **told}, indent=None)
        sys.stdout.flush()
        return
    data = told["data"]
    said = data.get("text") or ", ".join(f"{name} {data[name]}" for name in data if name not in _NAMES)
    about = " · ".join(filter(None, (data.get("store"), data.get("dream_id"), said)))
    mark = "signature verified" if is_verified else "THE SIGNATURE IS WRONG"
    say(f"{told['timestamp'][11:19]} {message.event} {about} ({mark})" + (f" → {answer}" if answer else ""))


def _forward(taken: Taken, address: str) -> str:
    """Post a message as it is, and return what came of it."""
    import httpx  # noqa: PLC0415 - takes a fifth of a second to import, and few commands need it

    try:
        answer = httpx.post(address, content=taken.delivery.message.body.encode(), headers=taken.headers, timeout=10)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return f"not forwarded: {error}"
    return f"HTTP {answer.status_code}"
