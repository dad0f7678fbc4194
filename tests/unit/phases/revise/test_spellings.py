"""A value may be spelled otherwise than it is cited, and stands for no other value then."""

import pytest

from shared.core.memory.model import Author
from tests.unit.builders import codes, memory
from tests.unit.phases.revise.test_revise import ROOT, answer, only, plan, read, update
from workers.phases.revise.phase import PHASE


@pytest.mark.parametrize(("said", "spelled"), [("31,000", "31k"), ("31k", "31000")])
def test_a_value_in_another_spelling_is_the_cited_one(said: str, spelled: str) -> None:
    log = memory("notes/api-2026-03-02.md", f"# API\n\nThe shop has {said} endpoints now.\n", author=Author.IMPORT)
    made = answer(updates=[update("a1", "b1", f"The shop has {spelled} endpoints.")])
    assert codes(plan(made, inputs=read(ROOT, log))) == []


def test_a_value_that_is_only_spelled_otherwise_stands_for_no_other_one() -> None:
    note = memory("notes/plan.md", "# Plan\n\nThe plan has 1000 and 500 seats.\n", author=Author.IMPORT)
    log = memory("notes/log-2026-03-02.md", "# Log\n\nThe plan has 1k seats.\n", author=Author.IMPORT)
    inputs = read(note, log)
    letters = {document.path: document.text for document in PHASE.ask(inputs)[0].documents}
    names = {path: text[text.index("[") + 1 : text.index("]")] for path, text in letters.items()}
    made = update(names["notes/plan.md"], names["notes/log-2026-03-02.md"], "The plan has 1k seats.")
    operation = only(plan(answer(updates=[made]), inputs=inputs))
    assert operation.propose_only
    assert "500" in operation.propose_only
