"""Writing memories from outside: nothing half-written, nothing that the database cannot hold."""

import pytest

from shared.all_ports import Ports
from shared.core.errors import BadInputError, UnsafePathError
from tests.support.builders import take_picture, write


@pytest.mark.parametrize("content", ["a\x00b", "half \ud800 pair"])
def test_a_text_that_the_database_cannot_hold_is_refused_with_its_place_and_nothing_of_the_batch_is_written(
    ports: Ports, tenant: str, content: str
) -> None:
    with pytest.raises(BadInputError, match=r"bad\.md contains"):
        write(ports, tenant, {"good.md": "fine", "bad.md": content})
    assert take_picture(ports, tenant).memories == {}


@pytest.mark.parametrize("path", ["../up.md", "/abs.md", "a//b.md", "a.txt", "a\\b.md", "C:/x.md", "a/./b.md"])
def test_a_path_that_leaves_its_store_is_refused_and_nothing_of_the_batch_is_written(
    ports: Ports, tenant: str, path: str
) -> None:
    with pytest.raises(UnsafePathError):
        write(ports, tenant, {"good.md": "fine", path: "text"})
    assert take_picture(ports, tenant).memories == {}


def test_writing_the_same_text_again_is_no_version_and_no_curation(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "one"})
    before = take_picture(ports, tenant)
    counts = write(ports, tenant, {"a.md": "one"})
    assert (counts.created, counts.updated, counts.unchanged) == (0, 0, 1)
    assert take_picture(ports, tenant) == before
