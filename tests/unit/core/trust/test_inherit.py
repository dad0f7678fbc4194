"""Each statement stays its writer's while texts are edited, merged, split, undone and written in another form."""

from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.writers import DREAM, Rank, Said, Through, Writer, Writers
from shared.core.trust.inherit import Written, inherit, statements_by_key, writer_of, writers_by_key

OWNER = Writer(Rank.OWNER, "key:key_1", Through.API, "2026-05-01")
USER = Writer(Rank.USER, "Ann", Through.SESSION, "2026-05-02", "ses_1")
AGENT = Writer(Rank.AGENT, "key:key_2", Through.MCP, "2026-05-03")
TOOL = Writer(Rank.TOOL, "grep", Through.SESSION, "2026-05-04")

TEXTS = st.lists(st.text("abcdefgh ", min_size=3, max_size=30).filter(str.strip), min_size=1, max_size=6, unique=True)


def by(writer: Writer, content: str) -> Written:
    return Written(content, Writers((writer,)))


def told(content: str, writers: Writers) -> dict[str, Writer]:
    texts = statements_by_key(content)
    return {texts[key]: writer for key, writer in writers_by_key(Written(content, writers)).items()}


def test_a_line_that_an_agent_adds_to_a_persons_page_is_the_agents_and_the_others_stay_the_persons() -> None:
    before = "# Deploy\n\nTag it first.\n"
    after = f"{before}Run the script.\n"
    found = told(after, inherit(after, [by(OWNER, before)], new=AGENT))
    assert found == {"# Deploy": OWNER, "Tag it first.": OWNER, "Run the script.": AGENT}


def test_a_changed_line_is_its_editors() -> None:
    after = "The port is 8081."
    assert told(after, inherit(after, [by(OWNER, "The port is 8080.")], new=AGENT)) == {after: AGENT}


def test_in_a_merge_each_statement_stays_its_writers_in_whatever_form_it_stands_there() -> None:
    page = "# Deploy\n\nTag it first. Ask Nadia\nbefore you start.\n"
    note = "- **Run** the script.\n"
    merged = "# Deploy\n\n- Ask Nadia before you start.\n- Run the script.\n- Tag it first.\n"
    found = told(merged, inherit(merged, [by(OWNER, page), by(AGENT, note)]))
    assert found["Ask Nadia before you start."] == found["Tag it first."] == OWNER
    assert found["Run the script."] == AGENT


def test_of_what_several_said_the_most_trusted_counts() -> None:
    text = "Tag it first."
    for sources in ([by(AGENT, text), by(OWNER, text)], [by(OWNER, text), by(AGENT, text)]):
        assert told(text, inherit(f"{text}\n", sources)) == {text: OWNER}


def test_what_a_dream_words_anew_stays_the_first_writers_or_is_the_least_trusted_ones() -> None:
    page, note = "The cluster has four nodes since spring.", "Run the script."
    merged = "The cluster has had four nodes since spring.\n\nRun the script.\n\nBananas are yellow.\n"
    found = told(merged, inherit(merged, [by(OWNER, page), by(AGENT, note)]))
    assert found["The cluster has had four nodes since spring."] == OWNER
    assert found["Bananas are yellow."] == AGENT


def test_what_was_said_in_a_session_is_its_speakers_in_the_memory_that_takes_it() -> None:
    before = "The port is 8080.\n"
    after = f"{before}\n- Ann likes tea.\n"
    found = told(after, inherit(after, [by(AGENT, before)], [Said("Ann likes tea.", USER)]))
    assert found == {"The port is 8080.": AGENT, "Ann likes tea.": USER}


def test_what_a_dream_concludes_by_itself_is_no_more_trusted_than_an_agent() -> None:
    assert inherit("All is well.", []) == Writers((DREAM,))
    assert DREAM.rank is Rank.AGENT


def test_a_superseded_statement_has_no_writer_any_more() -> None:
    before = "The port is 8080.\n"
    after = "The port is 8081.\n\n## Superseded\n\n- “The port is 8080.” — until 2026-05-01\n"
    assert told(after, inherit(after, [by(OWNER, before)], [Said("The port is 8081.", USER)])) == {
        "The port is 8081.": USER
    }


@given(TEXTS, TEXTS)
def test_no_edit_makes_a_statement_more_trusted_than_its_writer_was(before: list[str], after: list[str]) -> None:
    old, new = "\n\n".join(before), "\n\n".join(after)
    known = writers_by_key(by(TOOL, old))
    for key, writer in writers_by_key(Written(new, inherit(new, [by(TOOL, old)], new=AGENT))).items():
        assert writer == (TOOL if key in known else AGENT)


@given(TEXTS, TEXTS)
def test_a_merge_has_each_statement_of_its_sources_with_the_writer_that_it_had_there(
    left: list[str], right: list[str]
) -> None:
    sources = [by(OWNER, "\n\n".join(left)), by(TOOL, "\n\n".join(right))]
    merged = "\n\n".join([*right, *left])
    known = writers_by_key(sources[1]) | writers_by_key(sources[0])
    assert writers_by_key(Written(merged, inherit(merged, sources))) == known


def test_the_writer_of_one_statement_is_found() -> None:
    before, after = "Tag it first.\n", "Tag it first.\n\nRun the script.\n"
    written = Written(after, inherit(after, [by(OWNER, before)], new=AGENT))
    assert (writer_of(written, "tag it first"), writer_of(written, "Run the script.")) == (OWNER, AGENT)
