"""Choose the prompt of a question: the directive of the store or the tenant for its phase, else the built-in file.

A phase that asks a model has a markdown file with its prompt. The rules at the beginning of every call are next to this module.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from shared.core.policy.policy import BudgetPolicy
from shared.core.questions.directives import Directive, name_prompt
from shared.core.questions.question import Question
from shared.core.tenants.shadow import original_name
from shared.ports.database import UnitOfWork
from shared.ports.llm import LlmRequest
from workers.phases import CATALOG

_FOLDER = Path(__file__).parent
_PHASES = _FOLDER.parent / "phases"


@cache
def get_prompt(name: str) -> str:
    """Return a prompt's text, always the same bytes, so that the provider can cache the prefix."""
    places = (_PHASES / name / "prompt.md", _FOLDER / f"{name}.md", *sorted(_PHASES.glob(f"*/{name}.md")))
    return next(place for place in places if place.is_file()).read_text(encoding="utf-8")


def find_prompt_names() -> frozenset[str]:
    """Return the names of all prompts: a phase's main prompt has the phase's name, others the name of their file."""
    own = {path.parent.name for path in _PHASES.glob("*/prompt.md")}
    return frozenset(own | {path.stem for path in (*_FOLDER.glob("*.md"), *_PHASES.glob("*/*.md"))} - {"prompt"})


def with_order_instructions(instructions: str, wish: str) -> str:
    """Return a task's prompt followed by the order's instructions, as one JSON string that cannot break out of its frame."""
    return f"{instructions}\n\n{get_prompt('wish')}\n{json.dumps(wish, ensure_ascii=False)}" if wish else instructions


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSettings:
    """The settings with which a phase asks its questions, besides their prompts."""

    budget: BudgetPolicy
    effort: str
    wish: str = ""  # of the person who ordered the dream


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompts:
    """The prompts in force for one store. `own` maps names of prompts to the directives that replace them."""

    own: Mapping[str, Directive] = field(default_factory=dict)

    def get(self, question: Question) -> str:
        """Return the instructions of a question."""
        return self.get_named(_name_of(question))

    def get_named(self, name: str) -> str:
        """Return the prompt with this name, in the words of its directive if there is one."""
        directive = self.own.get(name)
        return directive.content if directive is not None and directive.content else get_prompt(name)

    def request(self, question: Question, ask_settings: AskSettings, timeout_seconds: float) -> LlmRequest:
        """Return the call that asks a question."""
        return LlmRequest(
            question=question,
            prefix=get_prompt("rules"),
            instructions=with_order_instructions(self.get(question), ask_settings.wish),
            max_output_tokens=ask_settings.budget.max_output_tokens,
            timeout_seconds=timeout_seconds,
            effort=ask_settings.effort,
        )

    def describe(self, questions: Sequence[Question]) -> list[str]:
        """Return the lines of the dream log about the prompts of these questions."""
        found = {_name_of(question): self.get(question) for question in questions}
        return [name_prompt(name, text, self.own.get(name)) for name, text in found.items()]


def find_prompts(uow: UnitOfWork, store: str) -> Prompts:
    """Return the prompts in force for a store: its own directives, else its tenant's, else the built-in prompts."""
    current = uow.directives.find_in_force(original_name(store))
    directives = CATALOG.directives
    return Prompts(own={directives[n]: one for n, one in current.items() if one.content and n in directives})


def _name_of(question: Question) -> str:
    return question.instructions_name or question.phase
