"""The providers of Claude's models: Anthropic's own API, Amazon Bedrock and Google Vertex AI, through the official SDK.

The clouds' packages are optional (docs/models.md); the SDK loads them only to sign requests with the environment's identity or
a pair of AWS keys. A Bedrock API key and an access token do not need them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import anthropic
from pydantic import SecretStr

from shared.adapters.llm.api_key import can_be_sent
from shared.adapters.llm.untraced import UNTRACED
from shared.core.errors import BadInputError

ANTHROPIC, BEDROCK, VERTEX = "anthropic", "bedrock", "vertex"
#: The package that signs requests, and the lock file that installs it.
_NEEDS = {BEDROCK: ("botocore", "requirements-bedrock.lock"), VERTEX: ("google.auth", "requirements-vertex.lock")}
_SCOPES = ("https://www.googleapis.com/auth/cloud-platform",)
_CLOUD_PACKAGES = frozenset({"boto3", "botocore", "google"})

Client = anthropic.AsyncAnthropic | anthropic.AsyncAnthropicBedrock | anthropic.AsyncAnthropicVertex


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A provider of models, with its credentials.

    Attributes:
        adapter: `anthropic`, `bedrock` or `vertex`.
        key: for Anthropic an API key; for Bedrock an API key or `ACCESS_KEY_ID:SECRET[:SESSION_TOKEN]`; for Vertex an
            access token or the JSON of a service account. None: the identity of the process, only for the clouds.
        base_url: another endpoint with the same API.
        region: the region of a cloud.
        project: the project of Vertex.
    """

    adapter: str = ANTHROPIC
    key: SecretStr | None = None
    base_url: str | None = None
    region: str = ""
    project: str = ""

    @property
    def secret(self) -> str:
        """Return the key, which must not occur in any message; empty if there is none."""
        return self.key.get_secret_value() if self.key is not None else ""

    @property
    def is_usable(self) -> bool:
        """Tell whether the key can be sent or can sign requests; a cloud needs none."""
        if self.key is None:
            return self.adapter in _NEEDS
        return _is_account(self.secret) or can_be_sent(self.secret)

    def is_closed_by(self, error: Exception) -> bool:
        """Tell whether an error means that a cloud's package found no valid credentials."""
        is_of_package = type(error).__module__.partition(".")[0] in _CLOUD_PACKAGES
        return self.adapter in _NEEDS and (isinstance(error, RuntimeError) or is_of_package)

    def open(self, seconds: float) -> Client:
        """Return a client whose requests time out after the given seconds, without retries."""
        if self.adapter == BEDROCK:
            return self._open_bedrock(seconds)
        if self.adapter == VERTEX:
            return self._open_vertex(seconds)
        return anthropic.AsyncAnthropic(
            api_key=self.secret, base_url=self.base_url, max_retries=0, timeout=seconds, open_telemetry=UNTRACED
        )

    def _open_bedrock(self, seconds: float) -> anthropic.AsyncAnthropicBedrock:
        pair = _aws_pair(self.secret)
        client = anthropic.AsyncAnthropicBedrock(
            api_key=self.secret if self.secret and not pair else None,
            aws_region=self.region,
            base_url=self.base_url,
            max_retries=0,
            timeout=seconds,
            open_telemetry=UNTRACED,
        )
        if pair:  # set here, because the SDK refuses it beside an API key in the environment
            client.api_key = None
            client.aws_access_key, client.aws_secret_key, client.aws_session_token = pair
        return client

    def _open_vertex(self, seconds: float) -> anthropic.AsyncAnthropicVertex:
        is_token = bool(self.secret) and not _is_account(self.secret)
        return anthropic.AsyncAnthropicVertex(
            region=self.region,
            project_id=self.project,
            access_token=self.secret if is_token else None,
            credentials=None if is_token else _google_credentials(self.secret),
            base_url=self.base_url,
            max_retries=0,
            timeout=seconds,
            open_telemetry=UNTRACED,
        )


def check_packages(provider: Provider) -> None:
    """Check that the package to sign a provider's requests is installed. Raises BadInputError with the command."""
    if provider.adapter not in _NEEDS or not _is_signed(provider):
        return
    package, lock = _NEEDS[provider.adapter]
    if find_spec(package.partition(".")[0]) is None or find_spec(package) is None:
        msg = f"The model adapter {provider.adapter} needs more packages: pip install --require-hashes -r {lock}"
        raise BadInputError(msg)


def _is_signed(provider: Provider) -> bool:
    if provider.adapter == BEDROCK:
        return not provider.secret or bool(_aws_pair(provider.secret))
    return not provider.secret or _is_account(provider.secret)


def _is_account(key: str) -> bool:
    """Tell whether a key is the JSON of a Google service account."""
    return key.lstrip().startswith("{")


def _aws_pair(key: str) -> tuple[str, str, str | None] | None:
    """Return the parts of `ACCESS_KEY_ID:SECRET[:SESSION_TOKEN]`; None for an API key, which has no colon."""
    access, colon, rest = key.partition(":")
    secret, _, session = rest.partition(":")
    return (access, secret, session or None) if colon else None


@lru_cache(maxsize=32)
def _google_credentials(account: str) -> Any:  # noqa: ANN401 - the package has no types, and may be missing
    """Return credentials that renew their token: those of a service account, or of the environment."""
    import google.auth  # noqa: PLC0415 - an extra
    from google.oauth2.service_account import Credentials  # noqa: PLC0415 - the same

    if not account:
        return google.auth.default(scopes=_SCOPES)[0]
    try:
        made: Any = Credentials
        return made.from_service_account_info(json.loads(account), scopes=_SCOPES)  # the package has no types
    except ValueError:
        raise RuntimeError("the key is not the JSON of a service account") from None
