"""`slowwave memory ask`: what agents find for a question, by both readers, and why."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from gateway.cli.console.options import AsJson, StoreOption, Tenant
from gateway.cli.console.output import print_json, safe, say
from gateway.cli.console.session import open_session
from shared.core.evaluation.readers import Reader
from shared.core.tenants.store import DEFAULT_STORE
from shared.program import COMMAND
from shared.services.asking.ask import Answer, Asked, ReadLine, ReadText, ask_store

_READERS = {Reader.SEARCH: "A search, over the API or MCP", Reader.FILES: "Files, as a coding agent reads them"}


def ask(
    tenant: Tenant,
    question: Annotated[str, typer.Argument(help="The question, or the words of a search.")],
    store: StoreOption = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Ask a store as its agents do, by a search and by its files: what is found, why, and who wrote it.

    Nothing counts as read, and no search is logged. What is left out is named, with the reason.
    """
    with open_session(tenant=tenant, store=store) as session:
        ports = session.ports
        asked = ask_store(ports.db, ports.search, tenant, store, question, ports.meaning)
    if as_json:
        print_json(_asked_json(asked))
        return
    if not asked.memories:
        say(f"{tenant}/{store} has no memories yet. `{COMMAND} import DIR --tenant {tenant}` imports some.")
        return
    for answer in asked.answers:
        _say_answer(answer)
    first = next((one for answer in asked.answers for one in answer.opened if one.place), None)
    if first is not None:
        say(f"\nWhy it is remembered: {COMMAND} memory why {tenant} {first.path} --store {store}", "dim")
        say(f"It is wrong: {COMMAND} feedback add --tenant {tenant} --store {store} --about {first.path} TEXT", "dim")


def _say_answer(answer: Answer) -> None:
    texts = "1 text" if answer.found == 1 else f"{answer.found:,} texts"
    say(f"{_READERS[answer.reader]}: {texts}, {answer.tokens:,} tokens loaded", "bold")
    for one in answer.opened:
        _say_text(one)
    for one in answer.left_out:
        say(safe(f"  -  {one.path}", "dim").append_text(safe(f"  not read: {one.left_out}", "dim")), hang=5)
    if not answer.found:
        say("  Nothing found.")


def _say_text(one: ReadText) -> None:
    score = "" if one.score is None else f"score {one.score:.2f}, "
    head = safe(f"  {one.place}  ", "dim").append_text(safe(one.path, "cyan"))
    say(head.append_text(safe(f"  {score}{one.trust}, {one.tokens:,} tokens", "dim")), hang=5)
    why = "close in meaning" if one.is_meant else ", ".join(one.words) or "none of the words"
    say(f"     {'found by' if one.place else 'loaded at the start; it holds'}: {why}", "dim")
    for line in one.lines:
        if line.words:
            say(safe(f"     - {line.text}").append_text(safe(f"  [{_origin(line)}]", "dim")), hang=7)


def _origin(line: ReadLine) -> str:
    """Return who wrote a line, and what brought it into its text."""
    brought = f"brought by {line.dream_id}" if line.dream_id else f"version {line.version}" if line.version else "older"
    return f"{line.writer.in_full}; {brought}"


def _asked_json(asked: Asked) -> dict[str, Any]:
    return {
        "words": asked.words,
        "memories": asked.memories,
        "readers": {
            answer.reader: {
                "tokens": answer.tokens,
                "read": [_text_json(one) for one in answer.opened],
                "left_out": [_text_json(one) for one in answer.left_out],
            }
            for answer in asked.answers
        },
    }


def _text_json(one: ReadText) -> dict[str, Any]:
    lines = [asdict(line) | {"writer": asdict(line.writer) | {"rank": line.writer.rank.word}} for line in one.lines]
    return asdict(one) | {"lines": lines}
