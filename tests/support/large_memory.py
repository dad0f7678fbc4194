"""A memory that is too large for a store with `SMALL_LIMITS`, and one that links to a heading of it."""

PATH = "ops/guide.md"
LINKING = "ops/on-call.md"
#: So that a test's text need not have 16,000 characters.
SMALL_LIMITS: dict[str, object] = {"split.max_chars": 4_200, "split.min_chars": 4_200, "split.min_part_chars": 300}
_TOPICS = {
    "Deployments": ("harbor-7", "kestrel", "the canary waits for forty minutes", "Nina signs each release"),
    "Backups": ("vault-3", "osprey", "a copy goes to Lisbon every night", "Omar tries a restore each quarter"),
    "Certificates": ("keyring-9", "heron", "the root expires in the spring of 2031", "Paula renews them by hand"),
    "Incidents": ("pager-2", "plover", "the bridge opens within ten minutes", "Quentin writes the report"),
    "Billing exports": ("ledger-5", "curlew", "the export leaves at half past four", "Rosa checks the totals"),
}
INTRODUCTION = "How the platform of the shop is run. The team meets on Thursdays.\n"
SMALL_TOPIC = "## Words\n\nA shard is a slice of the catalogue.\n"


def _write_topic(name: str, host: str, tool: str, rule: str, person: str) -> str:
    lines = [
        f"- Step {number} of {name.lower()} runs `{tool} step-{number}` on {host} before the next one begins, and waits."
        for number in range(1, 9)
    ]
    return (
        f"## {name}\n\nFor this {rule}, and {person}.\n\n"
        + "\n".join(lines)
        + f"\n\n### Rules of {host}\n\nAsk first.\n"
    )


GUIDE = (
    f"---\ntags: [platform]\n---\n# Platform guide\n\n{INTRODUCTION}\nSee [backups](#backups).\n\n"
    + "\n".join(_write_topic(name, *facts) for name, facts in _TOPICS.items())
    + f"\n{SMALL_TOPIC}"
)
LINK = "# On call\n\nRead [what to do](guide.md#incidents) and [the guide](guide.md) before the first night.\n"
PARTS = tuple(f"ops/guide-{name.lower().replace(' ', '-')}.md" for name in _TOPICS)
