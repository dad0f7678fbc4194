"""Export then import gives back every byte: of arbitrary texts, and of trees that people really have."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.adapters.files.found import FoundFile, RefusedFile
from shared.adapters.files.layout import find_memory_root
from shared.adapters.files.read_folder import count_files, read_folder
from shared.adapters.files.write_folder import write_folder
from shared.core.memory.model import ExportFile
from shared.core.memory.paths import MAX_PATH_BYTES, MAX_SEGMENTS, check_memory_path
from tests.support.laws import examples

DATA = Path(os.environ.get("SLOWWAVE_DATA") or Path(__file__).parents[4] / "shared/data")
TREES = sorted(path for path in (DATA / "memory-trees").glob("*") if path.is_dir())

segments = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,6}", fullmatch=True)
paths = st.builds(lambda folders, name: "/".join([*folders, f"{name}.md"]), st.lists(segments, max_size=3), segments)
texts = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"))
fronted = st.builds("---\n{}\n---\n{}".format, texts, texts)


@given(st.dictionaries(paths, texts | fronted, min_size=1, max_size=6))
@examples(150)
def test_an_exported_folder_is_read_back_to_the_byte(contents: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = write_folder(Path(folder), [ExportFile(path=path, content=text) for path, text in contents.items()])
        assert report.written == tuple(contents)
        found = list(read_folder(find_memory_root(Path(folder))))
    assert {item.path: item.content for item in found if isinstance(item, FoundFile)} == contents
    assert len(found) == len(contents)


def test_the_deepest_path_that_a_store_holds_survives_the_round_trip(tmp_path: Path) -> None:
    folders = "abc/" * (MAX_SEGMENTS - 1)
    path = check_memory_path(f"{folders}{'b' * (MAX_PATH_BYTES - len(folders) - 3)}.md")
    assert write_folder(tmp_path, [ExportFile(path=path, content="deep")]).written == (path,)
    assert [item.path for item in read_folder(find_memory_root(tmp_path))] == [path]


@pytest.mark.skipif(not TREES, reason="the real memory trees are not beside this checkout")
@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_every_file_of_a_real_tree_is_kept_or_refused_and_survives_the_round_trip(tree: Path, tmp_path: Path) -> None:
    root = find_memory_root(tree)
    items = list(read_folder(root))
    found = {item.path: item for item in items if isinstance(item, FoundFile)}
    refused = {item.path for item in items if isinstance(item, RefusedFile)}
    present = {path.relative_to(root.root).as_posix() for path in root.root.rglob("*") if path.is_file()}
    assert found
    assert {path for path in present if path.endswith(".md")} == set(found)
    assert present <= set(found) | refused
    assert len(items) == count_files(root)

    report = write_folder(
        tmp_path,
        [ExportFile(path=item.path, content=item.content, updated_at=item.updated_at) for item in found.values()],
    )
    assert not report.refused
    for path, item in found.items():
        assert (tmp_path / path).read_bytes() == (root.root / path).read_bytes()
        assert int((tmp_path / path).stat().st_mtime) == int(item.updated_at.timestamp())
