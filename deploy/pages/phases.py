"""Write docs/phases.md from the phases themselves: `python -m deploy.pages.phases > docs/phases.md`."""

import sys

from shared.adapters.celery import names
from shared.core.dream.operations import KINDS
from shared.core.dream.phase_catalog import PhaseEntry
from workers.phases import CATALOG, PHASES, UPKEEP

_HEAD = """# Phases

A dream runs these phases in this order, each as the Celery task `dream.<phase>`; a daily digest and a compaction have
shorter chains of their own. `python -m deploy.pages.phases` generates this page from the declaration of each phase in
`workers/phases/<phase>/__init__.py`, and a test compares the two. [How to add one](add-a-phase.md).

| kind of dream | phases, in order |
|---|---|
"""
_TABLE = """
## Each phase

The metrics label of a phase is its name (`phase="{example}"`). A store switches an optional phase off with
`slowwave stores set acme/default --set {switch}=false`; a profile that leaves it out switches it off by default.

| phase | what it does | task | switch | left out of | directives | operations |
|---|---|---|---|---|---|---|
"""

_SHOWN = """
## What `revise` shows

A store is shown whole if it fits into `show.tokens` and is at most twice as large as what changed, or has at most 6,000 tokens. Of a
larger one a model sees whole what changed, the root index and the relatives of what changed, and of at most 50 others the path, the
title and the first statement. Its answer may name up to 20 of these, or three words to search the whole store for. What it names is opened as far as the budget reaches, in one
more question beside the texts that made it wanted; both answers count, and a second look is ignored. A sixth of `show.tokens` is kept
for this. `slowwave dreams show` counts what was `opened`, and as `unopened` what was wanted but did not fit or was beyond the twentieth. What changed and did not fit stays changed, and the next dream shows it first.
"""


def render_page() -> str:
    """Return the page."""
    return _HEAD + _chains() + _table() + "".join(map(_row, CATALOG.entries)) + _SHOWN


def _chains() -> str:
    chains = {"dream": PHASES} | {str(trigger): chain for trigger, chain in UPKEEP.items()}
    return "".join(f"| {kind} | {', '.join(phase.name for phase in chain)} |\n" for kind, chain in chains.items())


def _table() -> str:
    example = next(phase for phase in CATALOG.entries if phase.is_optional)
    return _TABLE.format(example=example.name, switch=example.switch)


def _row(phase: PhaseEntry) -> str:
    switch = f"`{phase.switch}`" if phase.is_optional else "always runs"
    switch += f"; a part by `{phase.also_by}`" * bool(phase.also_by)
    left_out = ", ".join(sorted(phase.left_out_of)) or "none"
    prompts = (f"[`{name}`](../{CATALOG.find_prompt_file(name)})" for name in phase.directives)
    wanted = (f"{kind} ({KINDS[kind].label})" for kind in sorted(phase.may_emit))
    cells = (
        f"`{phase.name}`",
        phase.about,
        f"`{names.phase_task(phase.name)}`",
        switch,
        left_out,
        ", ".join(prompts) or "none: it asks no model",
        ", ".join(wanted) or "none",
    )
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    sys.stdout.write(render_page())
