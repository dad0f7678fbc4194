"""A merge that lost a specific is found out; a merge that kept them all passes."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.core.merging.specifics import find_missing_specifics, find_specifics


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It retries 12 times", {"12"}),
        ("It retries 3 times", set()),
        ("It takes 3 seconds or 250 ms", {"3s", "250ms"}),
        ("Load is 0.5 or 10 percent", {"0.5", "10%"}),
        ("Costs $2.5 billion, for 1,000 users", {"$2.5billion", "1000"}),
        ("Since April 15, 2025 and 2 May 2026", {"2025-04-15", "2026-05-02"}),
        ("At 2025-04-15T10:00:00Z sharp", {"2025-04-15", "10:00:00z"}),
        ("Needs v1.2.3-rc1 but not v2", {"1.2.3-rc1", "v2"}),
        ("We asked John Smith in Lyon", {"john smith", "lyon"}),
        ("The gateway. It waits. We do", set()),
        ("Then the API sends JSON, NEVER xml", {"api", "json"}),
        ("call do_it or maxRetries or MAX_SIZE in os.path", {"do_it", "maxretries", "max_size", "os.path"}),
        ("call run() with gpt-4o and sha-256", {"run", "gpt-4o", "sha-256"}),
        ("see src/app.py, ~/.config/x and ./run", {"src/app.py", "~/.config/x", "./run"}),
        ("either/or, and Redis/Valkey", {"redis", "valkey"}),
        ("at https://x.io/a?b=1. or me@x.io.", {"https://x.io/a?b=1", "me@x.io"}),
        ("see #5 and --no-verify", {"5", "no-verify"}),
        ("use `make check` first", {"make check"}),
        ("```sh\npip install x\n```\nthen rest", {"pip install x"}),
        ("# Release Workflow of SQL\n**Key Facts**: none", {"sql"}),
        ("e.g. this, i.e. that", set()),
        ("---\ntitle: Plan for 2026\nupdated: 2025-01-01\n---\nbody", {"2026"}),
        ("---\nbroken: [2025\n---\nbody", {"2025"}),
        ("バージョン3.10に更新", {"3.10"}),
        (
            "用的模型是ark/code-latest, 见docs/读我.md文件。",
            {"ark/code-latest", "docs/读我.md"},
        ),
        ("所以2026-03-01的技能是手动创建的", {"2026-03-01"}),
        ("メモはmemory/notes.mdに保存する", {"memory/notes.md"}),
        ("详情请看https://x.io/docs然后回复", {"https://x.io/docs"}),
        ("先用http://localhost:8080/\uff0c别的不行", {"http://localhost:8080"}),
        ("見てhttps://x.io/a?b=1、https://x.io/b。次", {"https://x.io/a?b=1", "https://x.io/b"}),
        ("百科在https://x.io/wiki/日本 有", {"https://x.io/wiki/日本"}),
    ],
)
def test_specifics_are_what_a_rewrite_must_not_lose(text: str, expected: set[str]) -> None:
    assert find_specifics(text) == expected


@pytest.mark.parametrize(
    ("source", "merged"),
    [
        ("Python 3.10 is needed", "Python 3.1 is needed"),
        ("Python 3.1 is needed", "Python 3.10 is needed"),
        ("Python 3.1 is needed", "Python 3.1.2 is needed"),
        ("There are 12 nodes", "There are 123 nodes"),
        ("There are 12 nodes", "There are 1.12 nodes"),
        ("Changed on 2025-04-15", "Changed on 2025-04-16"),
        ("Changed in 2025", "Changed on 2025-04-15"),
        ("Wait 30 s", "Wait 30 ms"),
        ("Wait 30 s", "Wait a while"),
        ("We asked John Smith", "We asked Smith"),
        ("in src/app.py", "in src/app.pyc"),
        ("the foo_bar flag", "the foo bar flag"),
        ("run `make check` now", "make sure you check now"),
    ],
)
def test_a_merged_text_that_lost_a_specific_is_refused(source: str, merged: str) -> None:
    assert find_missing_specifics(merged, [merged, source])


@pytest.mark.parametrize(
    ("source", "merged"),
    [
        ("Changed on April 15, 2025.", "changed: 2025-04-15"),
        ("Wait 30 seconds", "a wait of 30s"),
        ("a 30-second wait", "waits for 30 sec"),
        ("for 1,000 users", "for **1000** users"),
        ("in `src/app.py`", "(src/app.py)"),
        ("the MAX_SIZE of it", "max_size:"),
        ("John Smith's team", "**John Smith** leads it"),
        ("We asked John\u2019s team for the APIs", "ask john about the API"),
        ("Needs Python v3.10", "needs python 3.10"),
        ("```\nx = 1\n  y = 22\n```", "```python\nx = 1\ny = 22\n```"),
        ("10\u201320 nodes", "10-20 nodes"),
    ],
)
def test_another_spelling_is_no_loss(source: str, merged: str) -> None:
    assert find_missing_specifics(merged, [source]) == ()


def test_missing_specifics_are_named_in_order() -> None:
    sources = ["Port 8080 on Lyon's API", "Since 2025-04-15 for Anna"]
    assert find_missing_specifics("Nothing is left.", sources) == ("2025-04-15", "8080", "anna", "api", "lyon")


specifics = st.one_of(
    st.integers(10, 10**9).map(str),
    st.decimals(0, 999, places=2).map(str),
    st.dates().map(str),
    st.from_regex(r"v?[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}", fullmatch=True),
    st.from_regex(r"[a-z]{2,5}_[a-z]{2,5}", fullmatch=True),
    st.from_regex(r"[a-z]{2,4}/[a-z]{2,4}\.md", fullmatch=True),
    st.from_regex(r"[A-Z]{3,5}[0-9]", fullmatch=True),
    st.from_regex(r"https://[a-z]{2,5}\.io/[a-z0-9]{1,5}", fullmatch=True),
    st.from_regex(r"`[a-z]{2,5} --[a-z]{2,5}`", fullmatch=True),
)
WORDS = ("queue", "gateway", "the", "while", "slow", "rests")
fillers = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
lines = st.one_of(
    st.text(max_size=40), fillers, specifics, st.sampled_from(["```", "# Head", "- item `a b` c", "Anna B"])
)
texts = st.lists(lines, max_size=6).map("\n".join).filter(lambda text: not text.startswith(("---", "\ufeff")))


@given(st.lists(texts, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_a_concatenation_in_any_order_misses_nothing(sources: list[str], draw: object) -> None:
    shuffled = sorted(sources, key=lambda _: draw.random())  # type: ignore[attr-defined]  # a random.Random
    assert find_missing_specifics("\n".join(shuffled), sources) == ()


@given(fillers, specifics, fillers)
def test_a_specific_that_is_gone_entirely_is_found(before: str, specific: str, after: str) -> None:
    source = f"so {before} {specific} {after}"
    assert find_missing_specifics(f"so {before} {after}", [source])


@given(st.text())
def test_no_text_makes_the_search_fail(text: str) -> None:
    assert all(specific == specific.strip() != "" for specific in find_specifics(text))


PIECES = [
    "ask",
    "The",
    "it's",
    "well-known",
    "e.g",
    "I",
    "API",
    "run(",
    "os.path",
    "Anna",
    "7",
    "McCoy",
    "x/y",
    "as",
    "--go",
]
SIGNS = [" ", " ", ", ", ". ", "; ", ": ", "! ", "- ", "# ", "> ", ".", "-", "'", "_", "("]


@given(st.lists(st.sampled_from([*PIECES, *SIGNS]), max_size=14).map("".join))
@example("- Ask the team; it's well-known. Then wait: why? It is unclear.")
def test_prose_is_passed_over_only_where_it_holds_no_specific(line: str) -> None:
    with_a_sign_that_no_prose_has = f"{line} \\"
    assert find_specifics(line) == find_specifics(with_a_sign_that_no_prose_has)
