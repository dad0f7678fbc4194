"""Names of people and keys on a page, looked up once."""

from collections.abc import Mapping
from functools import cached_property

from gateway.console.visitor import Visitor
from shared.services.members import list_reviewers, name_members, say_member


class MemberNames:
    """The names of a tenant's members, for templates. Without a visitor a page shows none."""

    def __init__(self, visitor: Visitor | None) -> None:
        self._visitor = visitor

    @cached_property
    def all(self) -> Mapping[str, str]:
        """Return the names by how the audit log names each."""
        visitor = self._visitor
        return {} if visitor is None else {**name_members(visitor.ports.db, visitor.tenant_id), visitor.actor: "you"}

    @cached_property
    def reviewers(self) -> Mapping[str, str]:
        """Return those who may be asked to decide: the visitor first."""
        visitor = self._visitor
        if visitor is None:
            return {}
        you = {visitor.actor: "you"}
        return {**you, **list_reviewers(visitor.ports.db, visitor.tenant_id), **you}

    def name(self, actor: str) -> str:
        """Return the name of a person or a key."""
        return self.all.get(actor) or actor.partition(":")[2] or actor

    def say(self, actor: str) -> str:
        """Return who acted, and through what."""
        return say_member(actor, self.all)
