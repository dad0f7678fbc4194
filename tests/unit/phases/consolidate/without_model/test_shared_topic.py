"""A link's reason names what is specific to both texts; where they share nothing but words, there is no link."""

from collections.abc import Mapping

import pytest

from shared.core.questions.question import Document, Question
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.consolidate.offline import decide_consolidation

#: Shares many everyday words with the others, each in another sentence.
_WEEKLY = (
    "# Weekly rhythm\n\nEvery relationship needs a constant bridge. The workflow stays simple in autumn. A persistent sentence "
    "helps. Mondays are for outreach and Tuesdays for writing.\n"
)
_STRATEGY = (
    "# Strategy\n\nThe bridge to investors is open. A constant audience came later. Each sentence of the pitch counts. "
    "Relationship building takes autumn and winter. A persistent team wins. No workflow survives contact.\n"
)


def link(left: str, right: str, *others: str) -> ConsolidateAction | None:
    texts = {"a/left.md": left, "a/right.md": right} | {f"c/{n}.md": text for n, text in enumerate(others)}
    shown = tuple(
        Document(path=path, text=text, role="related" if path[0] == "c" else "changed", at="")
        for path, text in texts.items()
    )
    question = Question(
        phase="consolidate", key="k", documents=shown, answer_type=ConsolidateAnswer, without_model=decide_consolidation
    )
    found = decide_consolidation(question).actions
    wanted = {"a/left.md", "a/right.md"}
    return next((one for one in found if one.type == "CROSS_REFERENCE" and set(one.files) == wanted), None)


def topic(action: ConsolidateAction | None) -> str:
    assert action is not None
    return action.reason.partition("both speak of ")[2]


def test_words_that_merely_occur_in_both_make_no_link() -> None:
    assert link(_WEEKLY, _STRATEGY) is None


def test_names_and_paths_come_before_words() -> None:
    left = f"{_WEEKLY}\nThe list is built by `tools/outreach.py` for Dustin Dipaulo.\n"
    right = f"{_STRATEGY}\nWe met Dustin Dipaulo, who wrote `tools/outreach.py`.\n"
    assert topic(link(left, right)) == "tools/outreach.py and Dustin Dipaulo"


def test_a_name_that_every_text_holds_is_no_reason() -> None:
    others = [f"# Note {number}\n\nOrganvm has {number}0 chairs of oak, and nothing else.\n" for number in range(4)]
    left, right = f"{_WEEKLY}\nSo says Organvm.\n", f"{_STRATEGY}\nSo says Organvm.\n"
    assert link(left, right, *others) is None


def test_a_shouted_word_is_no_name_where_it_is_also_written_small() -> None:
    left, right = f"{_WEEKLY}\nA BLOCKER is rare.\n", f"{_STRATEGY}\nEvery BLOCKER is a blocker.\n"
    assert link(left, right) is None


_TANK = "The water filtration of the tank runs behind the funnel and a membrane."
_FUNNEL = "A membrane and a funnel serve the tank, whose water filtration hums."


def test_a_phrase_that_both_write_and_one_of_them_is_about_is_a_topic() -> None:
    told_again = f"{_TANK} Water filtration is cleaned in May."
    assert topic(link(f"{_WEEKLY}\n{told_again}\n", f"{_STRATEGY}\n{_FUNNEL}\n")) == "water filtration"


def test_words_that_stand_in_one_sentence_of_both_are_no_topic_unless_both_write_them_as_a_phrase() -> None:
    apart = _FUNNEL.replace("water filtration hums", "filtration cleans the water")
    assert link(f"{_WEEKLY}\n{_TANK}\n", f"{_STRATEGY}\n{apart}\n") is None


def test_a_phrase_that_each_writes_once_may_have_met_by_chance() -> None:
    assert link(f"{_WEEKLY}\n{_TANK}\n", f"{_STRATEGY}\n{_FUNNEL}\n") is None


@pytest.mark.parametrize(
    "name", ["`berths.json`", "`crane.md`", "paint/varnish", "a Bi-Skipper", "crew@harbour.example"]
)
def test_a_plain_file_a_choice_and_half_of_a_compound_are_no_reason(name: str) -> None:
    left, right = f"{_WEEKLY}\nIt says {name} and {name}.\n", f"{_STRATEGY}\nHere is {name}, and again {name}.\n"
    assert link(left, right) is None


def test_names_that_were_made_up_count_also_where_each_is_said_once() -> None:
    left, right = f"{_WEEKLY}\nThen PierWatch asks CraneLog.\n", f"{_STRATEGY}\nNow CraneLog calls PierWatch.\n"
    assert set(topic(link(left, right)).split(" and ")) == {"PierWatch", "CraneLog"}


def test_a_line_of_code_is_no_name() -> None:
    code = "```\nconst Berths = await Harbour.open(Pier)\n```\n"
    assert link(f"{_WEEKLY}\n{code}", f"{_STRATEGY}\n{code}") is None


@pytest.mark.parametrize("gap", ["{{ harbour_name }}", "${HARBOUR_NAME}", "{% harbour.name %}", "<%= harbour_name %>"])
def test_what_a_template_leaves_open_is_no_name(gap: str) -> None:
    left, right = f"{_WEEKLY}\nThen {gap} is told of {gap}.\n", f"{_STRATEGY}\nNow ask {gap} first, then {gap} again.\n"
    assert link(left, right) is None
    assert link(left.replace(gap, "HarbourName"), right.replace(gap, "HarbourName")) is not None


