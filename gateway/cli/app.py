"""All commands of `slowwave`, in one place."""

import platform
from typing import Annotated

import typer

from gateway.cli.console.exit_codes import EPILOG
from gateway.cli.console.output import say
from gateway.cli.demo.demo import demo
from gateway.cli.dreams import dreams, review
from gateway.cli.dreams.dream import dream
from gateway.cli.dreams.dreams import redrive
from gateway.cli.dreams.status import status
from gateway.cli.memories import memory, skills
from gateway.cli.memories.files import export_store, import_folder
from gateway.cli.operate import workers
from gateway.cli.operate.doctor import doctor
from gateway.cli.operate.log import log
from gateway.cli.operate.migrate import migrate_database
from gateway.cli.operate.serve import metrics, serve_api, serve_mcp, serve_metrics
from gateway.cli.operate.up import up
from gateway.cli.operate.workers import reconcile
from gateway.cli.sessions import activity, feedback, sessions, workflows
from gateway.cli.tenants import audit, directives, keys, retention, webhooks
from gateway.cli.tenants.pause import defer, pause, resume
from gateway.cli.tenants.tenants import delete_tenant, stores, tenants
from gateway.cli.tenants.webhooks import replay
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
