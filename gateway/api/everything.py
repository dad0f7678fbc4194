"""The whole server: the native API and every surface beside it. A new surface is a line here."""

from fastapi import FastAPI

from gateway.api.app import create_app
from gateway.console.pages import failure_page
from gateway.console.routers import ROUTERS as CONSOLE
from gateway.mcp.http import mount_mcp
from shared.ports.all_ports import Ports


def create_server(ports: Ports) -> FastAPI:
    """Return the application with everything that `slowwave serve` serves."""
    app = create_app(ports, CONSOLE, {"/console": failure_page})
    mount_mcp(app, ports)
    return app
