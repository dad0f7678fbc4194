"""All commands of `slowwave`, in one place."""

import platform
from typing import Annotated

import typer

from gateway.cli import (
    activity,
    audit,
    directives,
    dreams,
    feedback,
    keys,
    memory,
    retention,
    review,
    sessions,
    skills,
    webhooks,
    workers,
    workflows,
)
from gateway.cli.delete_tenant import delete_tenant
from gateway.cli.demo import demo
from gateway.cli.doctor import doctor
from gateway.cli.dream import dream
from gateway.cli.exit_codes import EPILOG
from gateway.cli.import_export import export_store, import_folder
from gateway.cli.log import log
from gateway.cli.mcp import serve_mcp
from gateway.cli.metrics import metrics, serve_metrics
from gateway.cli.migrate import migrate_database
from gateway.cli.output import say
from gateway.cli.reconcile import reconcile
from gateway.cli.redrive import redrive
from gateway.cli.replay import replay
from gateway.cli.serve import serve_api
from gateway.cli.status import status
from gateway.cli.switches import defer, pause, resume
from gateway.cli.tenants import stores, tenants
from gateway.cli.up import up
from gateway.version import VERSION

app = typer.Typer(
    name="slowwave",
    help="Consolidates the memory of AI agents in the background: it dreams.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog=EPILOG,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"slowwave {VERSION} (Python {platform.python_version()})")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[  # typer's, which answers it before any command
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


app.command("demo")(demo)
app.command("up")(up)
app.command("serve")(serve_api)
app.command("mcp")(serve_mcp)
app.command("import")(import_folder)
app.command("export")(export_store)
app.command("dream")(dream)
app.command("status")(status)
app.command("doctor")(doctor)
app.command("pause")(pause)
app.command("resume")(resume)
app.command("defer")(defer)
app.command("reconcile")(reconcile)
app.command("migrate")(migrate_database)
app.command("metrics")(metrics)
app.command("serve-metrics")(serve_metrics)
app.command("log")(log)
dreams.app.command("redrive")(redrive)
webhooks.app.command("replay", epilog=EPILOG)(replay)
tenants.command("delete")(delete_tenant)
app.add_typer(dreams.app, name="dreams")
app.add_typer(review.app, name="review")
app.add_typer(memory.app, name="memory")
app.add_typer(workers.app, name="workers")
app.add_typer(sessions.app, name="sessions")
app.add_typer(feedback.app, name="feedback")
app.add_typer(workflows.app, name="workflows")
app.add_typer(activity.app, name="activity")
app.add_typer(skills.app, name="skills")
app.add_typer(directives.app, name="directives")
app.add_typer(retention.app, name="retention")
app.add_typer(tenants, name="tenants")
app.add_typer(stores, name="stores")
app.add_typer(keys.app, name="keys")
app.add_typer(webhooks.app, name="webhooks")
app.add_typer(audit.app, name="audit")


def _tell_exit_codes(group: typer.Typer) -> None:
    """Have every command's help end with the table of exit codes."""
    for command in group.registered_commands:
        command.epilog = EPILOG
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            _tell_exit_codes(inner.typer_instance)


_tell_exit_codes(app)
