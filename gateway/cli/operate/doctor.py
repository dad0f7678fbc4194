"""`slowwave doctor`: find what is wrong with this installation, and say what to do about it."""

from typing import Annotated

import typer

from gateway.cli.console.options import AsJson
from gateway.cli.console.output import print_json, safe, say
from gateway.cli.console.session import open_session
from gateway.cli.operate.stored_secrets import find_stored_secrets
from shared.core.errors import ServiceUnavailableError
from shared.core.health import Finding, Health
from shared.settings import load_settings

_STYLES = {Health.OK: "green", Health.WARN: "yellow", Health.FAIL: "red"}
_COLUMN = 27
_WAY_OUT = (
    "Change each secret where it is valid. Any edit of a live memory masks it (slowwave memory edit). Then forget what it said, wherever "
    "it was copied to: slowwave memory forget TENANT/STORE --memory PATH, or --text with the secret"
)


def doctor(
    as_json: AsJson = False,
    secrets: Annotated[
        bool,
        typer.Option("--secrets", help="Instead, list the memories of all tenants that hold a secret; none is shown."),
    ] = False,
) -> None:
    """Check servers, schema, isolation, queues, beat, workers, model, secrets and disk. Exit code 1 when a check fails."""
    if secrets:
        _tell_stored_secrets(as_json=as_json)
        return
    # Alembic takes a third of a second to import; no other command needs it.
    from gateway.health import examine, examine_without_servers  # noqa: PLC0415 - the reason is above

    settings = load_settings()
    try:
        with open_session(settings) as session:
            findings = examine(session.settings, session.ports.db)
    except ServiceUnavailableError as error:  # slowwave's own servers cannot be joined; others' are findings
        findings = examine_without_servers(settings, str(error))
    if as_json:
        print_json(findings)
    else:
        for finding in findings:
            _print(finding)
    if any(finding.health is Health.FAIL for finding in findings):
        raise typer.Exit(1)


def _tell_stored_secrets(*, as_json: bool) -> None:
    """List what holds a secret, and say how it is forgotten. Exit with code 1 if there is any."""
    with open_session() as session:
        found = list(find_stored_secrets(session.ports.db))
    if as_json:
        print_json(found)
    else:
        for one in found:
            say(safe(f"{one.tenant}/{one.store}  {one.path}  ({one.state}): {', '.join(one.kinds)}"))
        say("No memory holds anything like a secret" if not found else safe(_WAY_OUT, "dim"))
    if found:
        raise typer.Exit(1)


def _print(finding: Finding) -> None:
    line = safe(f"{finding.health:<5}", _STYLES[finding.health]).append_text(
        safe(f"  {finding.check:<18}  {finding.found}")
    )
    say(line, hang=_COLUMN)
    if finding.advice:
        say(safe(" " * _COLUMN + finding.advice, "dim"))
