"""A memory said twice in other words is put before a person; neighbours in one folder are not.

The families in `material` can be graded, too: `python -m benchmarks.judgement tests/unit/phases/consolidate/without_model/material`. Those in
`*-unseen.json` were written after the rule, and nothing was changed for them.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from shared.core.questions.question import Document, Question
from shared.core.text.words import cut
from tests.unit.builders import group, memory
from tests.unit.phases.consolidate.consolidating import merge, only, plan
from workers.offline.join_texts import merge_bodies
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.consolidate.offline import decide_consolidation

_MATERIAL = Path(__file__).parent / "material"
#: A rehearsal at another time, and a retro with another outcome, are nearly the same texts and cannot both hold; a bike and
#: the shop that sold it share few words.
_APART = {"duplicates.json": {"choir", "retro"}, "duplicates-unseen.json": {"bike"}}


def families(name: str) -> dict[str, Mapping[str, str]]:
    read = json.loads((_MATERIAL / name).read_text(encoding="utf-8"))
    return {one["family"]: one["documents"] for one in read}


def without_model(documents: Mapping[str, str]) -> list[ConsolidateAction]:
    shown = tuple(Document(path=path, text=text, role="changed", at="") for path, text in documents.items())
    question = Question(
        phase="consolidate",
        key="k",
        documents=shown,
        answer_type=ConsolidateAnswer,
        without_model=decide_consolidation,
    )
    return list(decide_consolidation(question).actions)


def merges(documents: Mapping[str, str]) -> list[ConsolidateAction]:
    return [action for action in without_model(documents) if action.type == "MERGE"]


@pytest.mark.parametrize("name", _APART)
def test_duplicates_in_other_words_are_merged_or_put_before_a_person(name: str) -> None:
    found = families(name)
    assert {family for family, documents in found.items() if not merges(documents)} == _APART[name]


@pytest.mark.parametrize("name", ["siblings.json", "siblings-unseen.json"])
def test_neighbours_are_neither_merged_nor_put_before_a_person(name: str) -> None:
    assert not [family for family, documents in families(name).items() if merges(documents)]


def test_files_of_one_folder_that_share_their_title_with_a_third_one_are_pages_of_a_template() -> None:
    texts = families("duplicates.json")["vet"].values()
    pages = {f"pets/{n}.md": re.sub("^# .*", "# Milo", text) for n, text in zip("pq", texts, strict=True)}
    assert merges(pages)
    third = {"pets/r.md": "# Milo\n\nThe cat next door brings her kittens over when it thunders.\n"}
    assert not merges(pages | third)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("小周是小吴的上级。", "小吴是小周的上级。"),
        ("先上线后端,再上线前端。", "先上线前端,后端最后上线。"),
        ("客户同意了延期。", "客户拒绝了延期。"),
    ],
)
def test_what_may_say_the_opposite_in_a_script_without_spaces_is_never_merged_without_a_person(
    left: str, right: str
) -> None:
    assert all(action.doubt for action in merges({"a/one.md": f"{left}\n", "a/two.md": f"{right}\n"}))


def test_a_copy_is_merged_in_any_script_whatever_its_stops_are() -> None:
    (action,) = merges({"a/one.md": "客户同意了延期。\n", "a/one (1).md": "客户同意了延期\uff01\n"})
    assert not action.doubt
    (action,) = merges({"a/one.md": "客户同意了延期。\n", "b/two.md": "客户同意了延期\uff01\n"})
    assert action.doubt == "a/one.md and b/two.md may be about two subjects: they stand in two folders: a and b"


@pytest.mark.parametrize("name", ["lease", "vet", "flags", "tax"])
def test_a_proposal_keeps_every_word_of_both_and_says_what_a_person_has_to_decide(name: str) -> None:
    documents = families("duplicates.json")[name]
    (action,) = merges(documents)
    assert "it is not known whether" in action.doubt
    left, right = (memory(path, text) for path, text in documents.items())
    operation = only(action, of=group(left, right))
    assert operation.propose_only is not None
    merged = " ".join(change.content for change in operation.changes if hasattr(change, "content"))
    assert {word for text in documents.values() for word in cut(text)} <= set(cut(merged))


def test_two_of_three_that_are_surely_the_same_are_not_held_up_by_the_third() -> None:
    one, other = families("duplicates.json")["vet"].items()
    documents = dict((one, ("pets/milo-copy.md", one[1]), other))
    first = merges(documents)[0]
    assert (set(first.files), first.doubt) == ({one[0], "pets/milo-copy.md"}, "")


def test_pairs_that_the_rules_propose_are_shown_however_few_words_they_share() -> None:
    documents = families("duplicates.json")["tax"]
    (action,) = merges(documents)
    assert (action.confidence or 0) < 0.7
    left, right = (memory(path, text) for path, text in documents.items())
    assert plan(action, of=group(left, right)).skips == ()


@pytest.mark.parametrize("name", ["siblings.json", "siblings-unseen.json"])
def test_a_model_that_merges_all_it_may_has_no_two_neighbours_merged_without_a_person(name: str) -> None:
    for documents in families(name).values():
        left, right = (memory(path, text) for path, text in documents.items())
        text = merge_bodies(left.content, [right.content])
        found = plan(merge(left, right, text=text, confidence=0.99), of=group(left, right)).operations
        assert all(operation.propose_only for operation in found)
