"""Memories that another program keeps in one JSON file become notes; whatever else a file holds is refused by name."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.adapters.files.found import FoundFile
from shared.adapters.files.layout import Layout, find_memory_root
from shared.adapters.files.read_folder import count_files, read_folder
from shared.adapters.files.write_folder import write_folder
from shared.core.errors import BadInputError
from shared.core.memory.model import ExportFile
from shared.core.memory.paths import check_memory_path

ENTITIES = [
    {"type": "entity", "name": "Ann Lee", "entityType": "person", "observations": ["Sends invoices\non the third."]},
    {"type": "entity", "name": "Shop", "entityType": "project", "observations": []},
]
RELATION = {"type": "relation", "from": "Ann Lee", "to": "Shop", "relationType": "works_on"}
GRAPH = [*ENTITIES, RELATION]
MEM0 = [
    {
        "id": "1",
        "memory": "Prefers tabs.",
        "user_id": "ann",
        "created_at": "2026-03-04T09:10:00-08:00",
        "updated_at": None,
    },
    {"id": "2", "memory": "Prefers tabs.", "user_id": "ann"},
]
LETTA = {"agents": [], "blocks": [{"label": "human", "value": "Name: Ann\n"}, {"label": "persona", "value": ""}]}
CLAUDE = [
    {"conversations_memory": "Ann runs a shop.", "project_memories": {"p-1": "Ships on Fridays."}, "account_uuid": "a"}
]


def read(path: Path, value: object) -> dict[str, FoundFile]:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    root = find_memory_root(path)
    assert root.layout is Layout.EXPORT
    found = [file for file in read_folder(root) if isinstance(file, FoundFile)]
    assert count_files(root) == len(found)
    return {file.path: file for file in found}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memory.jsonl", "\n".join(map(json.dumps, GRAPH))),
        ("memory.json", "\n".join(map(json.dumps, GRAPH))),
        ("graph.json", {"entities": ENTITIES, "relations": [RELATION]}),
    ],
)
def test_each_entity_of_a_graph_is_a_note_with_its_observations_and_relations(
    name: str, value: object, tmp_path: Path
) -> None:
    found = read(tmp_path / name, value)
    assert set(found) == {"person/ann-lee.md", "project/shop.md"}
    assert found["person/ann-lee.md"].content == (
        "# Ann Lee\n\nType: person\n\n- Sends invoices on the third.\n- Ann Lee works on Shop\n"
    )


def test_memories_of_mem0_keep_their_words_and_dates(tmp_path: Path) -> None:
    for value in (MEM0, {"results": MEM0}):
        found = read(tmp_path / "mem0.json", value)
        assert {path: file.content for path, file in found.items()} == {
            "mem0/ann/prefers-tabs.md": "Prefers tabs.\n",
            "mem0/ann/prefers-tabs-2.md": "Prefers tabs.\n",
        }
        assert str(found["mem0/ann/prefers-tabs.md"].created_at) == "2026-03-04 17:10:00+00:00"


def test_blocks_of_letta_and_what_claude_ai_remembers_are_notes(tmp_path: Path) -> None:
    assert {path: file.content for path, file in read(tmp_path / "sam.af", LETTA).items()} == {
        "blocks/human.md": "# human\n\nName: Ann\n"
    }
    assert {path: file.content for path, file in read(tmp_path / "memories.json", CLAUDE).items()} == {
        "claude-ai/conversations.md": "Ann runs a shop.\n",
        "claude-ai/projects/p-1.md": "Ships on Fridays.\n",
    }


@pytest.mark.parametrize("value", [GRAPH, MEM0, LETTA, CLAUDE], ids=["graph", "mem0", "letta", "claude-ai"])
def test_what_another_program_remembered_is_the_same_after_an_export(value: object, tmp_path: Path) -> None:
    found = read(tmp_path / "theirs.json", value)
    (tmp_path / "ours").mkdir()
    write_folder(tmp_path / "ours", [ExportFile(path=path, content=file.content) for path, file in found.items()])
    again = read_folder(find_memory_root(tmp_path / "ours"))
    assert {file.path: file.content for file in again if isinstance(file, FoundFile)} == {
        path: file.content for path, file in found.items()
    }


def test_titles_that_are_alike_never_share_a_note(tmp_path: Path) -> None:
    found = read(tmp_path / "a.json", [{"memory": memory} for memory in ("Tabs", "Tabs", "Tabs 2", "tabs")])
    assert [file.content for file in found.values()] == ["Tabs\n", "Tabs\n", "Tabs 2\n", "tabs\n"]


@pytest.mark.parametrize("text", ["", "7", "{}", "[]", "{broken", '{"name": "shop", "version": "1"}', "[" * 100_000])
def test_a_file_without_memories_is_refused_with_the_forms_that_are_known(text: str, tmp_path: Path) -> None:
    path = tmp_path / "package.json"
    path.write_text(text)
    with pytest.raises(BadInputError, match="mem0"):
        find_memory_root(path)


ANY = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(), lambda one: st.lists(one) | st.dictionaries(st.text(), one)
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_stands_in_a_file_it_is_read_into_safe_paths_or_refused(data: st.DataObject, tmp_path: Path) -> None:
    sample: list[dict[str, object]] = data.draw(st.sampled_from([GRAPH, MEM0, [LETTA], CLAUDE]))
    values = [dict(one) for one in sample]
    one = data.draw(st.sampled_from(values))
    one[data.draw(st.sampled_from(sorted(one)))] = data.draw(ANY)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(values))
    try:
        found = list(read_folder(find_memory_root(path)))
    except BadInputError:
        return
    assert len({file.path for file in found}) == len(found)
    for file in found:
        check_memory_path(file.path)
