"""The hub and the parts of a memory: which is too large, where it is cut, and how both read."""

from shared.core.memory.frontmatter import body_of, read_fields
from shared.core.merging.same_subject import same_subject
from shared.core.policy.policy import SplitPolicy
from shared.core.splitting.cut import MAX_PARTS, find_cut
from shared.core.splitting.parts import Split, write_split
from tests.support.large_memory import GUIDE, INTRODUCTION, PATH, SMALL_TOPIC

SMALL = SplitPolicy(max_chars=600, max_topics=6, min_chars=300, min_part_chars=60)
TOPIC = "\n\nThe words of this topic fill more than one line of the file, so that it can stand alone.\n"


def split(text: str, path: str = "a/guide.md", policy: SplitPolicy = SMALL) -> Split:
    found = find_cut(text, policy)
    assert found is not None
    return write_split(path, found, {}, {path})


def names(done: Split) -> list[str]:
    return [part.name for part in done.parts]


def test_the_hub_keeps_title_introduction_and_small_topics_and_lists_its_parts() -> None:
    policy = SplitPolicy(max_chars=4_200, min_chars=4_200, min_part_chars=300)
    done = split(GUIDE, PATH, policy)
    assert done.hub.startswith(f"---\ntags: [platform]\n---\n# Platform guide\n\n{INTRODUCTION}")
    assert done.hub.endswith(f"## Parts\n\n{LIST}\n{SMALL_TOPIC}")


LIST = """- [Deployments](guide-deployments.md): Rules of harbor-7
- [Backups](guide-backups.md): Rules of vault-3
- [Certificates](guide-certificates.md): Rules of keyring-9
- [Incidents](guide-incidents.md): Rules of pager-2
- [Billing exports](guide-billing-exports.md): Rules of ledger-5
"""


def test_a_part_begins_with_its_own_title_and_says_what_it_is_a_part_of() -> None:
    done = split(GUIDE, PATH, SplitPolicy(max_chars=4_200, min_chars=4_200, min_part_chars=300))
    part = done.parts[1]
    assert read_fields(part.content) == {
        "title": "Platform guide: Backups", "part_of": PATH, "tags": ["platform"],
    }  # fmt: skip
    assert body_of(part.content).startswith("# Backups\n\nFor this a copy goes to Lisbon")
    assert "\n## Rules of vault-3\n" in part.content


def test_many_topics_are_too_large_before_the_text_is() -> None:
    policy = SplitPolicy(max_chars=10_000, max_topics=6, min_chars=300, min_part_chars=60)
    text = "# All\n" + "".join(f"\n## Topic {n}{TOPIC}" for n in range(6))
    assert find_cut(text, policy) is None
    assert find_cut(f"{text}\n## Topic 6{TOPIC}", policy) is not None


def test_headings_of_an_example_begin_no_topic_even_behind_code_within_the_example() -> None:
    example = "```markdown\n# Title of a report\n\n```sh\nmake\n```\n\n## Summary of a report\n\nwords\n```\n"
    topics = "".join(f"\n## Topic {n}{TOPIC}\n{example if n == 2 else ''}" for n in range(7))
    assert names(split(f"# All\n{topics}")) == [f"Topic {n}" for n in range(7)]


def test_a_topic_that_is_too_large_itself_becomes_a_hub_of_its_own() -> None:
    inner = "".join(f"\n### Inner {n}{TOPIC}" for n in range(9))
    done = split(f"# All\n\n## Large\n{inner}\n## Other{TOPIC}")
    assert names(done) == ["Large", *(f"Inner {n}" for n in range(9)), "Other"]
    assert "- [Inner 0](guide-large-inner-0.md)" in done.parts[0].content
    assert done.parts[1].path == "a/guide-large-inner-0.md"
    assert read_fields(done.parts[1].content)["title"] == "All: Large: Inner 0"
    listed = ", ".join(f"Inner {n}" for n in range(6))
    assert done.hub == f"# All\n\n## Parts\n\n- [Large](guide-large.md): {listed}, …\n- [Other](guide-other.md)\n"


def test_a_block_that_a_tool_writes_stays_whole_with_its_marks() -> None:
    region = f"<!-- tool:start -->\n# Tool{TOPIC}\n## Always{TOPIC}\n<!-- tool:end -->\n"
    done = split("# All\n" + "".join(f"\n## Topic {n}{TOPIC}" for n in range(6)) + f"\n{region}")
    assert names(done)[-1] == "Tool"
    assert region in done.parts[-1].content
    assert "tool:" not in done.parts[-2].content


