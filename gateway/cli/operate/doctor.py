"""`slowwave doctor`: find what is wrong with this installation, and say what to do about it."""

from typing import Annotated

import typer

from gateway.cli.console.options import AsJson
from gateway.cli.console.output import print_json, safe, say
from gateway.cli.console.session import open_session
from gateway.cli.operate.stored_secrets import Stored, find_stored
from shared.adapters.secrets.mask import find_secrets
from shared.core.errors import ServiceUnavailableError
from shared.core.health import Finding, Health
from shared.core.personal_data.find import find_personal_data
from shared.settings import load_settings

_STYLES = {Health.OK: "green", Health.WARN: "yellow", Health.FAIL: "red"}
_COLUMN = 27
_WAY_OUT = (
    "Any edit of a live memory masks it (slowwave memory edit). Then forget what it said, wherever it was copied to: "
    "slowwave memory forget TENANT/STORE --memory PATH, --session ID, or --text with what is to go"
)
_CHANGE = "Change each secret where it is valid. "


def doctor(
    as_json: AsJson = False,
    secrets: Annotated[
        bool,
        typer.Option("--secrets", help="Instead, list where all tenants' texts hold secrets; none is shown."),
    ] = False,
    personal_data: Annotated[
        bool, typer.Option("--personal-data", help="Instead, list where they hold personal data; none is shown.")
    ] = False,
) -> None:
    """Check servers, schema, isolation, queues, beat, workers, model, secrets and disk. Exit code 1 when a check fails."""
    if secrets or personal_data:
        _tell_stored(secrets=secrets, personal_data=personal_data, as_json=as_json)
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


def _tell_stored(*, secrets: bool, personal_data: bool, as_json: bool) -> None:
    """List what holds secrets or personal data, and say how it is forgotten. Exit with code 1 if there is any."""
    finders = [*([find_secrets] if secrets else []), *([find_personal_data] if personal_data else [])]
    with open_session() as session:
        found = []
        for one in find_stored(session.ports.db, lambda text: [span for find in finders for span in find(text)]):
            found.append(one)
            if not as_json:
                _print_stored(one)
    if as_json:
        print_json(found)
    elif found:
        say(safe((_CHANGE if secrets else "") + _WAY_OUT, "dim"))
    else:
        say("No text holds anything like " + " or ".join([*["a secret"] * secrets, *["personal data"] * personal_data]))
    if found:
        raise typer.Exit(1)


def _print_stored(one: Stored) -> None:
    kinds = ", ".join(f"{times:,} {kind}" for kind, times in sorted(one.kinds.items()))
    where = one.path or f"{one.place} ({one.rows:,} {'row' if one.rows == 1 else 'rows'})"
    say(safe(f"{one.tenant}/{one.store}  {where}: {kinds}"))


def _print(finding: Finding) -> None:
    line = safe(f"{finding.health:<5}", _STYLES[finding.health]).append_text(
        safe(f"  {finding.check:<18}  {finding.found}")
    )
    say(line, hang=_COLUMN)
    if finding.advice:
        say(safe(" " * _COLUMN + finding.advice, "dim"))
