"""Memories of another system keep its signals: tier, counts, dates and pin, by import and over the API."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from shared.adapters.files.found import FoundFile
from shared.adapters.files.layout import find_memory_root
from shared.adapters.files.read_folder import read_folder
from shared.all_ports import Ports
from shared.core.memory.model import Author, Maturity, Signals, Tier
from shared.services.memories.write import NewText
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import a_store, take_picture, write

SEEN = datetime(2026, 4, 28, 12, tzinfo=UTC)
FIELDS = """---
tier: durable
importance: 72
reinforcementCount: 4
accessCount: 9
firstSeenAt: 2026-01-05T08:00:00Z
lastSeenAt: 2026-04-28T12:00:00Z
pinned: true
---
# Deploys

Deploys go out on Tuesdays.
"""


def test_a_durable_memory_is_imported_with_its_tier_and_signals(ports: Ports, tenant: str, tmp_path: Path) -> None:
    (tmp_path / "deploys.md").write_text(FIELDS, encoding="utf-8")
    (file,) = read_folder(find_memory_root(tmp_path))
    assert isinstance(file, FoundFile)
    text = NewText(
        path=file.path,
        content=file.content,
        signals=file.signals,
        created_at=file.created_at,
        written_at=file.updated_at,
    )
    write(ports, tenant, [text], author=Author.IMPORT)
    (memory,) = take_picture(ports, tenant).memories.values()
    signals = memory.signals
    assert (signals.tier, signals.importance, signals.pinned) == (Tier.DURABLE, 72, True)
    assert (signals.reinforcement_count, signals.access_count, signals.last_seen_at) == (4, 9, SEEN)
    assert memory.created_at == datetime(2026, 1, 5, 8, tzinfo=UTC)
    assert memory.content == FIELDS


def test_the_api_takes_what_another_system_knows_of_a_memory(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    body = {
        "path": "deploys.md", "content": "# Deploys\n", "tier": "durable", "importance": 72, "access_count": 9,
        "reinforcement_count": 4, "first_seen_at": "2026-01-05T08:00:00Z", "last_seen_at": "2026-04-28T12:00:00Z",
        "pinned": True,
    }  # fmt: skip
    client = a_client(an_app(ports))
    made = client.post("/api/stores/default/memories", headers=bearer(a_token(ports, tenant)), json=body)
    assert made.status_code == 201, made.text
    (memory,) = take_picture(ports, tenant).memories.values()
    signals = memory.signals
    assert (signals.tier, signals.importance, signals.pinned) == (Tier.DURABLE, 72, True)
    assert (signals.reinforcement_count, signals.access_count, signals.last_seen_at) == (4, 9, SEEN)
    assert memory.created_at == datetime(2026, 1, 5, 8, tzinfo=UTC)


def test_an_imported_last_use_in_the_future_counts_as_now(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    later = (datetime.now(UTC) + timedelta(days=400)).isoformat()
    client = a_client(an_app(ports))
    body = {"path": "a.md", "content": "# A\n", "first_seen_at": later, "last_seen_at": later}
    made = client.post("/api/stores/default/memories", headers=bearer(a_token(ports, tenant)), json=body)
    assert made.status_code == 201, made.text
    (memory,) = take_picture(ports, tenant).memories.values()
    assert memory.signals.last_seen_at is not None
    assert memory.signals.last_seen_at <= memory.updated_at
    assert memory.created_at <= memory.updated_at


def test_a_lower_importance_that_is_set_lowers_the_maturity_and_a_higher_one_raises_it(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, {"deploys.md": "# Deploys\n"})
    (memory,) = take_picture(ports, tenant).memories.values()
    client, headers = a_client(an_app(ports)), bearer(a_token(ports, tenant))

    def maturity_at(importance: float) -> Maturity:
        where = f"/api/stores/default/memories/{memory.id}"
        changed = client.patch(where, headers=headers, json={"importance": importance})
        assert changed.status_code == 200, changed.text
        return Maturity(changed.json()["maturity"])

    assert maturity_at(90) is Maturity.CORE
    assert maturity_at(60) is Maturity.CORE
    assert maturity_at(59) is Maturity.VALIDATED
    assert maturity_at(34) is Maturity.DRAFT


def test_the_same_importance_again_leaves_the_maturity_that_an_import_gave(ports: Ports, tenant: str) -> None:
    core = NewText(path="deploys.md", content="# Deploys\n", signals=Signals(importance=50, maturity=Maturity.CORE))
    write(ports, tenant, [core])
    (memory,) = take_picture(ports, tenant).memories.values()
    changed = a_client(an_app(ports)).patch(
        f"/api/stores/default/memories/{memory.id}", headers=bearer(a_token(ports, tenant)), json={"importance": 50}
    )
    assert changed.json()["maturity"] == Maturity.CORE
