"""Authenticate callers of `/v1` by the headers of Anthropic's SDKs: `x-api-key`, a bearer token, or both."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import BackgroundTasks, Depends, Header, Request
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials

from gateway.api.http.auth import Caller, Door, bearer, bearer_tokens
from gateway.api.v1.filters import check_filters
from shared.core.tenants.roles import Permission

_api_key = APIKeyHeader(name="x-api-key", auto_error=False, description="A key: `swk_…`")
_WORKSPACE = "anthropic-workspace-id"


class AnthropicDoor(Door):
    """The door of `/v1`. Its parameters are for OpenAPI: `admit` has read the headers."""

    def credentials_of(self, request: Request) -> tuple[Sequence[str], str | None]:
        """Return the tokens of a request, and the tenant that an operator acts for."""
        key = request.headers.get("x-api-key")
        return [*([key] if key else []), *bearer_tokens(request)], request.headers.get(_WORKSPACE)

    def check_query(self, request: Request) -> None:
        """Raise BadInputError for a filter without its brackets."""
        check_filters(request)

    async def __call__(
        self,
        request: Request,
        background: BackgroundTasks,
        _: Annotated[str | None, Depends(_api_key)],
        __: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
        ___: Annotated[
            str | None,
            Header(alias=_WORKSPACE, max_length=200, description="For operators: the tenant to act for."),
        ] = None,
        ____: Annotated[
            str | None,
            Header(
                alias="anthropic-version",
                pattern=r"^\d{4}-\d{2}-\d{2}$",
                description="Any version; the answers are the same.",
            ),
        ] = None,
    ) -> Caller:
        """Return the caller. SDKs raise the version from time to time; the answers are the same for all."""
        return await self.enter(request, background)


def _allow(permission: Permission) -> Any:  # noqa: ANN401 - FastAPI's Depends is untyped on purpose
    return Depends(AnthropicDoor(permission))


Reader = Annotated[Caller, _allow(Permission.READ)]
Writer = Annotated[Caller, _allow(Permission.WRITE)]
Reviewer = Annotated[Caller, _allow(Permission.REVIEW)]
Administrator = Annotated[Caller, _allow(Permission.ADMINISTER)]
