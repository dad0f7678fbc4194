"""A store of families of siblings and duplicates, and what it says after dreams: for runs of many dreams in a row."""

from shared.all_ports import Ports
from shared.core.memory.model import MemoryKind, kind_of
from shared.core.merging.statements import known_of, read_statements
from tests.support.builders import take_picture
from tests.support.families import DUPLICATES, SIBLINGS, UNSURE

SOME_SIBLINGS = ("recipes", "weekly reports", "medication under one title", "teams with equal bodies")
FAMILIES = (*(SIBLINGS[name] for name in SOME_SIBLINGS), *DUPLICATES.values(), *UNSURE.values())
STORE = {path: text for family in FAMILIES for path, text in family.items()}
STORE |= {
    "family/grandfather.md": "# Grandfather\n\nHe is called Otto and lives in Bremen. He does not like fish.\n",
    "family/aunt.md": "# Aunt\n\nShe is called Inge and lives in Kiel. She likes fish.\n",
    "ops/power.md": "# Power\n\nThe hall in Malmo lost power yesterday. The printers were down until noon.\n",
}


def live_texts(ports: Ports, tenant: str) -> dict[str, str]:
    live = [one for one in take_picture(ports, tenant).memories.values() if one.state == "live"]
    return {one.path: one.content for one in live}


def look_at_everything_again(ports: Ports, tenant: str) -> None:
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(uow.stores.get("default").id)
        memories.set_dirty([(head.id, head.version) for head in memories.find_heads()], is_dirty=True)


def said_in(texts: dict[str, str]) -> set[str]:
    topics = (text for path, text in texts.items() if kind_of(path) is MemoryKind.TOPIC)
    return {wording for text in topics for _, wording in known_of(read_statements(text))}
