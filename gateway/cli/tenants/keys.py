"""`slowwave keys`: create, list, rotate and revoke API keys."""

from typing import Annotated, Any

import typer

from gateway.cli.console.options import AsJson, Tenant, cli_actor
from gateway.cli.console.output import ago, print_json, print_list, say
from gateway.cli.console.session import open_session
from shared.core.tenants.api_keys import ApiKey
from shared.core.tenants.roles import Role
from shared.program import COMMAND
from shared.services.tenants.keys import IssuedKey, NewKey, create_key, find_keys, revoke_key, rotate_key

app = typer.Typer(no_args_is_help=True)
KeyId = Annotated[str, typer.Argument(help="The key's id, such as key_01J….", metavar="KEY")]


@app.command()
def create(
    tenant: Tenant,
    role: Annotated[Role, typer.Option(help="What the key may do.")] = Role.AGENT,
    name: Annotated[str, typer.Option(help="A name to recognize the key by.")] = "cli",
    expires_days: Annotated[float | None, typer.Option(help="Days until it expires.")] = None,
    rate: Annotated[int | None, typer.Option(help="Maximum number of requests per minute.")] = None,
    as_json: AsJson = False,
) -> None:
    """Create a key and print it. It is shown only once."""
    wanted = NewKey(name=name, role=role, expires_days=expires_days, rate_per_minute=rate)
    with open_session(tenant=tenant) as session:
        ports = session.ports
        issued = create_key(ports.db, ports.ids, tenant, wanted, actor=cli_actor(), actor_role=Role.OPERATOR)
    _print_issued(issued, as_json=as_json)


@app.command("list")
def list_keys(tenant: Tenant, as_json: AsJson = False) -> None:
    """List a tenant's keys, newest first; never their secrets."""
    with open_session(tenant=tenant) as session:
        found = find_keys(session.ports.db, tenant)
    if as_json:
        print_json([_key_json(key) for key in found])
        return
    if not found:
        say(f"{tenant} has no keys. Make one: {COMMAND} keys create {tenant} --role agent")
        return
    columns = ("key", "name", "role", "made", "last used", "state")
    print_list(f"Keys of {tenant}", columns, [_row(key) for key in found])


@app.command()
def rotate(
    tenant: Tenant,
    key: KeyId,
    grace_minutes: Annotated[float, typer.Option(min=0, help="For how many minutes the old secret stays valid.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Give a key a new secret and print it. It is shown only once."""
    with open_session(tenant=tenant) as session:
        issued = rotate_key(
            session.ports.db, tenant, key, grace_minutes=grace_minutes, actor=cli_actor(), actor_role=Role.OPERATOR
        )
    _print_issued(issued, as_json=as_json)


@app.command()
def revoke(tenant: Tenant, key: KeyId, as_json: AsJson = False) -> None:
    """Revoke a key for good. It stays in the list."""
    with open_session(tenant=tenant) as session:
        revoked = revoke_key(session.ports.db, tenant, key, actor=cli_actor(), actor_role=Role.OPERATOR)
    print_json(_key_json(revoked)) if as_json else say(f"{key} is revoked.")


def _print_issued(issued: IssuedKey, *, as_json: bool) -> None:
    if as_json:
        print_json(_key_json(issued.key) | {"token": issued.token})
        return
    say(f"{issued.key.id} · {issued.key.role} of {issued.key.tenant_id}", "bold")
    say(f"  {issued.token}", "cyan")
    say("Store this key now. It is shown once and cannot be recovered.", "yellow")


def _key_json(key: ApiKey) -> dict[str, Any]:
    return {
        "id": key.id,
        "tenant": key.tenant_id,
        "name": key.name,
        "role": key.role,
        "rate_per_minute": key.rate_per_minute,
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "revoked_at": key.revoked_at,
        "last_used_at": key.last_used_at,
    }


def _row(key: ApiKey) -> tuple[object, ...]:
    state = "revoked" if key.revoked_at else f"ends {ago(key.expires_at)}" if key.expires_at else ""
    return key.id, key.name, key.role, ago(key.created_at), ago(key.last_used_at), state
