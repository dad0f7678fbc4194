"""Try the embedder of this installation once, for `slowwave doctor`."""

import time

from shared.adapters.embeddings.local import HOW_TO_INSTALL
from shared.core.errors import BadInputError
from shared.core.health import Finding, Health, decide_health
from shared.model_choice import choose_meaning
from shared.ports.embedder import EmbedderError
from shared.settings import Settings

_CHECK = "embeddings"
_SECONDS = 10.0
_NUMBER_BYTES = 4


def examine_embeddings(settings: Settings) -> Finding:
    """Return whether texts can be compared by meaning, where the settings want that."""
    try:
        meaning = choose_meaning(settings)
        if meaning is None:
            missed = "only words are compared, so that paraphrases in quite other words are missed"
            how = "off" if settings.embeddings == "off" else f"not installed ({HOW_TO_INSTALL})"
            return decide_health(_CHECK, f"{how}: {missed}", ok=True, advice="")
        begun = time.monotonic()
        (vector,) = meaning.embedder.embed(["dream"], seconds=_SECONDS)
    except (BadInputError, EmbedderError) as error:
        advice = "Until it works, only words are compared; each dream and each search tries again (docs/embeddings.md)"
        return decide_health(_CHECK, str(error), ok=False, advice=advice)
    took = f"{len(vector) // _NUMBER_BYTES} numbers in {(time.monotonic() - begun) * 1_000:.0f} ms"
    return _note_speed(f"{meaning.embedder.model}: {took}")


def _note_speed(found: str) -> Finding:
    """Return a good finding, or a warning that comparing goes slowly."""
    from shared.adapters.process_local.vector_table import MAX_PLAIN, has_numpy  # noqa: PLC0415 - only where it is used

    advice = f"Without numpy, only the newest {MAX_PLAIN:,} memories of a store are compared: docs/embeddings.md"
    return decide_health(_CHECK, found, ok=has_numpy(), advice=advice, otherwise=Health.WARN)
