"""`slowwave webhooks replay`: send again what did not arrive, or what arrived and was lost behind the door."""

from datetime import datetime
from typing import Annotated

import typer

from gateway.cli.actor import cli_actor
from gateway.cli.delivery_lines import delivery_json
from gateway.cli.moments import Since, read_moment
from gateway.cli.options import AsJson, Tenant
from gateway.cli.output import print_json, say, warn
from gateway.cli.session import Session, open_session
from shared.core.errors import BadInputError
from shared.services.replay_webhooks import replay_delivery, replay_failed


def replay(
    tenant: Tenant,
    delivery: Annotated[
        str | None, typer.Argument(help="Which, as `webhooks deliveries` shows it.", metavar="[DELIVERY]")
    ] = None,
    failed: Annotated[bool, typer.Option("--failed", help="All that failed since --since.")] = False,
    since: Since = None,
    endpoint: Annotated[str | None, typer.Option(help="With --failed: only of this endpoint.")] = None,
    as_json: AsJson = False,
) -> None:
    """Send a delivery again, or all that failed: the same message under the same id. Workers do it within seconds."""
    is_bulk = failed and since is not None and delivery is None
    if not is_bulk and (failed or since or endpoint or delivery is None):
        raise BadInputError("Name a delivery, or say --failed --since 24h (with --endpoint: only of that one)")
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
        say(f"{again.id} goes out again as {again.message.id}: ./slowwave webhooks deliveries {tenant}")


def _replay_failed(session: Session, tenant: str, moment: datetime, endpoint_id: str | None, *, as_json: bool) -> None:
    done = replay_failed(session.ports.db, tenant, since=moment, actor=cli_actor(), endpoint_id=endpoint_id)
    if as_json:
        print_json(done)
    elif done.replayed:
        say(f"{done.replayed:,} go out again: ./slowwave webhooks deliveries {tenant}")
    else:
        say(f"Nothing failed since {moment:%Y-%m-%d %H:%M} UTC that could go out again.")
    if done.disabled:
        warn(f"Left out, because disabled: {', '.join(done.disabled)}. Enable: ./slowwave webhooks enable {tenant} …")
