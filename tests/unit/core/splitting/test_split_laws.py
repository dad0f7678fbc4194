"""A memory that is split says all that it said: each block of it stands as it was in the hub or in one part."""

import re
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.frontmatter import body_of
from shared.core.policy.policy import SplitPolicy
from shared.core.splitting.cut import find_cut
from shared.core.splitting.kept_lines import find_lost_by_split
from shared.core.splitting.parts import Split, write_split
from tests.support.laws import examples

POLICY = SplitPolicy(max_chars=400, max_topics=4, min_chars=200, min_part_chars=40)
PATH = "guides/deploy.md"
#: A block of each kind that is never cut in two; every `{}` becomes a word that stands nowhere else.
BLOCKS = (
    "The word {} is said here, and then {} in the same sentence.",
    "- item {}\n- item {}\n  more of {}\n\n  and {} behind a blank line",
    "1. first {}\n2. then\n   ```sh\n   # comment {}\n   ```\n3. last {}",
    "```sh\n# no heading {}\n## none either {}\n```",
    "~~~\n```\n# {} in a fence within a fence\n~~~",
    "```markdown\n# {} in an example\n```sh\n{}\n```\n\n## {} behind the inner code\n```",
    "````md\n```sh\n# {}\n````",
    "| a | b |\n|---|---|\n| {} | {} |",
    "<details>\n<summary>{}</summary>\n\n## Hidden {}\n\ntext {}\n</details>",
    "<!-- a comment {}\n## of several lines {}\n-->",
    "<!-- tool:start -->\n# Written by a tool {}\n\n## Inside {}\n\n{}\n<!-- tool:end -->",
    "> # quoted {}\n> {}",
    "See [the first topic](#topic) and {}.",
)
HEADINGS = ("#", "##", "##", "##", "###", "###", "####")


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Return a text of headings and blocks, and its blocks."""
    number = count()
    lines, blocks = [], []
    for mark in draw(st.lists(st.sampled_from(HEADINGS), min_size=2, max_size=14)):
        lines.append(f"{mark} Topic t{next(number)}t")
        for block in draw(st.lists(st.sampled_from(BLOCKS), max_size=4)):
            filled = re.sub(r"\{\}", lambda _: f"w{next(number)}w", block)
            blocks.append(filled)
            lines.append(filled)
    front = draw(st.sampled_from(["", "---\ntitle: Deploys\ntags: [ops]\n---\n"]))
    ending = draw(st.sampled_from(["", "\n", "\n\n```\n# an open fence"]))
    return front + "\n\n".join(lines) + ending, blocks


def split(text: str) -> Split | None:
    cut_up = find_cut(text, POLICY)
    return None if cut_up is None else write_split(PATH, cut_up, {}, {PATH})


def level_less(text: str) -> str:
    return re.sub(r"^#+ ", "# ", text, flags=re.MULTILINE)


@given(texts())
@examples(120)
def test_each_block_stands_whole_in_the_hub_or_in_one_part(given_text: tuple[str, list[str]]) -> None:
    text, blocks = given_text
    done = split(text)
    if done is None:
        return
    pieces = [level_less(body_of(one)) for one in (done.hub, *(part.content for part in done.parts))]
    for block in blocks:
        shown = level_less(re.sub(r"\(#topic\)", "", block))
        assert sum(shown in re.sub(r"\([^()]*#topic\)", "", piece) for piece in pieces) == 1, block


@given(texts())
@examples(120)
def test_words_keep_their_order_and_none_is_lost_or_said_twice(given_text: tuple[str, list[str]]) -> None:
    text, _ = given_text
    done = split(text)
    if done is None:
        return
    found: list[int] = []
    for piece in (done.hub, *(part.content for part in done.parts)):
        said = "\n".join(line for line in body_of(piece).splitlines() if not line.startswith("- ["))
        words = [int(word) for word in re.findall(r"\b[wt](\d+)[wt]\b", said)]
        assert words == sorted(words)
        found += words
    assert sorted(found) == [int(word) for word in re.findall(r"\b[wt](\d+)[wt]\b", text)]


@given(texts())
@examples(120)
def test_the_check_before_writing_agrees_and_nothing_is_split_a_second_time(given_text: tuple[str, list[str]]) -> None:
    text, _ = given_text
    done = split(text)
    if done is None:
        return
    parts = {part.path: part.content for part in done.parts}
    assert len(parts) == len(done.parts)
    assert find_lost_by_split(text, done.hub, parts) is None
    assert [one for one in (done.hub, *parts.values()) if find_cut(one, POLICY) is not None] == []


@given(texts(), st.data())
@examples(60)
def test_a_line_that_is_dropped_or_made_up_on_the_way_is_noticed(
    given_text: tuple[str, list[str]], data: st.DataObject
) -> None:
    text, _ = given_text
    done = split(text)
    if done is None:
        return
    parts = {part.path: part.content for part in done.parts}
    victim = data.draw(st.sampled_from(sorted(parts)))
    lines = parts[victim].split("\n")
    told = [
        at for at, line in enumerate(lines) if re.search(r"\bw\d+w\b", line) and not line.startswith(("title:", "- ["))
    ]
    if told:
        at = data.draw(st.sampled_from(told))
        fewer = "\n".join([*lines[:at], *lines[at + 1 :]])
        assert "no longer say" in (find_lost_by_split(text, done.hub, parts | {victim: fewer}) or "")
    more = f"{parts[victim]}\nDeployments need no tests.\n"
    assert find_lost_by_split(text, done.hub, parts | {victim: more}) == 'it would add "Deployments need no tests."'
