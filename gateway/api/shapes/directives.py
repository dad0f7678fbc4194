"""Directives as JSON."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from shared.core.directives import DIRECTIVES, MAX_CHARS, Directive


class DirectiveIn(BaseModel):
    """A prompt of a tenant's own."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"content": "Merge what says the same. Keep every date.\n"}}
    )

    content: str = Field(
        min_length=1,
        max_length=MAX_CHARS,
        pattern=r"^[^\x00]*$",
        description="A complete prompt. The answer's schema and the safety rules stay whatever it says.",
    )


class DirectiveLine(BaseModel):
    """A directive, and whether the tenant has one of its own."""

    name: str
    phase: str = Field(description="The phase whose built-in prompt it replaces.")
    own: bool = Field(description="False: the built-in prompt is in force.")
    version: int | None = Field(description="Null: it was never changed.")
    changed_by: str | None
    changed_at: datetime | None


class DirectiveOut(DirectiveLine):
    """A directive with its text; null for the built-in prompt."""

    content: str | None


def directive_line(name: str, directive: Directive | None) -> DirectiveLine:
    """Return a directive without its text as JSON."""
    return DirectiveLine(**_plain(name, directive))


def directive_out(name: str, directive: Directive | None) -> DirectiveOut:
    """Return a directive with its text as JSON."""
    return DirectiveOut(**_plain(name, directive), content=directive.content if directive else None)


def _plain(name: str, directive: Directive | None) -> dict[str, object]:
    return {
        "name": name,
        "phase": DIRECTIVES[name],
        "own": directive is not None and directive.content is not None,
        "version": directive.version if directive else None,
        "changed_by": directive.actor if directive else None,
        "changed_at": directive.created_at if directive else None,
    }
