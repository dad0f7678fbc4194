"""The table of what dreams have asked."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Field, SQLModel

from shared.adapters.postgres.tables import Moment, same_tenant, tenant_column

_NONE: dict[str, Any] = {"server_default": text("'{}'::text[]")}


class AskedRow(SQLModel, table=True):
    """A question, or a settled cluster, that a dream's model has answered. It goes with its dream."""

    __tablename__ = "asked_questions"
    __table_args__ = (
        same_tenant("asked_questions", "store_id", "stores"),
        ForeignKeyConstraint(
            ["tenant_id", "dream_id"],
            ["dreams.tenant_id", "dreams.id"],
            name="fk_asked_questions_dream_id",
            ondelete="CASCADE",
        ),
        Index("ix_asked_questions_dream", "dream_id"),
        Index(
            "ix_asked_questions_due", "store_id", "phase", "reopens_at", postgresql_where=text("reopens_at IS NOT NULL")
        ),
    )
    store_id: str = Field(primary_key=True, sa_type=Text)
    phase: str = Field(primary_key=True, sa_type=Text)
    fingerprint: str = Field(primary_key=True, sa_type=Text)
    dream_id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    asked_at: datetime = Field(sa_type=Moment)
    times_settled: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    reopens_at: datetime | None = Field(default=None, sa_type=Moment)
    members: list[str] = Field(default_factory=list, sa_type=ARRAY(Text), sa_column_kwargs=_NONE)
