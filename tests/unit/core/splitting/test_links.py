"""Links to headings of a memory that was split lead to the part that holds the heading."""

import pytest

from shared.core.splitting.links import Places, find_places, lead_to_parts

PLACES = Places(
    hub="ops/guide.md",
    files=frozenset({"ops/guide.md", "ops/guide-backups.md", "ops/guide-alerts.md"}),
    anchors={
        "backups": ("ops/guide-backups.md", "backups"),
        "alerts": ("ops/guide-alerts.md", "alerts"),
        "rules-1": ("ops/guide-alerts.md", "rules"),
        "intro": ("ops/guide.md", "intro"),
    },
)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("ops/other.md", "[x](guide.md#backups)", "[x](guide-backups.md#backups)"),
        ("ops/other.md", "[x](./guide.md#backups)", "[x](./guide-backups.md#backups)"),
        ("other.md", "[x](ops/guide.md#backups)", "[x](ops/guide-backups.md#backups)"),
        ("web/other.md", "[x](../ops/guide.md#backups)", "[x](../ops/guide-backups.md#backups)"),
        ("web/other.md", "[x](/ops/guide.md#backups)", "[x](/ops/guide-backups.md#backups)"),
        ("web/other.md", "[x](ops/guide.md#backups)", "[x](ops/guide-backups.md#backups)"),
        ("ops/other.md", "[x](guide.md#rules-1)", "[x](guide-alerts.md#rules)"),
        ("ops/other.md", "see [[guide#Backups]] or [[guide#Alerts|those]]", "see [[guide-backups#Backups]] or [[guide-alerts#Alerts|those]]"),
        ("ops/other.md", "[1]: guide.md#alerts", "[1]: guide-alerts.md#alerts"),
        ("ops/guide-backups.md", "[x](#alerts) and [y](#backups)", "[x](guide-alerts.md#alerts) and [y](#backups)"),
        ("ops/guide.md", "[x](#rules-1)", "[x](guide-alerts.md#rules)"),
        ("ops/guide-backups.md", "[x](guide.md#intro)", "[x](guide.md#intro)"),
    ],
)  # fmt: skip
def test_a_link_to_a_heading_leads_to_its_part(path: str, before: str, after: str) -> None:
    assert lead_to_parts(path, before, PLACES) == after
    assert lead_to_parts(path, after, PLACES) == after


@pytest.mark.parametrize(
    "text",
    [
        "[x](guide.md)", "[x](guide.md#unknown)", "[x](other.md#backups)", "[x](https://example.com/guide.md#backups)",
        "`[x](guide.md#backups)`", "```\n[x](guide.md#backups)\n```", "guide.md#backups", "[x](#backups)",
    ],
)  # fmt: skip
def test_other_links_and_code_stay_as_they_are(text: str) -> None:
    assert lead_to_parts("ops/other.md", text, PLACES) == text


def test_the_second_heading_of_one_name_is_found_where_it_went() -> None:
    body = "# A\n## Rules\none\n## B\n### Rules\ntwo"
    files = ["g.md", "g-rules.md", "g-rules.md", "g-b.md", "g-b.md", "g-b.md"]
    found = find_places("g.md", body, files)
    assert (found.anchors["rules"], found.anchors["rules-1"]) == (("g-rules.md", "rules"), ("g-b.md", "rules"))
