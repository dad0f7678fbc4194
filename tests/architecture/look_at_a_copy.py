"""Print what a process finds of the phase `tidy_up`, the sweep `lost_notes` and the format `chatter`, as JSON.

test_add_a_phase.py adds the three to a copy of the product's folders, and runs this there.
"""

import json
import sys
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

from deploy.pages.phases import render_page as render_phases
from deploy.pages.profiles import render_page as render_profiles
from gateway.api.resources.swarmclaw import config_out
from gateway.console.views.words import FILTERS
from gateway.phases import get_phases
from scheduler.schedule import build_schedule
from shared.adapters.celery import names
from shared.adapters.files.transcripts.formats import find_format, get_format
from shared.core.errors import SlowwaveError
from shared.core.policy.policy import Policy
from shared.core.policy.profiles import PROFILES
from shared.core.questions.directives import check_directive
from shared.core.tenants.store import Store
from shared.counting import count, send_counts_to
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.settings import Settings
from workers.ask.prompts import get_prompt
from workers.phases import PHASES
from workers.tasks import app

PHASE, SWEEP, FORMAT = "tidy_up", "lost_notes", "chatter"


def configure(key: str) -> Policy:
    """Set a switch to false through the service that every user interface uses, and return the policy it saved."""
    saved: list[Store] = []
    uow = MagicMock()
    uow.stores.get.return_value = Store(id="sto_1", tenant_id="acme", name="default")
    uow.stores.save.side_effect = saved.append

    @contextmanager
    def transaction(_tenant: str) -> Any:
        yield uow

    database: Any = SimpleNamespace(transaction=transaction)
    changes = StoreChanges(overrides={key: False})
    configure_store(database, "acme", "default", changes=changes, phases=get_phases(), actor="a test")
    return saved[0].policy


def refusal(act: Callable[..., object], *given: object) -> str:
    """Return why something is refused, or nothing."""
    try:
        act(*given)
    except SlowwaveError as error:
        return str(error)
    return ""


def look_at_phase() -> dict[str, object]:
    phase = next(one for one in PHASES if one.name == PHASE)
    counted: dict[Any, float] = {}
    sink: Any = SimpleNamespace(add=counted.update)
    send_counts_to(sink)
    count("slowwave_phases_ended_total", phase=phase.name, state="done")
    alone = {name: False for name in get_phases().switches if name != PHASE}
    return {
        "task": names.phase_task(PHASE) in app.tasks,
        "order": [one.name for one in PHASES],
        "switched off by a store": not phase.entry.runs_by(configure(f"phases.{PHASE}")),
        "unknown switch": refusal(configure, f"phases.{PHASE}p"),
        "profiles": [profile for profile, policy in PROFILES.items() if phase.entry.runs_by(policy)],
        "settings page": [line for line in render_profiles().splitlines() if f"`phases.{PHASE}`" in line],
        "refused directive": refusal(check_directive, get_phases().directives, f"{PHASE}.md", "Move what lies wrong."),
        "replaced prompt": get_phases().directives.get(f"{PHASE}.md"),
        "prompt": get_prompt(PHASE),
        "prompt file": get_phases().find_prompt_file(f"{PHASE}.md"),
        "metrics": [dict(labels) for _, labels in counted],
        "console": FILTERS["phase"](PHASE),
        "docs": [line for line in render_phases().splitlines() if line.startswith(f"| `{PHASE}` |")],
        "second tier": config_out(Policy(phases=alone)).tier2Enabled,
    }


def look_at_format() -> dict[str, object]:
    transcript = Path("talk.jsonl")
    transcript.write_text('{"speaker": "ann"}', encoding="utf-8")
    found = find_format(transcript)
    assert found is not None
    events = [getattr(item, "text", "") for item in get_format(FORMAT).read(transcript, lambda _bytes: None)]
    return {"recognized": found.name, "read": events, "offered": refusal(get_format, "none")}


if __name__ == "__main__":
    told = {"phase": look_at_phase(), "sweep": SWEEP in build_schedule(Settings()), "format": look_at_format()}
    sys.stdout.write(json.dumps(told))
