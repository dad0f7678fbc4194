"""Table of skill uses. Skills themselves are memories."""

from datetime import datetime

from sqlalchemy import Index, Text, func
from sqlmodel import Field, SQLModel

from shared.adapters.postgres.tables import Moment, same_tenant, tenant_column


class SkillUseRow(SQLModel, table=True):
    """A use of a skill in a session, which is named by its source's id and need not be here."""

    __tablename__ = "skill_uses"
    __table_args__ = (
        same_tenant("skill_uses", "store_id", "stores"),
        Index("ix_skill_uses_recent", "store_id", "used_at"),
        Index("ix_skill_uses_age", "tenant_id", "used_at"),
    )
    store_id: str = Field(primary_key=True, sa_type=Text)
    skill: str = Field(primary_key=True, sa_type=Text)
    session: str = Field(primary_key=True, sa_type=Text)
    used_at: datetime = Field(primary_key=True, sa_type=Moment)
    tenant_id: str = tenant_column()
    created_at: datetime | None = Field(
        default=None, sa_type=Moment, nullable=False, sa_column_kwargs={"server_default": func.now()}
    )
