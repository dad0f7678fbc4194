"""Relative dates of imported files in a whole dream without a model: those of a file that an agent wrote on one day."""

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.memory.model import Author
from tests.support.builders import a_store, run_dream, take_picture, write

TEXTS = {
    "memory/2026-02-03.md": "# Umzug\n\nDas Archiv wurde gestern umgezogen.\n",
    "ops/strom.md": "# Strom\n\n## 2026-02-10\n\nVorgestern fiel der Strom aus.\n",
    "ops/kran.md": "# Kran\n\nDer Kran wurde gestern abgeholt.\n",
}


def test_an_agents_file_of_a_day_is_dated_by_its_name_and_any_other_file_is_left_alone(
    ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant)
    write(ports, tenant, TEXTS, author=Author.IMPORT)
    run_dream(ports, tenant, OfflineLlm())
    live = {memory.path: memory.content for memory in take_picture(ports, tenant).memories.values()}
    assert "gestern (2026-02-02) umgezogen" in live["memory/2026-02-03.md"]
    assert "(2026-" not in live["ops/strom.md"] + live["ops/kran.md"]