def test_a_text_with_as_many_links_as_the_rules_make_gets_no_further_ones() -> None:
    left = f"{_WEEKLY}\nThe list is built by `tools/outreach.py` for Dustin Dipaulo.\n"
    right = f"{_STRATEGY}\nWe met Dustin Dipaulo, who wrote `tools/outreach.py`.\n"
    known = "---\nrelated: [a/1.md, a/2.md, a/3.md]\n---\n"
    assert link(f"{known}{left}", right) is None
    assert link(f"{known.replace(', a/3.md', '')}{left}", right) is not None


_MODE = """# berth {0}

Runs the {0} of the berth. The crane master calls the tugboat before the {0}.

## Usage

`berth {0} --pier <pier>`

## Flags

- `--pier`: the pier.
- `--quiet`: prints nothing.
"""


def kinds(texts: Mapping[str, str]) -> set[str]:
    shown = tuple(Document(path=path, text=text, role="changed", at="") for path, text in texts.items())
    question = Question(
        phase="consolidate", key="k", documents=shown, answer_type=ConsolidateAnswer, without_model=decide_consolidation
    )
    return {action.type for action in decide_consolidation(question).actions}


def test_pages_of_one_template_are_not_linked_for_the_words_that_all_of_them_hold() -> None:
    names = ("rinse", "paint", "haul", "weigh", "survey", "load", "mend", "inspect")
    assert kinds({f"berth-{name}.md": _MODE.format(name) for name in names}) == {"SKIP"}


def test_a_page_that_tells_of_several_pages_is_merged_with_none_of_them() -> None:
    hub = "# Berth\n\nThe main command of the berth. Documentation of the commands in category berth.\n\n- usage: `harbour berth`\n"
    page = "# berth-{0}\n\nDocumentation of the command berth-{0} in category berth.\n\n- usage: `harbour berth-{0}`\n"
    pages = {f"berth-{name}.md": page.format(name) for name in ("rinse", "paint", "haul")}
    assert "MERGE" not in kinds({"berth.md": hub, **pages})


def test_a_table_of_contents_is_no_memory_that_says_the_same() -> None:
    contents = "# Crane commands\n\nCommands for the crane operations of the harbour.\n\n## Commands\n\n- [list](./list.md)\n- [move](./move.md)\n"
    page = "# Crane commands of the harbour\n\nCommands for the crane operations of the harbour, list and move, in short.\n"
    assert "MERGE" not in kinds({"crane/README.md": contents, "crane/overview.md": page})
    assert "MERGE" in kinds({"crane/README.md": contents.partition("## ")[0], "crane/overview.md": page})


def test_a_word_that_another_page_writes_small_is_no_name_that_two_pages_share() -> None:
    left = (
        "# Crates of wood\n\nStatus: Deprecated\n\nCrates of wood are stacked by hand, and Deprecated ones are burnt.\n"
    )
    right = "# Ropes of hemp\n\nStatus: Deprecated\n\nRopes of hemp are kept dry, and Deprecated ones are cut up.\n"
    other = "# Chains\n\nA chain that rusts is deprecated at once.\n"
    assert link(left, right, other) is None


def test_a_path_that_the_head_of_one_names_links_it_to_the_only_other_text_that_has_it() -> None:
    script = "---\nname: log-script\ndescription: Always run tools/berth_log.py after an edit\n---\nRun `python tools/berth_log.py up`.\n"
    edits = (
        "---\nname: log-edits\n---\nThe log is long, so change a line of it by hand, then call `tools/berth_log.py`.\n"
    )
    assert topic(link(script, edits)) == "tools/berth_log.py"
    assert link(script, edits, "# Tools\n\nAll of them lie beside `tools/berth_log.py`.\n") is None


def test_an_address_of_the_web_is_the_last_thing_that_a_link_is_made_for() -> None:
    left = f"{_WEEKLY}\nSee https://quay.example/berths/log-of-the-day for more. It is made by `tools/outreach.py`.\n"
    right = (
        f"{_STRATEGY}\nMore stands at https://quay.example/berths/log-of-the-day, which `tools/outreach.py` prints.\n"
    )
    assert topic(link(left, right)) == "tools/outreach.py"


def test_a_heading_that_both_pages_have_is_no_reason_to_link_them() -> None:
    left, right = (
        f"{text}\n## Tide level\n\nThe tide level {said}.\n"
        for text, said in ((_WEEKLY, "is low"), (_STRATEGY, "was high"))
    )
    assert link(left, right) is None


def test_pages_that_name_the_same_days_and_months_are_not_linked_for_them() -> None:
    left, right = (
        f"{text}\n{said}\n"
        for text, said in (
            (_WEEKLY, "Ada bakes on Thursday, in March and in April."),
            (_STRATEGY, "March and April are slow, and Thursday is closed."),
        )
    )
    assert link(left, right) is None


def test_an_article_and_a_noun_are_no_phrase_that_two_texts_speak_of() -> None:
    left = f"{_WEEKLY}\n## Sinais das docas\n\nOs sinais das docas guiam as gruas.\n"
    right = f"{_STRATEGY}\n## Luzes das docas\n\nAs luzes das docas brilham.\n"
    assert link(left, right) is None


def test_a_piece_of_a_chinese_sentence_is_no_name_that_two_logs_share() -> None:
    left = "# 2026-02-15\n\n早上去港口取货。系统稳定。待办事项。联系仓库。今日总结。运单核对完成。发送到仓库群。\n"
    right = "# 2026-02-16\n\n下午盘点雨伞。系统稳定。待办事项。寄样品。今日总结。库存表已交。发送到仓库群。\n"
    assert link(left, right) is None
    path = "脚本 `tools/crane_log.py` 跑了。修好 `tools/crane_log.py`。"
    assert topic(link(f"{left}\n{path}\n", f"{right}\n{path}\n")).startswith("tools/crane_log.py")
