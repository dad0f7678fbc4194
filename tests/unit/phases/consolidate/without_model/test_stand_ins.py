"""A page that is another name of something is merged with none that is alike, also not with another such page."""

import pytest

from shared.core.questions.question import Document, Question
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.offline import decide_consolidation
from workers.phases.consolidate.stand_ins import stands_for_another

_ALIAS = """---
name: {0}
description: Compatibility alias for the old {0} desk. New bookings should ask the ferry desk.
---

# {1}

Sends bookings of the old desk to the ferry desk. It is kept for guests who know it by this name.

## When

- A guest asks for the old desk by name.
- An old leaflet names the desk.

## How

1. Take the booking.
2. Say that the ferry desk does this today.
3. Hand it over to the ferry desk.
"""


def kinds(texts: dict[str, str]) -> set[str]:
    shown = tuple(Document(path=path, text=text, role="changed", at="") for path, text in texts.items())
    question = Question(
        phase="consolidate", key="k", documents=shown, answer_type=ConsolidateAnswer, without_model=decide_consolidation
    )
    return {action.type for action in decide_consolidation(question).actions}


def test_two_aliases_of_one_page_are_not_merged_though_they_say_the_same() -> None:
    pages = {"desk/a.md": _ALIAS.format("pier", "Desk"), "desk/b.md": _ALIAS.format("quay", "Desk")}
    assert "MERGE" not in kinds(pages)
    plain = {path: text.replace("Compatibility alias for", "Answers at") for path, text in pages.items()}
    assert "MERGE" in kinds(plain)


@pytest.mark.parametrize(
    "text",
    [
        "# Harbour list (Deprecated Alias)\n\nText.\n",
        "# harbour ls\n\nAlias of `harbour list`.\n",
        "# Old crane guide\n\n> Moved to crane/guide.md\n",
        "# Crane\n\nThis page is deprecated, read the one of the new crane.\n",
        "# Crane\n\nThis command has been renamed to `lift`.\n",
        "---\nredirect_to: crane/new.md\n---\n# Crane\n\nSee there.\n",
        "# Kran\n\nVerschoben nach kran/neu.md.\n",
        "# Kran\n\nDiese Seite wurde umbenannt.\n",
        "# Grue\n\nRemplacée par la page de la nouvelle grue.\n",
        "# Grúa\n\nAlias de la grúa nueva.\n",
        "# Gru\n\nQuesta pagina è obsoleta.\n",
        "# Kraan\n\nVervangen door kraan/nieuw.md.\n",
    ],
)
def test_a_page_that_says_it_is_another_name_stands_for_another(text: str) -> None:
    assert stands_for_another(text)


@pytest.mark.parametrize(
    "text",
    [
        "# Redirects\n\nWe redirect http to https at the balancer. The old host answers with 301.\n",
        "# Crane\n\nThe crane moved on Friday. Its replaced cable is in the shed.\n",
        "# Shell\n\nThe alias `ll` lists files. Deprecated options print a warning.\n",
        "# Umzug\n\nDer Kran wurde am Freitag nach Norden verschoben.\n",
        "# Alias handling\n\nEvery alias is resolved before the call.\n",
    ],
)
def test_a_page_that_tells_of_aliases_and_redirects_is_a_page_of_its_own(text: str) -> None:
    assert not stands_for_another(text)
