"""Authenticate callers of `/v1` by the headers of Anthropic's SDKs: `x-api-key`, a bearer token, or both."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import BackgroundTasks, Depends, Header, Request, Response
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials

from gateway.api.http.auth import Caller, admit, bearer
from gateway.api.v1.filters import check_filters
from shared.core.tenants.roles import Permission

_api_key = APIKeyHeader(name="x-api-key", auto_error=False, description="A key: `swk_…`")


def _allow(permission: Permission) -> Any:  # noqa: ANN401 - FastAPI's Depends is untyped on purpose
    return Depends(_dependency(permission))


def _dependency(permission: Permission) -> Callable[..., Awaitable[Caller]]:
    async def caller(
        request: Request,
        response: Response,
        background: BackgroundTasks,
        key: Annotated[str | None, Depends(_api_key)],
        credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
        workspace: Annotated[
            str | None,
            Header(alias="anthropic-workspace-id", max_length=200, description="For operators: the tenant to act for."),
        ] = None,
        version: Annotated[
            str | None,
            Header(
                alias="anthropic-version",
                pattern=r"^\d{4}-\d{2}-\d{2}$",
                description="Any version; the answers are the same.",
            ),
        ] = None,
    ) -> Caller:
        del version  # SDKs raise it from time to time; the answers are the same for all versions
        tokens = [token for token in (key, credentials and credentials.credentials) if token]
        found = await admit(request, response, background, tokens, workspace)
        found.check(permission)
        check_filters(request)
        return found

    return caller


Reader = Annotated[Caller, _allow(Permission.READ)]
Writer = Annotated[Caller, _allow(Permission.WRITE)]
Reviewer = Annotated[Caller, _allow(Permission.REVIEW)]
Administrator = Annotated[Caller, _allow(Permission.ADMINISTER)]
