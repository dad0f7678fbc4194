"""schemathesis over the whole OpenAPI: no 500, no undocumented status, answers as documented. Bounded in time."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import booleans
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.access.api_routes import NEEDS
from tests.integration.api.api_support import Everything, a_tenant_with_everything, a_token, an_app, bearer
from tests.support.laws import QUICK, some_quick

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
_QUICK, _THOROUGH = 2, 4
#: These answer for as long as a dream runs or a session lasts.
_STREAMS = frozenset({"/api/dreams/{dream_id}/events", "/v1/sessions/{session_id}/events/stream"})
_OPERATIONS = {f"{method} {path}": (path, method) for method, path in NEEDS if path not in _STREAMS}


@pytest.fixture(scope="module")
def everything(session_ports: Ports) -> Everything:
    return a_tenant_with_everything(session_ports)


@pytest.fixture(scope="module")
def token(session_ports: Ports, everything: Everything) -> str:
    return a_token(session_ports, everything.tenant, Role.OPERATOR, rate_per_minute=1_000_000)


@pytest.fixture(scope="module")
def api_schema(session_ports: Ports) -> Any:
    return schemathesis.openapi.from_asgi("/openapi.json", an_app(session_ports))


@pytest.mark.hypothesis
@pytest.mark.parametrize("route", some_quick(_OPERATIONS, one_in=2))
def test_whatever_is_sent_is_answered_as_documented(
    route: str, api_schema: Any, token: str, everything: Everything, session_ports: Ports
) -> None:
    """Half of the ids are real ones, so that routes get further than to their 404."""
    path, method = _OPERATIONS[route]
    real = everything._asdict()

    @given(case=api_schema[path][method].as_strategy(), is_real=booleans())
    @settings(
        max_examples=_QUICK if settings.get_current_profile_name() == QUICK else _THOROUGH,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any, is_real: bool) -> None:
        if is_real:
            case.path_parameters = {name: real.get(name, value) for name, value in case.path_parameters.items()}
        case.headers["Slowwave-Tenant"] = everything.tenant
        case.call_and_validate(checks=CHECKS, headers=bearer(token))

    try:
        check()
    finally:  # switches that hold for every test
        session_ports.db.installation.set_paused(paused=False, actor="a test")
        session_ports.db.installation.set_defer(0, actor="a test")
