"""`slowwave serve`: the API alone, for a machine of its own or behind a supervisor."""

from typing import Annotated

import typer

from gateway.cli.output import say
from shared.bootstrap import local_servers
from shared.settings import load_settings


def serve_api(
    host: Annotated[str | None, typer.Option(help="Where to listen; 127.0.0.1 unless SLOWWAVE_API_HOST.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="At which port; 0 takes a free one.")] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes.")] = 1,
) -> None:
    """Serve the HTTP API until Ctrl-C or SIGTERM, which lets requests under way finish."""
    # FastAPI and uvicorn take half a second to import, which no other command should wait for.
    from gateway.api.serve import address_of, bind, serve  # noqa: PLC0415 - the reason is above

    settings = load_settings()
    with bind(host or settings.api_host, settings.api_port if port is None else port) as listening:
        with local_servers(settings) as found:
            say(f"slowwave's API listens at {address_of(listening)}", "bold green")
            say("  a key     ./slowwave keys create TENANT --role agent")
            say(f"  console   {address_of(listening)}/console")
            say(f"  OpenAPI   {address_of(listening)}/openapi.json")
            serve(found, listening, workers)
        say("Stopped.")
