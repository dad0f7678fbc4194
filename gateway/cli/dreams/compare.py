"""`slowwave dreams diff`: two dreams of a store side by side, and what the later one changed again."""

from typing import Annotated, Any

import typer

from gateway.cli.console.options import AsJson, Tenant
from gateway.cli.console.output import print_json, print_table, safe, say
from gateway.cli.console.session import open_session
from gateway.cli.dreams.as_json import dream_line
from gateway.cli.dreams.dream_id import find_dream_id
from shared.core.dream.operations import KINDS
from shared.core.dream.recall import ABOUT
from shared.core.errors import BadInputError
from shared.core.questions.prices import say_cost
from shared.services.evaluation.compare_dreams import (
    ChangedAgain,
    ComparedDreams,
    DreamDeeds,
    compare_dreams,
    find_dream_before,
)


def diff(
    tenant: Tenant,
    dream_id: Annotated[str, typer.Argument(help="A dream's id or its beginning.")],
    other: Annotated[str | None, typer.Argument(help="Another dream of the store. Default: the dream before.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare two dreams of a store: what each did, learned and cost, changed settings, and what the later one changed again."""
    with open_session(tenant=tenant) as session:
        ports = session.ports
        one = find_dream_id(ports, tenant, dream_id)
        chosen = find_dream_id(ports, tenant, other) if other else find_dream_before(ports.db, tenant, one)
        if chosen is None:
            raise BadInputError(f"{one} is the first dream of its store; there is none to compare it with")
        found = compare_dreams(ports.db, tenant, one, chosen)
    if as_json:
        print_json(_compared_json(found))
        return
    _print(found)


def _print(found: ComparedDreams) -> None:
    first, second = found.first, found.second
    print_table(f"Dreams of {first.dream.store}", ("", first.dream.id, second.dream.id), _rows(found))
    for one in (first, second):
        for lesson in one.lessons:
            say(safe(f"{one.dream.id}  ", "dim").append_text(safe(f"{lesson.path}: {lesson.text}")), hang=2)
    if found.settings:
        print_table(
            "Settings changed between them",
            ("setting", "before", "after"),
            [(name, str(one["from"]), str(one["to"])) for name, one in found.settings.items()],
        )
    say(f"Changed again: {len(found.again):,} of the memories that {first.dream.id} changed", "bold")
    for memory in found.again:
        say(safe(f"  {memory.path}", "cyan").append_text(safe(f"  {_deeds(memory)}", "dim")))
        for text in memory.taken:
            say(f"    - {text}", "red")


def _rows(found: ComparedDreams) -> list[tuple[str, str, str]]:
    first, second = found.first, found.second
    done = [
        (KINDS[kind].label, f"{first.kinds.get(kind, 0):,}", f"{second.kinds.get(kind, 0):,}") for kind in found.kinds
    ]
    recall = [
        (f"recall of {ABOUT[kind]}", _recall(first.recall_deltas.get(kind)), _recall(second.recall_deltas.get(kind)))
        for kind in found.probes
    ]
    names = ("to review", "tokens", "cost", "state")
    return done + recall + list(zip(names, _told(first), _told(second), strict=True))


def _told(one: DreamDeeds) -> tuple[str, ...]:
    cost = say_cost(one.calls.cost_usd, one.calls.tokens, one.dream.model or "")
    return f"{one.waiting:,}", f"{one.calls.tokens:,}", cost, str(one.dream.state)


def _recall(delta: float | None) -> str:
    return "not measured" if delta is None else f"{100 * delta:+.1f} points"


def _deeds(memory: ChangedAgain) -> str:
    first, second = (
        ", ".join(KINDS[one.operation.kind].label for one in deeds) for deeds in (memory.first, memory.second)
    )
    return f"{first}, then {second}"


def _compared_json(found: ComparedDreams) -> dict[str, Any]:
    return {
        "first": _deeds_json(found.first),
        "second": _deeds_json(found.second),
        "settings": found.settings,
        "changed_again": [
            {
                "id": one.memory_id,
                "path": one.path,
                "first": [operation.id for operation in one.first],
                "second": [operation.id for operation in one.second],
                "taken": one.taken,
            }
            for one in found.again
        ],
    }


def _deeds_json(one: DreamDeeds) -> dict[str, Any]:
    return dream_line(one.dream) | {
        "operations": one.kinds,
        "to_review": one.waiting,
        "statements": [
            {
                "operation": lesson.operation_id,
                "path": lesson.path,
                "text": lesson.text,
                "instead_of": lesson.instead_of,
            }
            for lesson in one.lessons
        ],
        "recall_deltas": one.recall_deltas,
        "tokens": one.calls.tokens,
        "cost_usd": one.calls.cost_usd,
    }
