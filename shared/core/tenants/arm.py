"""Put a store into an arm, and send it back to the settings that it had before."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from shared.core.policy.policy import Autonomy
from shared.core.tenants.store import Store, check_name

_SETTINGS = ("profile", "autonomy", "overrides", "llm")


def put_in_arm(store: Store, changed: Store, arm: str | None, now: datetime) -> Store:
    """Return a store with the changed settings, in an arm if one is named; "" takes it out. Raises BadInputError.

    A store that is in an arm keeps the settings from before it, also when it moves to another arm.
    """
    if arm is None or arm == store.arm:
        return changed
    if not arm:
        return replace(changed, arm="", arm_set_at=None, arm_before={})
    before = store.arm_before or _settings_of(store)
    return replace(changed, arm=check_name("arm", arm), arm_set_at=now, arm_before=before)


def send_back(store: Store) -> Store:
    """Return a store without its arm, with the settings from before it.

    If these are the settings that it has, the label alone told it from others: then its changes wait for a person.
    """
    before: Mapping[str, Any] = store.arm_before
    is_labeled_only = before == _settings_of(store)
    autonomy = Autonomy.PROPOSE if is_labeled_only else Autonomy(before["autonomy"])
    restored = {name: before[name] for name in _SETTINGS if name != "autonomy"}
    return replace(store, **restored, autonomy=autonomy, arm="", arm_set_at=None, arm_before={})


def _settings_of(store: Store) -> dict[str, object]:
    return {name: getattr(store, name) for name in _SETTINGS} | {"autonomy": str(store.autonomy)}
