"""The socket that the API listens at."""

import asyncio
import socket

import pytest

from gateway import programs
from gateway.api.server import bind
from gateway.cli.operate.up import tell_taken_ports
from shared.core.errors import BadInputError
from shared.settings import Settings


class _Accepted(asyncio.Protocol):
    """Tells whether the connection that was accepted sends small packets at once."""

    def __init__(self, no_delay: "asyncio.Future[int]") -> None:
        self._no_delay = no_delay

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        accepted = transport.get_extra_info("socket")
        self._no_delay.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        transport.close()


async def _no_delay_of_a_connection() -> int:
    loop = asyncio.get_running_loop()
    told: asyncio.Future[int] = loop.create_future()
    with bind("127.0.0.1", 0) as listening:
        server = await loop.create_server(lambda: _Accepted(told), sock=listening)
        async with server:
            _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
            found = await asyncio.wait_for(told, 10)
            writer.close()
    return found


def test_an_answer_on_a_kept_connection_does_not_wait_for_an_acknowledgement() -> None:
    assert asyncio.run(_no_delay_of_a_connection()) == 1


def test_a_taken_port_is_told_in_a_sentence() -> None:
    with bind("127.0.0.1", 0) as listening, pytest.raises(BadInputError, match="cannot listen on"):
        bind("127.0.0.1", listening.getsockname()[1])


def test_up_says_which_ports_are_taken_and_where_the_api_is_instead(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        settings = Settings(api_port=taken, metrics_port=taken)
        _, address = programs.api(settings.api_host, settings.api_port)
        tell_taken_ports(settings, address)
        said = " ".join(capsys.readouterr().err.split())
        assert f"Port {taken} of 127.0.0.1 is in use, so the API is at port {address.rpartition(':')[2]}" in said
        assert f"Port {taken} is in use, so there are no metrics until it is free" in said
        tell_taken_ports(Settings(api_port=taken, metrics_port=None), f"http://127.0.0.1:{taken}")
        assert capsys.readouterr().err == ""