def test_a_comment_or_an_anchor_above_a_heading_goes_with_it() -> None:
    text = "# All\n" + "".join(f'\n<!-- keep {n} -->\n<a id="t{n}"></a>\n## Topic {n}{TOPIC}' for n in range(7))
    for number, part in enumerate(split(text).parts):
        assert f'<!-- keep {number} -->\n<a id="t{number}"></a>\n# Topic {number}\n' in part.content


def test_a_text_of_equal_first_headings_has_no_title() -> None:
    done = split("An introduction.\n\n" + "\n".join(f"# Topic {n}{TOPIC}" for n in range(7)))
    assert len(done.parts) == 7
    assert done.hub.startswith("An introduction.\n\n# Parts\n")


def test_two_topics_of_one_name_become_two_files() -> None:
    done = split("# All\n" + f"\n## Notes{TOPIC}" * 7)
    assert [part.path for part in done.parts][:3] == ["a/guide-notes.md", "a/guide-notes-2.md", "a/guide-notes-3.md"]
    assert len({part.content for part in done.parts}) == 7


def test_a_heading_that_begins_with_the_files_name_does_not_repeat_it_in_the_path() -> None:
    done = split("# All\n" + "".join(f"\n## Guide to {n}{TOPIC}" for n in range(7)))
    assert done.parts[0].path == "a/guide-to-0.md"


def test_a_definition_of_a_link_goes_with_each_part_that_uses_it() -> None:
    text = "# All\n" + "".join(f"\n## Topic {n}{TOPIC}\nSee [the page][page].\n" for n in range(7))
    for part in split(f"{text}\n[page]: https://example.com/page\n").parts:
        assert part.content.count("\n[page]: https://example.com/page") == 1


def test_a_source_goes_to_the_part_that_holds_its_words_and_the_hub_keeps_all() -> None:
    text = "# All\n" + "".join(
        f"\n## Topic {n}{TOPIC}\nThe harbor-{n} host runs kestrel number {n}.\n" for n in range(7)
    )
    front = '---\ngathered_from:\n  - "s1#e1 2026-03-01: The harbor-3 host runs kestrel number 3."\n---\n'
    done = split(front + text)
    assert done.hub.startswith(front)
    assert [part.name for part in done.parts if "gathered_from" in part.content] == ["Topic 3"]


def test_a_hub_that_grew_again_gets_more_parts_in_the_same_list() -> None:
    hub = split("# All\n" + "".join(f"\n## Topic {n}{TOPIC}" for n in range(7))).hub
    done = split(hub + "".join(f"\n## New {n}{TOPIC}" for n in range(7)))
    assert done.hub.count("## Parts") == 1
    assert "- [Topic 6](guide-topic-6.md)\n- [New 0](guide-new-0.md)\n" in done.hub


def test_a_collection_of_very_many_topics_stays_as_it_is() -> None:
    assert find_cut("# All\n" + "".join(f"\n## Topic {n}{TOPIC}" for n in range(MAX_PARTS + 1)), SMALL) is None


def test_a_text_whose_frontmatter_cannot_be_read_stays_whole() -> None:
    text = "---\ntags: [a\n---\n# All\n" + "".join(f"\n## Topic {n}{TOPIC}" for n in range(9))
    assert find_cut(text, SMALL) is None


def test_line_ends_of_windows_stay() -> None:
    text = ("# All\n" + "".join(f"\n## Topic {n}{TOPIC}" for n in range(7))).replace("\n", "\r\n")
    done = split(text)
    assert f"# Topic 1{TOPIC}".replace("\n", "\r\n").strip() in done.parts[1].content


def test_parts_of_one_memory_and_their_hub_are_never_merged() -> None:
    same = "\nThe harbor host runs the same program as all the others do, and it is restarted on Mondays.\n"
    text = "# All\n" + "".join(f"\n## Host {n}\n{same}{TOPIC}" for n in range(7))
    done = split(text)
    first, second = done.parts[0], done.parts[1]
    for path, content in ((second.path, second.content), ("a/guide.md", done.hub)):
        verdict = same_subject(first.path, first.content, path, content)
        assert verdict.is_different
        assert verdict.reason == "both are parts of a/guide.md, which was too large"
    own = "---\npart_of: the platform\n---\n# A host\n" + same
    assert "too large" not in same_subject("a.md", own, "b.md", own).reason
