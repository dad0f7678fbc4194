"""However often, loudly and in whatever order people say their wishes: each is one memory."""

from datetime import timedelta
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import MemoryKind, kind_of
from tests.support.builders import run_dream, take_picture
from tests.support.laws import examples
from tests.support.session_builders import SAID_AT, tell

#: A word that stands in one wish alone, and the wish in ways in which people repeat it.
WISHES = {
    "push": ("NEVER push to main without asking me!!", "never push to main without asking me!", "I told you: never push to main without asking me."),
    "tabs": ("For the last time: always use tabs for indentation in Makefiles, never spaces!", "ALWAYS use tabs for indentation in Makefiles, never spaces!!"),
    "changelog": ("Stop editing the changelog by hand! Never edit the changelog by hand.", "Never edit the changelog by hand!!", "I said never edit the changelog by hand!"),
    "Rechnungen": ("Schreibe Rechnungen IMMER auf Deutsch!!", "Ich habe es schon gesagt: Schreibe Rechnungen immer auf Deutsch!"),
}  # fmt: skip
SAID = st.sampled_from([(word, way) for word, ways in WISHES.items() for way in ways])


@examples(24)
@given(nights=st.lists(st.lists(SAID, min_size=1, max_size=4), min_size=1, max_size=4))
def test_after_any_nights_no_wish_stands_in_two_memories(
    session_ports: Ports, nights: list[list[tuple[str, str]]]
) -> None:
    tenant = f"t{uuid4().hex}"
    for number, said in enumerate(nights):
        for place, (_, way) in enumerate(said):
            tell(
                session_ports,
                tenant,
                f"s{number}-{place}",
                "please fix the build",
                way,
                at=SAID_AT + timedelta(days=number),
            )
        run_dream(session_ports, tenant, OfflineLlm())
    live = [one for one in take_picture(session_ports, tenant).memories.values() if one.state == "live"]
    bodies = [body_of(one.content) for one in live if kind_of(one.path) is MemoryKind.TOPIC]
    held = {word: sum(word in body for body in bodies) for word in WISHES}
    assert {word: number for word, number in held.items() if number > 1} == {}
    assert {word for word, _ in nights[0]} <= {word for word, number in held.items() if number}, "each is kept"
