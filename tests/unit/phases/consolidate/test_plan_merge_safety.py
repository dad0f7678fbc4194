"""MERGE: what is never merged, and what a merge keeps of its sources beside their text."""

import pytest

from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import Maturity, Signals
from tests.unit.builders import codes, group, memory, rewrites
from tests.unit.phases.consolidate.consolidating import (
    AUTH,
    CLIENTS,
    OAUTH,
    TEXT,
    TOKENS,
    does,
    merge,
    only,
    plan,
)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The cache is enabled in production for every merchant.", "The cache is not enabled in production for every merchant."),
        ("Access tokens last 15 minutes in every region.", "Access tokens last 60 minutes in every region."),
        ("The gateway runs on Python 3.11 in production.", "The gateway runs on Python 3.12 in production."),
        ("The freeze begins on 2026-01-01 for all teams.", "The freeze begins on 2026-02-01 for all teams."),
    ],
)  # fmt: skip
def test_opposites_are_never_merged_without_a_person_even_if_nothing_is_lost(left: str, right: str) -> None:
    one, two = memory("api/a.md", left), memory("api/b.md", right)
    operation = only(merge(one, two, text=f"{left}\n{right}", confidence=1.0), of=group(one, two))
    assert operation.propose_only is not None
    assert left in operation.propose_only
    assert right in operation.propose_only


def test_a_merge_of_opposites_that_a_model_is_unsure_of_is_left_out() -> None:
    one, two = memory("api/a.md", "The cache is warm at night."), memory("api/b.md", "The cache is not warm at night.")
    found = plan(merge(one, two, text=one.content, confidence=0.69), of=group(one, two))
    assert found.operations == ()
    assert codes(found) == ["opposites"]


def test_the_merged_signals_are_those_of_the_best_source() -> None:
    one = memory("api/auth.md", AUTH.content, signals=Signals(importance=40, maturity=Maturity.CORE, access_count=2))
    two = memory("api/oauth.md", OAUTH.content, signals=Signals(importance=70, access_count=3, pinned=True))
    signals = rewrites(only(merge(one, two), of=group(one, two)))[one.path].signals
    assert (signals.importance, signals.maturity, signals.access_count, signals.pinned) == (70, Maturity.CORE, 5, True)


FRONT = """---
title: "Auth"
summary: short
tags: [auth, 'tokens']  # ours
keywords: [jwt]
related: [api/oauth.md, api/limits.md]
createdAt: 2025-01-01
updatedAt: 2025-02-01
---
"""


def test_a_rewrite_keeps_the_order_and_the_flow_style_of_the_frontmatter() -> None:
    one = memory("api/auth.md", FRONT + AUTH.content)
    content = rewrites(only(merge(one, OAUTH), of=group(one, OAUTH)))[one.path].content
    names = [
        "title",
        "summary",
        "tags",
        "keywords",
        "related",
        "createdAt",
        "updatedAt",
        "consolidated_at",
        "consolidated_from",
    ]
    assert list(read_fields(content)) == names
    assert "tags: [auth, 'tokens']  # ours\n" in content
    assert 'title: "Auth"\n' in content
    assert content.endswith(f"---\n{TEXT}")


def test_the_lists_of_all_sources_are_united_without_links_to_what_is_gone() -> None:
    one = memory("api/auth.md", FRONT + AUTH.content)
    two = memory("api/oauth.md", "---\ntags: [oauth, auth]\nrelated: [api/auth.md, ops/x.md]\n---\n" + OAUTH.content)
    fields = read_fields(rewrites(only(merge(one, two), of=group(one, two)))[one.path].content)
    assert fields["tags"] == ["auth", "tokens", "oauth"]
    assert fields["related"] == ["api/limits.md", "ops/x.md"]


def test_a_link_to_the_merged_file_goes_even_if_it_was_the_only_one() -> None:
    one = memory("api/auth.md", "---\nrelated: [api/oauth.md]\n---\n" + AUTH.content)
    fields = read_fields(rewrites(only(merge(one, OAUTH), of=group(one, OAUTH)))[one.path].content)
    assert fields["related"] == []


def test_a_tag_that_is_no_list_is_not_lost() -> None:
    one = memory("api/auth.md", "---\ntags: auth\n---\n" + AUTH.content)
    two = memory("api/oauth.md", "---\ntags: [oauth]\n---\n" + OAUTH.content)
    fields = read_fields(rewrites(only(merge(one, two), of=group(one, two)))[one.path].content)
    assert fields["tags"] == ["auth", "oauth"]


@pytest.mark.parametrize("front", ["---\ntags: [a, b\n---\n", "---\na: 1\na: 2\n---\n"])
def test_a_file_whose_frontmatter_cannot_be_read_is_not_rewritten(front: str) -> None:
    broken = memory("api/auth.md", front + AUTH.content)
    shown = group(broken, OAUTH)
    text = f"{front.replace('---', '')} {TEXT}"
    assert codes(plan(merge(broken, OAUTH, text=text), of=shown)) == ["uneditable_frontmatter"]
    update = does("TEMPORAL_UPDATE", broken, updatedContent=text)
    assert codes(plan(update, of=shown)) == ["uneditable_frontmatter"]
    assert codes(plan(does("CROSS_REFERENCE", broken, OAUTH), of=shown)) == ["uneditable_frontmatter"]


def test_the_loss_cap_turns_a_merge_into_a_proposal() -> None:
    shown = group(AUTH, TOKENS, CLIENTS)
    operation = only(merge(AUTH, TOKENS, CLIENTS, text=CLIENTS.content), of=shown, allowed=1)
    assert (
        operation.propose_only == "loss cap: this dream may retire 1 memories and has retired 0 (safety.loss_cap_share)"
    )


def test_merges_within_the_loss_cap_are_applied() -> None:
    assert only(merge(AUTH, TOKENS), of=group(AUTH, TOKENS), allowed=1).propose_only is None


def test_a_merge_of_two_texts_that_say_nothing_twice_goes_to_a_person() -> None:
    uploads = memory("a/one.md", "Uploaded files end up in /srv/incoming.")
    stored = memory("a/two.md", "Uploads are stored under /var/lib/dropzone.")
    both = f"{uploads.content} {stored.content}"
    operation = only(merge(uploads, stored, text=both, confidence=0.99), of=group(uploads, stored))
    assert operation.propose_only == (
        "a/one.md and a/two.md may be about two subjects: their files are called one and two"
    )


@pytest.mark.parametrize(
    ("left", "right"), [("小周是小吴的上级。", "小吴是小周的上级。"), ("客户同意了延期。", "客户拒绝了延期。")]
)
def test_two_texts_in_a_script_without_spaces_go_to_a_person_where_a_character_may_turn_one_around(
    left: str, right: str
) -> None:
    one, two = memory("a/one.md", f"{left}\n"), memory("a/two.md", f"{right}\n")
    operation = only(merge(one, two, text=f"{left}\n\n{right}\n", confidence=0.99), of=group(one, two))
    assert operation.propose_only is not None
