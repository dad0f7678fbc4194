"""Tools of MCP at the level of statements: each is asked as the key's tenant, by a role that row-level security binds."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import Thread
from typing import Any
from unittest.mock import patch

import pytest
from fastapi import FastAPI
from psycopg import Cursor
from psycopg.pq import TransactionStatus

from gateway.mcp.tools import READ_TOOLS, WRITE_TOOLS
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.api.api_support import Everything, a_tenant_with_everything, a_token, bearer
from tests.integration.mcp.mcp_support import MISSING, a_server, call
from tests.support.background import is_background
from tests.support.builders import a_store

TOOLS = [one.__name__ for one in (*READ_TOOLS, *WRITE_TOOLS)]
#: What is asked before the tenant is known, and what makes it known.
BEFORE = ("slowwave_find_api_key", "BEGIN", "set_config('slowwave.tenant_id'", "COMMIT", "ROLLBACK")
_ASK = Cursor.execute
#: A tenant that a test has made for itself.
_OF_A_TEST = re.compile(r"t[0-9a-f]{32}")


@contextmanager
def watched(theirs: str = "") -> Iterator[list[tuple[str, str]]]:
    """The statements of a block, each with the tenant and the role that the database knew when it came.

    What the process writes in the background is not the block's: it is of the tenants whose memories tests read before. Neither is what
    a stream that an earlier test followed still asks, as that test's tenant; `theirs` is the one that this test may not see.
    """
    seen: list[tuple[str, str]] = []

    def noting(send: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(send)
        def sent(cursor: Cursor[Any], query: Any, *values: Any, **options: Any) -> Any:
            text = query.decode() if isinstance(query, bytes) else str(query)
            if not any(one in text for one in BEFORE) and not is_background():
                who = _tenant_of(cursor)
                if who == theirs or not _OF_A_TEST.fullmatch(who):
                    seen.append((text, who))
            return send(cursor, query, *values, **options)

        return sent

    with patch.multiple(Cursor, execute=noting(Cursor.execute), executemany=noting(Cursor.executemany)):
        yield seen


def _tenant_of(cursor: Cursor[Any]) -> str:
    connection = cursor.connection
    pipelined = connection._pipeline is not None
    if not pipelined and connection.info.transaction_status is TransactionStatus.IDLE:
        return "no transaction"
    other = Cursor(connection)
    _ASK(other, "SELECT current_setting('slowwave.tenant_id', true), current_user")
    tenant, role = other.fetchone() or ("", "")
    return str(tenant) if role == "slowwave_app" else f"role {role}"


@pytest.fixture(scope="module")
def theirs(session_ports: Ports) -> Everything:
    return a_tenant_with_everything(session_ports)


@pytest.fixture(scope="module")
def app(session_ports: Ports) -> FastAPI:
    return a_server(session_ports)


def test_the_watch_sees_a_statement_without_a_tenant(session_ports: Ports) -> None:
    with watched() as seen:
        session_ports.db.sweeps.count_active_dreams(16)
    assert seen
    assert {who for _, who in seen} <= {"", "None", "no transaction"}


@pytest.mark.parametrize(("name", "is_seen"), [("recall", False), ("counts", False), ("a tool", True)])
def test_the_watch_leaves_out_what_is_written_in_the_background(name: str, is_seen: bool, session_ports: Ports) -> None:
    thread = Thread(target=session_ports.db.sweeps.count_active_dreams, args=[16], name=name)
    with watched() as seen:
        thread.start()
        thread.join()
    assert bool(seen) is is_seen


def test_the_watch_leaves_out_tenants_of_other_tests_and_sees_the_one_that_no_tool_may_ask_for(
    session_ports: Ports, theirs: Everything, tenant: str
) -> None:
    for theirs_is, seen_as in ((theirs.tenant, {theirs.tenant}), (tenant, set())):
        with watched(theirs_is) as seen, session_ports.db.transaction(theirs.tenant) as uow:
            uow.stores.get_tenant()
        assert {who for _, who in seen} == seen_as


@pytest.mark.parametrize("tool", TOOLS)
def test_every_statement_of_a_tool_is_asked_as_the_keys_tenant(
    tool: str, session_ports: Ports, theirs: Everything, app: FastAPI
) -> None:
    tenant = f"mcp-{tool.replace('_', '-')}"
    a_store(session_ports, tenant)
    headers = bearer(a_token(session_ports, tenant, Role.ADMIN, rate_per_minute=100_000))
    foreign = {"memory": theirs.memory_id, "dream_id": theirs.dream_id, "operation_id": theirs.operation_id}
    given = MISSING.get(tool, {})
    said = []
    for arguments in (given | {name: foreign[name] for name in foreign if name in given}, given):
        with watched(theirs.tenant) as seen:
            answer = call(app, headers, tool, **arguments)
        assert seen, "it asked nothing"
        assert {who for _, who in seen} == {tenant}
        said.append((answer, [text for text, _ in seen if "last_used_at" not in text]))
    assert said[0] == said[1]  # what is another's costs the same questions as what does not exist
