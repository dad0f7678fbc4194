"""Settings of this installation, read once from the environment. Core code never sees them, only policies."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from shared.core.errors import BadInputError
from shared.core.policy.retention import RetentionPolicy, get_retention
from shared.core.webhooks.retries import WebhookPolicy, check_webhook_policy

_PREFIX = "SLOWWAVE_"
_KEY_CHARS = 32


class Settings(BaseSettings):
    """Every setting is an environment variable `SLOWWAVE_…`. What concerns one store is its policy, not a setting."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX, env_ignore_empty=True, frozen=True, extra="ignore")

    data_dir: Path = Field(Path(".slowwave"), description="Where the embedded servers keep their data.")
    database_url: SecretStr | None = Field(
        None,
        description="PostgreSQL as the application role, `postgresql+psycopg://…`. Unset: an embedded server.",
    )
    owner_database_url: SecretStr | None = Field(
        None,
        description="PostgreSQL as the tables' owner; only `slowwave migrate` uses it. Unset: an embedded server.",
    )
    redis_url: SecretStr | None = Field(
        None,
        description="A Redis-protocol server, `redis://…`, for Celery and locks. Unset: an embedded server.",
    )
    broker_url: SecretStr | None = Field(
        None,
        description="Another broker for Celery: RabbitMQ, `amqp://…`. Locks stay in Redis. Unset: SLOWWAVE_REDIS_URL.",
    )
    probe_dir: Path | None = Field(
        None,
        description="Where worker and beat touch a file as a sign of life. Unset: `alive` in the data directory.",
    )

    llm: Literal["offline", "anthropic"] = Field(
        "offline",
        description="The model adapter: `offline` (rules, no key, no network) or `anthropic` (official SDK).",
    )
    llm_model: str = Field("claude-haiku-4-5", description="The model that `anthropic` asks.")
    llm_api_key: SecretStr | None = Field(None, description="The key for it. A tenant may name another variable.")
    llm_base_url: str | None = Field(None, description="Another endpoint that speaks Anthropic's Messages API.")
    llm_effort: Literal["low", "medium", "high"] = Field("low", description="How hard the model should think.")
    llm_structured_output: bool = Field(True, description="Off for endpoints without JSON-schema outputs.")

    lease_seconds: Annotated[float, Field(ge=1, le=3600)] = Field(
        60.0,
        description="A dream whose worker has not been heard of for so long is taken over.",
    )
    heartbeat_seconds: Annotated[float, Field(gt=0, le=600)] = Field(20.0, description="How often a worker is heard.")
    max_rescues: Annotated[int, Field(ge=0, le=100)] = Field(
        3,
        description="How often a dream is taken over before it ends as it is.",
    )
    max_snoozes: Annotated[int, Field(ge=0, le=100)] = Field(
        6,
        description="How often in a row a dream may sleep without a new answer (429, a busy agent) before it ends.",
    )
    busy_polls: Annotated[int, Field(ge=0, le=60)] = Field(
        6, description="How often a dream asks whether a live turn of its agent is over, before it sleeps."
    )
    busy_poll_seconds: Annotated[float, Field(gt=0, le=60)] = Field(
        5.0, description="How long it waits between two such questions."
    )
    longest_snooze_seconds: Annotated[float, Field(ge=5, le=86_400)] = Field(
        3600.0, description="No dream sleeps longer at a time, whatever the model's server asks for."
    )
    model_patience_seconds: Annotated[float, Field(ge=0, le=120)] = Field(
        10.0, description="How long a worker waits for a turn at the model before the dream sleeps instead."
    )
    model_calls_per_minute: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Model calls a minute, all tenants and processes together. Unset: no cap."
    )
    model_calls_at_once: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Model calls at once, all tenants and processes together. Unset: no cap."
    )
    tenant_model_calls_per_minute: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Model calls a minute of each tenant that has no number of its own. Unset: no cap."
    )
    tenant_model_calls_at_once: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Model calls at once of each tenant that has no number of its own. Unset: no cap."
    )
    sweep_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        10.0, description="How often due stores are looked for."
    )
    upkeep_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        60.0, description="How often stores are looked for that are due for a daily digest or a compaction."
    )
    reconcile_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        30.0,
        description="How often stalled dreams are looked for.",
    )
    max_active_dreams: Annotated[int, Field(ge=1)] = Field(
        16,
        description="Dreams that run at once, all tenants and workers together: once or twice the workers' slots.",
    )
    worker_pool: Literal["threads", "prefork"] = Field(
        "threads",
        description="What carries the phases of a worker; docs/adr/0006 says why threads.",
    )
    worker_concurrency: Annotated[int, Field(ge=1, le=512)] = Field(16, description="Phases at once in one worker.")
    phase_overrun_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        60.0,
        description="A phase that runs so much longer than its dream's time is stuck: the watchdog gives it up.",
    )
    drain_seconds: Annotated[float, Field(gt=0, le=3600)] = Field(
        20.0,
        description="How long a worker that was asked to leave waits for model calls before it hands the rest over.",
    )
    visibility_timeout_seconds: Annotated[int, Field(ge=60)] = Field(
        3600,
        description="When Redis hands an unacknowledged task out again; above three times the longest phase.",
    )
    metrics_port: Annotated[int, Field(ge=1, le=65_535)] | None = Field(
        None, description="Where `slowwave serve-metrics` listens; set, `slowwave up` serves metrics, too."
    )
    mask_secrets: bool = Field(True, description="Mask what looks like a key in sessions before they are stored.")
    retention: RetentionPolicy = Field(
        RetentionPolicy(),
        description='Days that things are kept, as JSON: {"versions": 90}; a tenant may have its own (docs/retention.md).',
    )
    retention_seconds: Annotated[float, Field(gt=0, le=86_400)] = Field(
        300.0, description="How often tenants are looked for whose daily purge is due; a thousand at a time."
    )
    api_host: str = Field("127.0.0.1", description="Where the API listens.")
    api_port: Annotated[int, Field(ge=0, le=65_535)] = Field(8400, description="And at which port; 0 takes a free one.")
    api_requests_per_minute: Annotated[int, Field(ge=1)] = Field(
        1200, description="How many requests a key may make, unless it has a limit of its own."
    )
    api_max_body_bytes: Annotated[int, Field(ge=1_000)] = Field(4_000_000, description="The largest body of a request.")
    public_url: str | None = Field(
        None, description="Where browsers find slowwave, such as `https://slowwave.example.com`. Unset: as they ask."
    )
    console_hours: Annotated[float, Field(gt=0, le=720)] = Field(
        12.0, description="How long a browser stays signed in at the console."
    )
    oidc_issuer: str | None = Field(
        None, description="Sign-in at the console with OpenID Connect: the provider. Unset: by key only."
    )
    oidc_client_id: str = Field("slowwave", description="The console's id at that provider.")
    oidc_client_secret: SecretStr | None = Field(None, description="And its secret; unset for a public client.")
    oidc_tenant_claim: str = Field("slowwave_tenant", description="The claim that names somebody's tenant.")
    oidc_role_claim: str = Field("slowwave_role", description="The claim that names their role, as roles of keys.")
    webhooks: WebhookPolicy = Field(
        WebhookPolicy(),
        description='How webhooks are tried and where they may go, as JSON: {"attempts": 5} (docs/webhooks.md).',
    )
    secrets_key: SecretStr | None = Field(
        None,
        description="Seals webhook secrets: `openssl rand -hex 32`; in a change, `new,old`. Unset: a file beside embedded servers.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="What is logged.")

    @field_validator("database_url", "owner_database_url")
    @classmethod
    def _check_database_url(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().startswith("postgresql+psycopg://"):
            msg = "must begin with postgresql+psycopg:// (PostgreSQL is the only dialect)"
            raise ValueError(msg)
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

    @field_validator("secrets_key")
    @classmethod
    def _check_secrets_key(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and any(len(one.strip()) < _KEY_CHARS for one in value.get_secret_value().split(",")):
            msg = f"must have at least {_KEY_CHARS} characters; make one with: openssl rand -hex 32"
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
        if value is not None and not value.get_secret_value().startswith(("redis://", "rediss://")):
            msg = "must begin with redis:// or rediss://"
            raise ValueError(msg)
        return value

    @field_validator("broker_url")
    @classmethod
    def _check_broker_url(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().startswith(("amqp://", "amqps://")):
            msg = "must begin with amqp:// or amqps:// (leave it out for Redis: SLOWWAVE_REDIS_URL is the broker then)"
            raise ValueError(msg)
        return value

    @property
    def is_embedded(self) -> bool:
        """Tell whether any server is slowwave's own."""
        return self.database_url is None or self.redis_url is None


def load_settings() -> Settings:
    """Read the environment.

    Raises:
        BadInputError: names each variable that is wrong, and why, without its value.
    """
    try:
        return Settings()
    except ValidationError as error:
        wrong = [f"{_PREFIX}{'_'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors()]
        msg = "Wrong settings in the environment:\n  " + "\n  ".join(wrong)
        raise BadInputError(msg) from None
