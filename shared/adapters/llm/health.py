"""Check that the models' keys work, with free requests that run concurrently and with short timeouts."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus

import anthropic
import httpx
from anthropic.types import MessageParam
from pydantic import SecretStr

from shared.adapters.llm.anthropic.providers import ANTHROPIC, Client, Provider, check_packages
from shared.adapters.llm.anthropic.reply import said_of
from shared.adapters.llm.api_key import hide_key
from shared.core.errors import BadInputError
from shared.core.health import Finding, Health, decide_health
from shared.core.tenants.model_settings import OPENAI, OPENAI_URL

CHECK = "model key"
_AT_ONCE = 8
_SECONDS_EACH = 4.0
_SECONDS_TOGETHER = 6.0
_MAX_SAID_CHARS = 200
#: The statuses of a server without a list of models.
_NOT_SERVED = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_IMPLEMENTED})
_WORD: list[MessageParam] = [{"role": "user", "content": "dream"}]
_NO_IDENTITY = "Give the workers an identity that the cloud knows, or name a key with --api-key-variable"
_REFUSED = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyInUse:
    """A key at one endpoint. `name` and `users` are for people; the key itself is never shown."""

    name: str
    users: str
    key: SecretStr | None  # None: the identity of the process, for a cloud; no key, for a server with OpenAI's API
    base_url: str | None
    model: str
    adapter: str = ANTHROPIC
    region: str = ""
    project: str = ""

    @property
    def is_usable(self) -> bool:
        """Tell whether the key can be sent; some need none."""
        return self.provider.is_usable or (self.adapter == OPENAI and self.key is None)

    @property
    def provider(self) -> Provider:
        """Return the provider with this key."""
        return Provider(
            adapter=self.adapter, key=self.key, base_url=self.base_url, region=self.region, project=self.project
        )


def examine_keys(keys: Sequence[KeyInUse], *, seconds_together: float = _SECONDS_TOGETHER) -> list[Finding]:
    """Return for each key whether its endpoint accepts it, in the given order."""
    return asyncio.run(_examine_all(keys, seconds_together))


async def _examine_all(keys: Sequence[KeyInUse], seconds: float) -> list[Finding]:
    slots, clock = asyncio.Semaphore(_AT_ONCE), asyncio.get_running_loop().time
    end = clock() + seconds
    return await asyncio.gather(*(_examine_in_turn(key, slots, lambda: end - clock()) for key in keys))


async def _examine_in_turn(key: KeyInUse, slots: asyncio.Semaphore, left: Callable[[], float]) -> Finding:
    if not key.is_usable:
        return _finding(key, "holds characters that a key cannot have", f"Set {key.name} again", Health.FAIL)
    async with slots:
        if left() <= 0:
            advice = "The keys before it took too long; run slowwave doctor again when they answer"
            return _finding(key, "not tried", advice, Health.WARN)
        try:
            async with asyncio.timeout(min(_SECONDS_EACH, left())):
                return await _examine(key)
        except TimeoutError:
            return _silent(key)


async def _examine(key: KeyInUse) -> Finding:
    if key.adapter == OPENAI:
        return await _examine_openai(key)
    try:
        check_packages(key.provider)
        async with key.provider.open(_SECONDS_EACH) as client:
            await _ask_for_free(client, key.model)
    except anthropic.APIStatusError as error:
        return _unaccepted(key, error.status_code, said_of(error))
    except (anthropic.APIConnectionError, anthropic.AnthropicError):
        return _silent(key)
    except ValueError:
        return _finding(key, "the answer cannot be read", "Check SLOWWAVE_LLM_BASE_URL", Health.WARN)
    except BadInputError as error:
        return _finding(key, str(error), "Install them for the workers, too", Health.FAIL)
    except Exception as error:
        if not key.provider.is_closed_by(error):
            raise
        return _finding(key, f"no credentials: {error}"[:_MAX_SAID_CHARS], _NO_IDENTITY, Health.FAIL)
    return decide_health(CHECK, _line(key, "accepted"), ok=True, advice="")


async def _examine_openai(key: KeyInUse) -> Finding:
    """Ask for the list of models, which servers with OpenAI's API have; one without it answers all the same."""
    address = f"{key.base_url or OPENAI_URL}/models"
    headers = {"Authorization": f"Bearer {key.provider.secret}"} if key.key is not None else {}
    try:
        async with httpx.AsyncClient(timeout=_SECONDS_EACH) as client:
            answer = await client.get(address, headers=headers)
    except httpx.HTTPError:
        return _silent(key)
    if answer.is_success or answer.status_code in _NOT_SERVED:
        return decide_health(CHECK, _line(key, "accepted"), ok=True, advice="")
    return _unaccepted(key, answer.status_code, answer.text)


async def _ask_for_free(client: Client, model: str) -> None:
    """Send a free request: for the list of models, else to count the tokens of a word, else for an empty answer."""
    if isinstance(client, anthropic.AsyncAnthropicBedrock):
        await _ask_bedrock_for_nothing(client, model)
        return
    if isinstance(client, anthropic.AsyncAnthropic):
        try:
            await client.models.list(limit=1)
        except anthropic.APIStatusError as error:
            if error.status_code not in _NOT_SERVED:
                raise
        else:
            return
    await client.messages.count_tokens(model=model, messages=_WORD)


async def _ask_bedrock_for_nothing(client: anthropic.AsyncAnthropicBedrock, model: str) -> None:
    """Ask for an answer of 0 tokens, which Bedrock refuses as a bad request after it has accepted key and model."""
    try:
        await client.messages.create(model=model, messages=_WORD, max_tokens=0)
    except anthropic.BadRequestError as error:
        if "model identifier" in said_of(error):
            raise


def _unaccepted(key: KeyInUse, status: int, text: str) -> Finding:
    said = hide_key(" ".join(text.split()), key.provider.secret)[:_MAX_SAID_CHARS]
    if status in _REFUSED:
        advice = (
            f"Check {key.name}, also in the workers' environment; until then dreams end in error and are tried again"
        )
        return _finding(key, f"refused ({status}) {said}", advice, Health.FAIL)
    advice = "The endpoint answers, but not to this question; dream once to be sure"
    return _finding(key, f"answered {status} {said}", advice, Health.WARN)


def _silent(key: KeyInUse) -> Finding:
    advice = "Check the network and SLOWWAVE_LLM_BASE_URL; dreams end in error and are tried again"
    return _finding(key, "the endpoint does not answer", advice, Health.FAIL)


def _finding(key: KeyInUse, found: str, advice: str, health: Health) -> Finding:
    return decide_health(CHECK, _line(key, found.strip()), ok=False, advice=advice, otherwise=health)


def _line(key: KeyInUse, found: str) -> str:
    return f"{key.name}: {found}; used by {key.users}"
