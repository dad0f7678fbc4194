"""An invented store: notes on the services of some towns, nearly alike, with lists, dates and numbers; paths say nothing."""

from tests.unit.benchmarks.evidence.planted import Store

_KINDS = ("billing", "search", "mail", "export", "audit", "login", "backup", "metrics")
_TOWNS = ("Oslo", "Lima", "Turin", "Perth")
_OWNERS = ("Ada", "Bo", "Carla", "Dinesh", "Elif", "Farah", "Goran", "Hana", "Ivo")


def make_store() -> Store:
    """Return 32 notes."""
    texts = {}
    for place, town in enumerate(_TOWNS):
        for number, kind in enumerate(_KINDS):
            at = place * len(_KINDS) + number
            texts[f"notes/n-{at:03}.md"] = _note(kind, town, at)
    return Store(live=texts)


def _note(kind: str, town: str, at: int) -> str:
    owner, other = _OWNERS[at % len(_OWNERS)], _OWNERS[(at + 4) % len(_OWNERS)]
    short = f"# The {kind} service in {town}\n\n{owner} looks after it, and {other} does at night. It may not be restarted before `drain-{at}` has run.\n\n## Staging\n\n- The port is {4000 + 7 * at}.\n- Deploys wait for `{kind}-{at}-check`.\n"
    if at % 3 == 0:
        return short
    return (
        f"{short}- It moved to host `pg-{at}` on 2025-0{1 + at % 9}-1{at % 10}.\n- The lease ends on 2026-0{1 + at % 8}-2{at % 9}.\n"
        f"\n## Production\n\n- Requests end after {30 + at} seconds.\n- Its token is kept in `vault/{kind}/{100 + at}`.\n"
        f"- The queue holds {1000 + 13 * at} messages.\n\nLogs go to `logs-{200 + at}`, for {40 + at} days.\n"
    )
