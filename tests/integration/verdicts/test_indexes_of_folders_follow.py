"""Indexes that name folders, because they have no room for every memory, follow a verdict on a merge, too."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, OperationState
from shared.core.dream.operations import OperationKind
from shared.core.memory.index_text import by_hand, is_marked
from shared.core.memory.model import DOMAIN_INDEX, ROOT_INDEX
from shared.core.policy.policy import Autonomy
from shared.services.operations.review import reopen_operation
from tests.integration.undo.undo_support import COOKIES, COOKIES_TWIN, find_operation
from tests.integration.verdicts.test_indexes_follow import approve, broken_pointers, indexes
from tests.support.builders import a_store, run_dream, write
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer

_BEDS = ("kale", "rye", "figs", "oats", "yams", "peas", "leek", "mint", "dill", "sage", "hops", "flax")
_NOTES = {f"garden/{name}.md": f"# {name.title()}\n\nOne bed of the garden holds {name}.\n" for name in _BEDS}
#: The folder of the two that are merged (the garden's own index has no room for all, either), and where their text goes.
PLACES = [
    ("web", "web/cookies.md"), ("web", "web/all-cookies.md"), ("web", "sweets/cookies.md"), ("web", "cookies.md"),
    ("garden", "garden/cookies.md"), ("garden", "garden/all-cookies.md"), ("garden", "sweets/cookies.md"),
]  # fmt: skip


def dream_of_a_merge(ports: Ports, tenant: str, folder: str, output: str) -> Dream:
    """A dream over a store whose indexes have ten lines, and whose model wants two memories of a folder merged."""
    twins = {f"{folder}/cookies.md": COOKIES, f"{folder}/cookies-twin.md": COOKIES_TWIN}
    merge = ConsolidateAction(type="MERGE", files=tuple(twins), output_file=output, merged_content=COOKIES_TWIN)
    answer = ConsolidateAnswer(actions=(merge,))
    a_store(ports, tenant, autonomy=Autonomy.PROPOSE, overrides={"index.max_lines": 10})
    write(ports, tenant, _NOTES | twins | {"lamp.md": "# Lamp\n\nThe lamp at the door was mended.\n"})
    return run_dream(
        ports, tenant, ScriptedLlm(lambda asked: answer if asked.answer_type is ConsolidateAnswer else None)
    )


def reachable(texts: Mapping[str, str]) -> set[str]:
    """Return the paths to which links lead from `MEMORY.md`, at once or over other indexes."""
    found, left = set[str](), [ROOT_INDEX]
    while left:
        path = left.pop()
        folder = PurePosixPath(path).parent
        targets = {str(folder / target) for target in re.findall(r"\]\(([^)]+\.md)\)", texts.get(path, ""))}
        left += targets - found
        found |= targets
    return found


@pytest.mark.parametrize(("folder", "output"), PLACES)
def test_an_approved_merge_is_led_to_from_the_root_at_once_and_what_it_replaced_is_not(
    folder: str, output: str, ports: Ports, tenant: str
) -> None:
    dream = dream_of_a_merge(ports, tenant, folder, output)
    before = indexes(ports, tenant)
    assert f"]({DOMAIN_INDEX})" in before[ROOT_INDEX]
    assert {f"{folder}/cookies.md", f"{folder}/cookies-twin.md"} <= reachable(before)
    merge = find_operation(ports, tenant, dream, OperationKind.MERGE, OperationState.PROPOSED)
    approve(ports, tenant, merge)
    assert broken_pointers(ports, tenant) == set()
    assert output in reachable(indexes(ports, tenant))
    reopen_operation(ports.db, tenant, merge, actor="a test")
    assert indexes(ports, tenant) == before


@pytest.mark.parametrize(("folder", "output"), PLACES)
def test_the_next_dream_takes_no_pointer_that_followed_a_verdict_for_one_by_hand(
    folder: str, output: str, ports: Ports, tenant: str
) -> None:
    dream = dream_of_a_merge(ports, tenant, folder, output)
    own = "Read the garden first.\n"
    write(ports, tenant, {path: text + own for path, text in indexes(ports, tenant).items()})
    approve(ports, tenant, find_operation(ports, tenant, dream, OperationKind.MERGE, OperationState.PROPOSED))
    run_dream(ports, tenant)
    after = indexes(ports, tenant)
    assert output in reachable(after)
    assert broken_pointers(ports, tenant) == set()
    left = {path: by_hand(text) for path, text in after.items() if is_marked(text)}
    assert {path for path, text in left.items() if own in text} == {path for path in after if own in after[path]}
    assert [path for path, text in left.items() if "](" in text] == []
