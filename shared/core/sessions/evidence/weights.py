"""The weight of each reason for a cue, and for each kind of cue, from `weights.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

_FITTED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
BIAS: float = _FITTED["bias"]
#: A sentence whose evidence adds up to this is a cue.
ENOUGH: float = _FITTED["enough"]
#: For or against a cue; then for a correction, something to save, a decision, a preference.
WEIGHTS: Mapping[str, Sequence[float]] = _FITTED["weights"]
