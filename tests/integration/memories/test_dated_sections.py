"""Relative dates of imported files in a whole dream without a model: each entry has the day of its nearest stamp."""

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.memory.model import Author
from tests.support.builders import a_store, run_dream, take_picture, write

NOTES = """# Umzug

## 2026-02-03

Das Archiv wurde gestern umgezogen.

## 2026-02-10

Vorgestern fiel der Strom aus.
"""


def test_each_section_is_dated_by_its_heading_in_the_language_of_the_text(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    write(
        ports, tenant, {"ops/umzug.md": NOTES, "ops/undated.md": "Gestern fiel der Strom aus.\n"}, author=Author.IMPORT
    )
    run_dream(ports, tenant, OfflineLlm())
    live = {memory.path: memory.content for memory in take_picture(ports, tenant).memories.values()}
    assert "gestern (2026-02-02) umgezogen" in live["ops/umzug.md"]
    assert "Vorgestern (2026-02-08) fiel" in live["ops/umzug.md"]
    assert live["ops/undated.md"] == "Gestern fiel der Strom aus.\n"
