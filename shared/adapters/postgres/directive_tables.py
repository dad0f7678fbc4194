"""The table of directives: a tenant's own prompts, version by version."""

from datetime import datetime

from sqlalchemy import Text, func
from sqlmodel import Field, SQLModel

from shared.adapters.postgres.tables import Moment


class DirectiveRow(SQLModel, table=True):
    """One version of a directive; without content it is a reset."""

    __tablename__ = "directives"
    tenant_id: str = Field(primary_key=True, foreign_key="tenants.id", sa_type=Text)
    name: str = Field(primary_key=True, sa_type=Text)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    content: str | None = Field(default=None, sa_type=Text)
    actor: str = Field(sa_type=Text)
    created_at: datetime | None = Field(
        default=None, sa_type=Moment, nullable=False, sa_column_kwargs={"server_default": func.now()}
    )
