"""Choose the prompt of a question: the directive of the store or the tenant for its phase, else the built-in file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shared.core.questions.directives import Directive, name_prompt
from shared.core.questions.question import Question
from shared.ports.database import UnitOfWork
from workers.ask.builtin_prompts import get_prompt
from workers.phases import CATALOG


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompts:
    """The prompts in force for one store. `own` holds the directives by the name of the prompt that they replace."""

    own: Mapping[str, Directive] = field(default_factory=dict)

    def get(self, question: Question) -> str:
        """Return the instructions of a question."""
        name = _name_of(question)
        directive = self.own.get(name)
        return directive.content if directive is not None and directive.content else get_prompt(name)

    def describe(self, questions: Sequence[Question]) -> list[str]:
        """Return the lines of the dream log about the prompts of these questions."""
        found = {_name_of(question): self.get(question) for question in questions}
        return [name_prompt(name, text, self.own.get(name)) for name, text in found.items()]


def find_prompts(uow: UnitOfWork, store: str) -> Prompts:
    """Return the prompts that are in force for a store now: its own, then its tenant's, then the built-in ones."""
    current = uow.directives.find_in_force(store)
    directives = CATALOG.directives
    return Prompts(own={directives[n]: one for n, one in current.items() if one.content and n in directives})


def _name_of(question: Question) -> str:
    return question.instructions_name or question.phase
