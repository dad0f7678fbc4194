"""Settings of this installation, read once from the environment. Core code never sees them, only policies."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from shared.core.errors import BadInputError
from shared.core.inputs.database_address import find_fault
from shared.core.inputs.wrong_values import tell_wrong
from shared.core.policy.retention import RetentionPolicy, get_retention
from shared.core.tenants.phase_models import parse_phase_models
from shared.core.webhooks.retries import WebhookPolicy, check_webhook_policy
from shared.env_file import apply_env_file
from shared.program import find_data_folder
from shared.redis_address import check_redis_url

_PREFIX = "SLOWWAVE_"
_KEY_CHARS = 32


class Settings(BaseSettings):
    """The settings of an installation, each an environment variable `SLOWWAVE_…`. Settings of a store are its policy."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX, env_ignore_empty=True, frozen=True, extra="ignore")

    data_dir: Path = Field(default_factory=find_data_folder, description="Data directory of the embedded servers.")
    database_url: SecretStr | None = Field(
        None,
        description="PostgreSQL URL of the application role, `postgresql+psycopg://…`; another host needs a valid certificate or `?sslmode=…`. Unset: an embedded server.",
    )
    owner_database_url: SecretStr | None = Field(
        None,
        description="PostgreSQL URL of the tables' owner, for `slowwave migrate` only. Unset: an embedded server.",
    )
    redis_url: SecretStr | None = Field(
        None,
        description="URL of a Redis-protocol server for Celery and locks, `redis://…`, `rediss://…` (TLS) or `sentinel://…` (docs/infrastructure.md). Unset: an embedded server.",
    )
    broker_url: SecretStr | None = Field(
        None,
        description="URL of another Celery broker: RabbitMQ, `amqp://…`, the nodes of a cluster separated by `;`. Locks stay in Redis. Unset: SLOWWAVE_REDIS_URL.",
    )
    probe_dir: Path | None = Field(
        None,
        description="Folder of the liveness files of worker and beat. Unset: `alive` in the data directory.",
    )

    llm: Literal["offline", "anthropic", "bedrock", "vertex", "openai"] = Field(
        "offline",
        description="Model adapter: `offline` (rules, no key, no network), or, with the official SDKs, `anthropic`, `bedrock`, `vertex`, or `openai` for every server with chat completions (docs/models.md).",
    )
    llm_model: str = Field("claude-haiku-4-5", description="Model name, as its provider names it.")
    llm_models: str = Field(
        "",
        description="Models of single phases, in place of SLOWWAVE_LLM_MODEL: `consolidate=MODEL,synthesize=MODEL` (docs/models.md).",
    )
    llm_better_model: str | None = Field(
        None,
        description="Model to ask again if an answer is unsure, cannot be parsed, or its merged text was refused twice. Unset: none.",
    )
    llm_api_key: SecretStr | None = Field(
        None, description="API key for the model. A tenant may name another variable."
    )
    llm_base_url: str | None = Field(None, description="URL of another endpoint with the adapter's API.")
    llm_region: str | None = Field(
        None, description="Region of `bedrock` or `vertex`. Unset: the cloud's own variable."
    )
    llm_project: str | None = Field(None, description="Project of `vertex`. Unset: the cloud's own variable.")
    llm_effort: Literal["low", "medium", "high"] = Field("low", description="Reasoning effort of the model.")
    llm_structured_output: bool = Field(
        True, description="Request JSON-schema outputs; set to false for endpoints without them."
    )
    llm_exam: Literal["on", "off"] = Field(
        "on",
        description="Examine each model before what it merges is applied: about 9,000 tokens, again after 90 days (docs/exam.md). `off`: no model is examined, and none counts as passed.",
    )
    llm_batch: Literal["on", "off"] = Field(
        "off",
        description="Ask the model in Message Batches: half the price, answers within a day. The provider stores batches for weeks, so tenants that need zero retention must not use them.",
    )
    batch_seconds: Annotated[float, Field(ge=1, le=3600)] = Field(
        60.0, description="Interval of the sweep that sends Message Batches and fetches their results, in seconds."
    )
    keep_prompts: Literal["on", "off"] = Field(
        "on",
        description="Store the prompt of each model call with its answer, for the console and for as long as the call (docs/adr/0016). `off`: prompts are not stored.",
    )
    embeddings: str = Field(
        "auto",
        pattern=r"^(auto|off|local|https?://[^/\s]+\S*)$",
        description="Embedding model that compares texts by meaning (docs/embeddings.md): `auto` (`local` where its packages are installed, as in the image), `off` (only words count), `local` (in each process, without a key) or the URL of an OpenAI-style API, such as https://api.openai.com/v1, to which texts of memories and searches are sent.",
    )
    embeddings_model: str = Field(
        "text-embedding-3-small",
        min_length=1,
        max_length=200,
        description="Model name for the API at SLOWWAVE_EMBEDDINGS; a change of the name rebuilds all vectors.",
    )
    embeddings_api_key: SecretStr | None = Field(None, description="API key for that endpoint. Unset: none is sent.")
    embeddings_dimensions: Annotated[int, Field(ge=16, le=4096)] | None = Field(
        None, description="Length of the vectors to request, from models that can shorten them. Unset: the default."
    )
    prices_file: Path | None = Field(
        None,
        description="TOML file with the operator's own model prices, which override the shipped ones (docs/costs.md).",
    )

    lease_seconds: Annotated[float, Field(ge=1, le=3600)] = Field(
        60.0,
        description="Lease of a running dream in seconds; another worker takes over a dream whose lease has expired.",
    )
    heartbeat_seconds: Annotated[float, Field(gt=0, le=600)] = Field(20.0, description="Lease heartbeat, in seconds.")
    max_rescues: Annotated[int, Field(ge=0, le=100)] = Field(
        3,
        description="Maximum number of rescues of a dream; after that it ends with the work done so far.",
    )
    max_snoozes: Annotated[int, Field(ge=0, le=100)] = Field(
        6,
        description="Maximum number of snoozes in a row without a new answer (429, a busy agent) before a dream ends.",
    )
    busy_polls: Annotated[int, Field(ge=0, le=60)] = Field(
        6, description="Number of checks whether the agent's turn is over, before a dream is snoozed."
    )
    busy_poll_seconds: Annotated[float, Field(gt=0, le=60)] = Field(
        5.0, description="Seconds between two of these checks."
    )
    longest_snooze_seconds: Annotated[float, Field(ge=5, le=86_400)] = Field(
        3600.0, description="Longest snooze in seconds, even if the model's server sends a longer `Retry-After`."
    )
    model_patience_seconds: Annotated[float, Field(ge=0, le=120)] = Field(
        10.0, description="Maximum wait of a worker for a model rate-limit slot; after that the dream is snoozed."
    )
    model_calls_per_minute: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Limit of model calls per minute, over all tenants and processes. Unset: no limit."
    )
    model_calls_at_once: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Limit of concurrent model calls, over all tenants and processes. Unset: no limit."
    )
    tenant_model_calls_per_minute: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Limit of model calls per minute for tenants without their own. Unset: no limit."
    )
    tenant_model_calls_at_once: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Limit of concurrent model calls for tenants without their own. Unset: no limit."
    )
    sweep_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        10.0, description="Interval of the sweep for due stores, in seconds."
    )
    upkeep_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        60.0, description="Interval of the sweeps for daily digests and compactions, in seconds."
    )
    reconcile_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        30.0,
        description="Interval of the sweep for stalled dreams, in seconds.",
    )
    max_active_dreams: Annotated[int, Field(ge=1)] = Field(
        16,
        description="Limit of running dreams, over all tenants and workers; set it to one or two times the workers' total concurrency.",
    )
    worker_pool: Literal["threads", "prefork"] = Field(
        "threads",
        description="Celery worker pool: `threads` or `prefork` (docs/adr/0006).",
    )
    worker_concurrency: Annotated[int, Field(ge=1, le=512)] = Field(16, description="Concurrent phases in one worker.")
    worker_nice: Annotated[int, Field(ge=0, le=19)] = Field(
        10,
        description="Niceness of a worker, 0 to 19: on a busy machine, the API and its clients come before dreams.",
    )
    phase_overrun_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        60.0,
        description="Seconds that a phase may run beyond its dream's deadline before the watchdog releases it as stuck.",
    )
    drain_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        20.0,
        description="Seconds that a draining worker waits for model calls before it releases its dreams.",
    )
    visibility_timeout_seconds: Annotated[int, Field(ge=60)] = Field(
        3600,
        description="Seconds after which Redis redelivers an unacknowledged task; must be above three times the longest phase.",
    )
    metrics_port: Annotated[int, Field(ge=1, le=65_535)] | None = Field(
        None, description="Port of `slowwave serve-metrics`. When set, `slowwave up` serves metrics, too."
    )
    traces_endpoint: str | None = Field(
        None,
        pattern=r"^https?://[^/\s]+",
        description="OTLP address of a collector of traces, such as http://127.0.0.1:4318/v1/traces (docs/traces.md). Empty: no traces.",
    )
    traces_statements: bool = Field(
        False,
        description="Also trace each statement on PostgreSQL: its text, never its values (docs/traces.md).",
    )
    mask_secrets: bool = Field(True, description="Mask secrets such as API keys in texts before they are stored.")
    retention: RetentionPolicy = Field(
        RetentionPolicy(),
        description='Retention in days, as JSON: {"versions": 90}; a tenant may have its own (docs/retention.md).',
    )
    retention_seconds: Annotated[float, Field(gt=0, le=86_400)] = Field(
        300.0, description="Interval of the sweep for daily purges, in seconds; at most a thousand tenants per pass."
    )
    database_request_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        15.0,
        description="Time limit of a statement of a request to the API, the console or MCP, in seconds; beyond it, 503.",
    )
    database_lock_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        10.0, description="Time limit of a request's or sweep's wait for a lock of another transaction, in seconds."
    )
    database_task_seconds: Annotated[float, Field(gt=0, le=86_400)] = Field(
        120.0,
        description="Time limit of a statement of a phase or a command, in seconds; beyond it, the phase fails and its dream continues.",
    )
    database_sweep_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        60.0, description="Time limit of a statement of a sweep over all tenants, in seconds."
    )
    database_purge_seconds: Annotated[float, Field(gt=0, le=86_400)] = Field(
        900.0, description="Time limit of a statement of retention or of the deletion of a tenant, in seconds."
    )
    database_migration_seconds: Annotated[float, Field(gt=0, le=604_800)] = Field(
        21_600.0, description="Time limit of a statement of `slowwave migrate`, in seconds."
    )
    api_host: str = Field("127.0.0.1", description="API host.")
    api_port: Annotated[int, Field(ge=0, le=65_535)] = Field(8400, description="API port; 0 picks a free port.")
    api_requests_per_minute: Annotated[int, Field(ge=1)] = Field(
        1200, description="Limit of requests per minute for keys without their own."
    )
    api_failed_keys_per_minute: Annotated[int, Field(ge=1)] = Field(
        60, description="Limit of requests with wrong keys per minute and client address; beyond it, 429."
    )
    api_tenant_requests_at_once: Annotated[int, Field(ge=1, le=1000)] = Field(
        2,
        description="Requests of one tenant that run at once in a process of the API, which has 12 threads; divided by the "
        "number of tenants that asked within 2 s, at least 1.",
    )
    api_tenant_requests_waiting: Annotated[int, Field(ge=0, le=10_000)] = Field(
        32, description="Limit of requests of one tenant that wait for their turn, for at most 5 s; beyond it, 429."
    )
    api_tenant_share: Annotated[float, Field(ge=0.01, le=1)] = Field(
        0.25,
        description="Share of the time that a tenant's long requests or floods may use while other tenants have requests, after a burst; 1: no limit.",
    )
    api_tenant_burst_seconds: Annotated[float, Field(ge=0.1, le=60)] = Field(
        1.0,
        description="Burst: seconds of long requests before SLOWWAVE_API_TENANT_SHARE applies, and the maximum debt of a tenant (docs/api.md).",
    )
    api_max_requests: Annotated[int, Field(ge=1)] = Field(
        250, description="Limit of requests in progress in one API process; beyond it, 503 with Retry-After."
    )
    api_max_streams: Annotated[int, Field(ge=1)] = Field(
        100, description="Limit of open event streams of dreams in one API process; beyond it, 503 with Retry-After."
    )
    api_max_body_bytes: Annotated[int, Field(ge=1_000)] = Field(4_000_000, description="Largest request body in bytes.")
    public_url: str | None = Field(
        None,
        description="Public URL for browsers, such as `https://slowwave.example.com`. Unset: the URL of the request.",
    )
    mcp_hosts: str = Field("", description="Further host names of `/mcp`, with commas; `*`: any (docs/mcp.md).")
    console_hours: Annotated[float, Field(gt=0, le=720)] = Field(
        12.0, description="Lifetime of a console session, in hours."
    )
    oidc_issuer: str | None = Field(
        None, description="OpenID Connect provider for sign-in at the console. Unset: sign-in by key only."
    )
    oidc_client_id: str = Field("slowwave", description="Client id at that provider.")
    oidc_client_secret: SecretStr | None = Field(None, description="Client secret; unset for a public client.")
    oidc_tenant_claim: str = Field("slowwave_tenant", description="Claim with the user's tenant.")
    oidc_role_claim: str = Field("slowwave_role", description="Claim with the user's role, one of the roles of keys.")
    webhooks: WebhookPolicy = Field(
        WebhookPolicy(),
        description='Webhook retries and allowed targets, as JSON: {"attempts": 5} (docs/webhooks.md).',
    )
    secrets_key: SecretStr | None = Field(
        None,
        description="Key that encrypts webhook secrets: `openssl rand -hex 32`; `new,old` during a rotation. Unset: a file beside the embedded servers.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="Log level.")

    @field_validator("database_url", "owner_database_url")
    @classmethod
    def _check_database_url(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and (wrong := find_fault(value.get_secret_value())) is not None:
            raise ValueError(wrong)
        return value

    @field_validator("retention", "webhooks", mode="before")
    @classmethod
    def _check_names(cls, value: object, info: ValidationInfo) -> object:
        """Refuse a mistyped name, since the default would apply instead."""
        known = {field.name for field in fields(RetentionPolicy if info.field_name == "retention" else WebhookPolicy)}
        unknown = sorted(value.keys() - known) if isinstance(value, dict) else []
        if unknown:
            raise ValueError(f"there is no {unknown[0]!r}; there are {', '.join(sorted(known))}")
        return value

    @field_validator("retention")
    @classmethod
    def _check_retention(cls, value: RetentionPolicy) -> RetentionPolicy:
        try:
            return get_retention(value, {})
        except BadInputError as error:
            raise ValueError(str(error)) from None

    @field_validator("webhooks")
    @classmethod
    def _check_webhooks(cls, value: WebhookPolicy) -> WebhookPolicy:
        try:
            return check_webhook_policy(value)
        except BadInputError as error:
            raise ValueError(str(error)) from None

    @field_validator("llm_batch")
    @classmethod
    def _check_batch(cls, value: str, info: ValidationInfo) -> str:
        if value == "on" and info.data.get("llm") in {"bedrock", "vertex"}:
            raise ValueError("Message Batches are not offered by bedrock and vertex")
        return value

    @field_validator("llm_models")
    @classmethod
    def _check_models(cls, value: str) -> str:
        try:
            parse_phase_models(value)
        except BadInputError as error:
            raise ValueError(str(error)) from None
        return value

    @field_validator("prices_file")
    @classmethod
    def _check_prices_file(cls, value: Path | None) -> Path | None:
        if value is not None:
            from shared.prices.price_list import find_prices  # noqa: PLC0415 - most processes have no such file

            try:
                find_prices(value)
            except BadInputError as error:
                raise ValueError(str(error)) from None
        return value

    @field_validator("secrets_key")
    @classmethod
    def _check_secrets_key(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and any(len(one.strip()) < _KEY_CHARS for one in value.get_secret_value().split(",")):
            msg = f"must have at least {_KEY_CHARS} characters; create one with: openssl rand -hex 32"
            raise ValueError(msg)
        return value

    @field_validator("public_url", "oidc_issuer")
    @classmethod
    def _check_address(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("https://", "http://")):
            raise ValueError("must begin with https:// (or http:// on one machine)")
        return value.rstrip("/") if value else None

    @field_validator("redis_url")
    @classmethod
    def _check_redis_url(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            try:
                check_redis_url(value.get_secret_value())
            except BadInputError as error:
                raise ValueError(str(error)) from None
        return value

    @field_validator("broker_url")
    @classmethod
    def _check_broker_url(cls, value: SecretStr | None) -> SecretStr | None:
        nodes = [] if value is None else value.get_secret_value().split(";")
        if not all(node.startswith(("amqp://", "amqps://")) for node in nodes):
            msg = (
                "must begin with amqp:// or amqps://, and so must each node of a cluster after its `;` "
                "(leave it out for Redis: SLOWWAVE_REDIS_URL is the broker then)"
            )
            raise ValueError(msg)
        return value

    @property
    def is_embedded(self) -> bool:
        """Tell whether any server is embedded."""
        return self.database_url is None or self.redis_url is None


def load_settings() -> Settings:
    """Read the settings from the environment, after the file that SLOWWAVE_ENV_FILE names.

    Raises:
        BadInputError: names each variable that is wrong, and why, without its value.
    """
    apply_env_file()
    try:
        return Settings()
    except SettingsError as error:  # says which field, and nothing of its value
        found = re.search(r'field "(\w+)"', str(error))
        name = f"{_PREFIX}{found[1].upper()}" if found else "A variable"
        msg = f"Wrong settings in the environment:\n  {name}: is no JSON; in a file, write {name}='{{…}}'"
        raise BadInputError(msg) from None
    except ValidationError as error:
        wrong = [f"{_PREFIX}{where.replace('.', '_').upper()}: {why}" for where, why in tell_wrong(error.errors())]
        raise BadInputError("Wrong settings in the environment:\n  " + "\n  ".join(wrong)) from None
