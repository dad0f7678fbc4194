"""The condition by which counts of memories leave out the pages of the index."""

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, func, literal_column

from shared.core.memory.model import DOMAIN_INDEX, ROOT_INDEX


def is_no_index(path: SQLColumnExpression[str]) -> ColumnElement[bool]:
    """Return whether a path is none of a page of the index, which dreams write and no count of memories includes."""
    return and_(
        path != literal_column(f"'{ROOT_INDEX}'"), func.split_part(path, "/", -1) != literal_column(f"'{DOMAIN_INDEX}'")
    )
