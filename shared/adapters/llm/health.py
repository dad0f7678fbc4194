"""Check that the model's key works, with a question that costs nothing."""

import anthropic

from shared.core.health import Finding, Health, decide_health

_TIMEOUT_SECONDS = 5.0


def examine_anthropic(key: str, base_url: str | None) -> Finding:
    """Check whether the endpoint accepts the key."""
    client = anthropic.Anthropic(api_key=key, base_url=base_url, timeout=_TIMEOUT_SECONDS, max_retries=0)
    try:
        client.models.list(limit=1)
    except (anthropic.AuthenticationError, anthropic.PermissionDeniedError) as error:
        advice = "Check SLOWWAVE_LLM_API_KEY"
        return decide_health("model key", f"refused ({error.status_code})", ok=False, advice=advice)
    except anthropic.APIStatusError as error:
        advice = "The endpoint answers, but not to this question; dream once to be sure"
        found = f"answered {error.status_code}"
        return decide_health("model key", found, ok=False, advice=advice, otherwise=Health.WARN)
    except anthropic.APIConnectionError:
        advice = "Check the network and SLOWWAVE_LLM_BASE_URL; dreams end partial and are tried again"
        return decide_health("model key", "the endpoint does not answer", ok=False, advice=advice)
    finally:
        client.close()
    return decide_health("model key", "accepted", ok=True, advice="")
