"""The duration of a refusal must not tell whether an id exists: both cases send the database the same queries."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any
from unittest.mock import patch

from psycopg import Cursor

from shared.all_ports import Ports
from shared.core.tenants.roles import Permission, Role
from tests.integration.access.api_routes import BODIES, COMMON, MISSING, NAMES, NEEDS
from tests.integration.api.api_support import a_client, a_tenant_with_everything, a_token, an_app, bearer
from tests.support.background import is_background
from tests.support.builders import a_store

NAMED = [
    route for route, need in NEEDS.items() if "{" in route[1] and need not in {None, Permission.OPERATE}
]  # an operator may know what exists

_OF_THE_CLOCK = ("slowwave_find_api_key", "UPDATE api_keys SET last_used_at", "BEGIN;")


@contextmanager
def asked() -> Iterator[list[str]]:
    """The statements of a block, without those that depend on the clock: finding a key, noting uses in the background."""
    seen: list[str] = []

    def noting(send: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(send)
        def sent(cursor: Any, query: str | bytes, *values: Any, **options: Any) -> Any:
            text = query.decode() if isinstance(query, bytes) else query
            of_the_clock = any(one in text for one in _OF_THE_CLOCK) or is_background()
            if not of_the_clock:
                seen.append(text)
            return send(cursor, query, *values, **options)

        return sent

    with patch.multiple(Cursor, execute=noting(Cursor.execute), executemany=noting(Cursor.executemany)):
        yield seen


def test_anothers_id_and_a_missing_one_cost_the_same_questions(session_ports: Ports) -> None:
    theirs = a_tenant_with_everything(session_ports)
    tenant = f"probing-{theirs.tenant}"
    a_store(session_ports, tenant)
    headers = bearer(a_token(session_ports, tenant, Role.ADMIN, rate_per_minute=100_000))
    client = a_client(an_app(session_ports))
    foreign = {name: getattr(theirs, name) for name in MISSING}
    own = {"store": "default"}  # a store of one's own in front of another's id; without, theirs has the same name
    for method, path in NAMED:
        if not set(NAMES.findall(path)) - COMMON - {"store"} or method == "put":  # a PUT makes what is missing
            continue
        answers = []
        for ids in (foreign | own, MISSING | own):
            with asked() as statements:
                answer = client.request(method, path.format(**ids), json=BODIES.get((method, path)), headers=headers)
            answers.append((answer.status_code, statements))
        assert answers[0] == answers[1], (method, path)
        assert answers[0][0] == 404, (method, path)
        assert answers[0][1], (method, path)  # it did ask
