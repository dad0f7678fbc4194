"""The base of every row class."""

from sqlmodel import SQLModel


class TableRow(SQLModel):
    """A table's columns. They are selected and written by name, so Pydantic need not build a validator at import."""

    model_config = {"defer_build": True}
