"""Known wrappers: what programs put around a person's words, or send in a person's place; `wrappers.toml` says what each list is."""

import tomllib
from pathlib import Path

_KNOWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
SPEECH_TAGS, CONTEXT_TAGS, MACHINE_TAGS, MACHINES, PERHAPS_MACHINES, MACHINES_NOUNS, CARRIERS = (
    frozenset[str](_KNOWN[name])
    for name in (
        "speech_tags",
        "context_tags",
        "machine_tags",
        "machines",
        "perhaps_machines",
        "machines_nouns",
        "carriers",
    )
)
NOTICES, MACHINE_OPENINGS = (tuple[str, ...](_KNOWN[name]) for name in ("notices", "machine_openings"))
CURRENT_MESSAGE: str = _KNOWN["current_message"]
EARLIER_MESSAGES: str = _KNOWN["earlier_messages"]
