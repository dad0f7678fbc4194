"""slowwave queries PostgreSQL with rows and expressions of SQLModel, and without a session that loads or writes on its own."""

import ast

from tests.architecture.sources import name_of, tracked, tree_of

_FOLDERS = ("shared/", "gateway/", "scheduler/", "workers/")
_LIBRARIES = ("sqlalchemy", "sqlmodel")


def test_no_part_of_the_product_opens_a_session_of_the_object_mapper() -> None:
    sources = [path for path in tracked(".py") if name_of(path).startswith(_FOLDERS)]
    asking = [path for path in sources if any(name in path.read_text("utf-8") for name in _LIBRARIES)]
    assert len(asking) > 20
    imported = {
        (name_of(path), alias.name)
        for path in asking
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_LIBRARIES)
        for alias in node.names
    }
    assert [(where, name) for where, name in imported if "session" in name.lower()] == []
