"""The catalogue of phases: the switch, the directives and the label of each.

The phases live in `workers/phases`; the rest of the program only knows their catalogue. Settings,
directives, the API, the console and the documentation are derived from it, so that none of them names a phase.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.core.dream.operations import OperationKind
from shared.core.policy.policy import Policy
from shared.core.policy.profiles import get_setting

_SWITCH = "phases."


def find_nothing_due(_store: Any) -> bool:  # noqa: ANN401 - see PhaseEntry.find_due
    """Return False: the passing of time never gives this phase work."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEntry:
    """The facts about one phase that the rest of the program knows.

    Attributes:
        name: the name of the phase's folder, task, switch and metrics label.
        label: the name for people.
        about: the purpose of the phase, in one sentence.
        may_emit: the kinds of operation that the phase may propose. Any other kind is refused.
        directives: the files that a tenant can put in place of the phase's prompts, with the prompt that each replaces.
        is_optional: whether a store can switch the phase off.
        left_out_of: the profiles that switch it off, unless a store sets the switch itself.
        also_by: a setting that lets a part of the phase run while the switch is off.
        output_share: output tokens per prompt token, as `benchmarks/cost/estimates.py` measures them; used in estimates for a
            store that has no answers yet.
        find_due: tells whether the phase would change something in a quiet store (shared/services/dreams/due_change.py),
            of which the core knows no type.
    """

    name: str
    label: str
    about: str
    may_emit: frozenset[OperationKind]
    directives: Mapping[str, str] = field(default_factory=dict, hash=False)
    is_optional: bool = False
    left_out_of: frozenset[str] = frozenset()
    also_by: str = ""
    output_share: float = 0.4
    find_due: Callable[[Any], bool] = find_nothing_due

    @property
    def switch(self) -> str:
        """Return the setting that switches the phase on or off."""
        return f"{_SWITCH}{self.name}"

    @property
    def asks_model(self) -> bool:
        """Tell whether the phase asks a model. Each question of a phase has a prompt, and each prompt a directive."""
        return bool(self.directives)

    def runs_by(self, policy: Policy) -> bool:
        """Tell whether the phase runs in a store with this policy, whole or in part."""
        return self.runs_whole_by(policy) or bool(self.also_by and get_setting(policy, self.also_by))

    def runs_whole_by(self, policy: Policy) -> bool:
        """Tell whether all parts of the phase run: its switch is on."""
        if not self.is_optional:
            return True
        return policy.phases.get(self.name, policy.profile not in self.left_out_of)


@dataclass(frozen=True, slots=True)
class PhaseCatalog:
    """Every phase once, in the order of a dream; the phases of upkeep follow."""

    entries: tuple[PhaseEntry, ...]

    @property
    def switches(self) -> tuple[str, ...]:
        """Return the names of the phases that a store can switch off."""
        return tuple(entry.name for entry in self.entries if entry.is_optional)

    @property
    def asking(self) -> tuple[str, ...]:
        """Return the names of the phases that ask a model."""
        return tuple(entry.name for entry in self.entries if entry.asks_model)

    @property
    def directives(self) -> dict[str, str]:
        """Return the prompt that each directive replaces, by the directive's file name."""
        return {file: prompt for entry in self.entries for file, prompt in entry.directives.items()}

    def find_prompt_file(self, directive: str) -> str:
        """Return the path of a directive's built-in prompt in the repository."""
        entry = next(entry for entry in self.entries if directive in entry.directives)
        prompt = entry.directives[directive]
        return f"workers/phases/{entry.name}/{'prompt' if prompt == entry.name else prompt}.md"

    def label_of(self, name: str) -> str:
        """Return the label of a phase. A dream of an earlier version may have a phase that no longer exists."""
        return next((entry.label for entry in self.entries if entry.name == name), name.replace("_", " "))

    def get_setting(self, policy: Policy, key: str) -> object:
        """Return a policy's value of a key such as `gates.min_hours` or the switch of a phase."""
        entry = next((entry for entry in self.entries if entry.switch == key), None)
        return entry.runs_by(policy) if entry else get_setting(policy, key)
