"""`slowwave directives set|show|reset|list`: custom prompts of a tenant or of one of its stores."""

from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, Tenant, cli_actor
from gateway.cli.console.output import ago, print_json, print_table, say
from gateway.cli.console.session import open_session
from gateway.phases import get_phases, read_built_in
from shared.core.errors import BadInputError
from shared.core.questions.directives import BUILT_IN, Directive, check_directive
from shared.services.tenants.directives import (
    find_directive_versions,
    find_directives,
    reset_directive,
    set_directive,
)

app = typer.Typer(no_args_is_help=True)
Name = Annotated[str, typer.Argument(help=f"One of {', '.join(get_phases().directives)}.", metavar="NAME")]
_MAX_BYTES = 1_000_000
OfStore = Annotated[str, typer.Option("--store", "-s", help="Only this store. Default: all of the tenant's stores.")]


@app.command("list")
def list_directives(tenant: Tenant, store: OfStore = "", as_json: AsJson = False) -> None:
    """List all directives, and which of them a tenant or a store has set."""
    phases = get_phases()
    with open_session(tenant=tenant, store=store or None) as session:
        current = find_directives(session.ports.db, tenant, phases, store)
    rows = [(name, phase, current.get(name)) for name, phase in phases.directives.items()]
    if as_json:
        print_json([{"name": name, "phase": phase, **_line(one)} for name, phase, one in rows])
        return
    shown = [(name, phase, _state(one), ago(one.created_at) if one else "") for name, phase, one in rows]
    print_table(f"Directives of {_whose(tenant, store)}", ("directive", "phase", "prompt", "changed"), shown)


@app.command("set")
def set_text(
    tenant: Tenant,
    name: Name,
    file: Annotated[
        Path, typer.Argument(help="A file with the complete prompt, not a diff.", exists=True, dir_okay=False)
    ],
    store: OfStore = "",
    as_json: AsJson = False,
) -> None:
    """Replace the whole prompt of a phase. The answer's schema and the safety rules stay."""
    if file.stat().st_size > _MAX_BYTES:
        msg = f"{file} is larger than {_MAX_BYTES:,} bytes and cannot be a prompt"
        raise BadInputError(msg)
    try:
        content = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        msg = f"{file} is not UTF-8 text"
        raise BadInputError(msg) from error
    with open_session(tenant=tenant, store=store or None) as session:
        db = session.ports.db
        made = set_directive(db, tenant, name, content, phases=get_phases(), actor=cli_actor(), store=store)
    print_json(_line(made)) if as_json else say(f"{name} of {_whose(tenant, store)} is set (version {made.version}).")


@app.command()
def reset(tenant: Tenant, name: Name, store: OfStore = "", as_json: AsJson = False) -> None:
    """Go back to the built-in prompt; for a store, to its tenant's."""
    with open_session(tenant=tenant, store=store or None) as session:
        db = session.ports.db
        current = reset_directive(db, tenant, name, phases=get_phases(), actor=cli_actor(), store=store)
    back = "its tenant's, or the built-in prompt" if store else "the built-in prompt"
    print_json(_line(current)) if as_json else say(f"{name} of {_whose(tenant, store)} is {back}.")


@app.command()
def show(
    tenant: Tenant,
    name: Name,
    store: OfStore = "",
    history: Annotated[bool, typer.Option("--history", help="List the versions instead.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what differs from the built-in prompt.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a tenant's prompt, or with --store a store's own."""
    check_directive(get_phases().directives, name)
    with open_session(tenant=tenant, store=store or None) as session:
        versions = find_directive_versions(session.ports.db, tenant, name, get_phases(), store=store)
    current = versions[0] if versions else None
    if as_json:
        print_json([_line(one) for one in versions] if history else _line(current) | {"content": _text(current)})
        return
    if history and versions:
        rows = [(one.version, _state(one), one.actor, ago(one.created_at)) for one in versions]
        print_table(f"{name} of {_whose(tenant, store)}", ("version", "prompt", "by", "when"), rows)
        return
    text = _text(current)
    if diff and text is not None:
        lines = unified_diff(read_built_in(name).splitlines(), text.splitlines(), "built-in", name, lineterm="")
        say("\n".join(lines) or "It is the built-in prompt, word by word.")
        return
    fallback = "its tenant's is used, or the built-in prompt" if store else "the built-in prompt is used"
    none = f"{_whose(tenant, store)} has no {name}: {fallback} ({get_phases().find_prompt_file(name)})."
    say(text if text is not None else none)


def _whose(tenant: str, store: str) -> str:
    return f"{tenant}/{store}" if store else tenant


def _text(directive: Directive | None) -> str | None:
    return directive.content if directive is not None else None


def _state(directive: Directive | None) -> str:
    return f"own, version {directive.version}" if directive is not None and directive.content else BUILT_IN


def _line(directive: Directive | None) -> dict[str, object]:
    if directive is None:
        return {"is_own": False, "version": None, "created_at": None, "actor": None}
    return {
        "is_own": directive.content is not None,
        "version": directive.version,
        "created_at": directive.created_at,
        "actor": directive.actor,
    }
