"""Examples for the help page of each command, without the leading `slowwave`."""

from collections.abc import Sequence

#: By the whole name of a command. A test walks all commands: each has examples, and each example can be read by its command.
EXAMPLES: dict[str, tuple[str, ...]] = {
    "demo": ("demo",),
    "up": ("up", "up --no-flower --concurrency 8"),
    "serve": ("serve", "serve --host 0.0.0.0 --port 8400 --workers 2"),
    "mcp": ("mcp", "mcp --tenant acme"),
    "import": ("import notes --tenant acme", "import notes --tenant acme --store support-bot --overwrite"),
    "export": ("export backup-of-notes --tenant acme",),
    "dream": ("dream acme", "dream acme/support-bot --force", "dream acme --estimate", "dream acme --dry-run", "dream acme --undo"),
    "status": ("status acme", "status acme/support-bot --json"),
    "doctor": ("doctor", "doctor --json"),
    "pause": ("pause acme", "pause acme/support-bot", "pause --all"),
    "resume": ("resume acme", "resume --all"),
    "defer": ("defer 30", "defer 50 --tenant acme", "defer 0"),
    "reconcile": ("reconcile", "reconcile --republish"),
    "migrate": ("migrate", "migrate --check"),
    "backup": ("backup slowwave.backup",),
    "restore": ("restore slowwave.backup",),
    "cost": ("cost --by tenant", "cost acme --by model --days 30"),
    "evaluate": ("evaluate acme --model claude-haiku-4-5 --model offline", "evaluate acme --model claude-sonnet-4-6 --families material/"),
    "prices": ("prices", "prices --json"),
    "metrics": ("metrics", "metrics --names"),
    "serve-metrics": ("serve-metrics --port 9464",),
    "config show": ("config show", "config show --changed --json"),
    "log": ("log", "log --limit 20"),
    "dreams list": ("dreams list acme", "dreams list acme/support-bot --json"),
    "dreams show": ("dreams show acme", "dreams show acme drm_01J9Z3"),
    "dreams cancel": ("dreams cancel acme drm_01J9Z3",),
    "dreams redrive": ("dreams redrive acme drm_01J9Z3",),
    "review pending": ("review pending acme",),
    "review show": ("review show acme op_01J9Z3",),
    "review approve": ("review approve acme op_01J9Z3 op_01J9Z4",),
    "review reject": ("review reject acme op_01J9Z3",),
    "review reopen": ("review reopen acme op_01J9Z3",),
    "memory list": ("memory list acme", "memory list --tenant acme --store support-bot"),
    "memory show": ("memory show acme deploy.md", "memory show acme deploy.md --history"),
    "memory search": ("memory search acme 'how do we deploy'", "memory search acme/support-bot refund --sessions"),
    "memory why": ("memory why acme deploy.md",),
    "memory dead-links": ("memory dead-links acme", "memory dead-links acme/support-bot --json"),
    "memory links": ("memory links acme deploy.md", "memory links acme/support-bot deploy.md --json"),
    "memory edit": ("memory edit acme deploy.md --file deploy.md --if-version 3", "memory edit acme deploy.md --importance 80"),
    "memory pin": ("memory pin acme deploy.md", "memory pin acme deploy.md --off"),
    "memory redact": ("memory redact acme deploy.md 2",),
    "workers list": ("workers list",),
    "workers drain": ("workers drain worker-4711-a1b2@host-1", "workers drain --all"),
    "sessions import": ("sessions import chats --tenant acme", "sessions import chat.jsonl --tenant acme/support-bot"),
    "sessions list": ("sessions list --tenant acme",),
    "sessions show": ("sessions show chat-1 --tenant acme",),
    "sessions search": ("sessions search 'refund after 30 days' --tenant acme",),
    "sessions delete": ("sessions delete chat-1 --tenant acme",),
    "feedback add": ("feedback add 'Refunds take 14 days' --kind correction --tenant acme",),
    "feedback list": ("feedback list --tenant acme",),
    "workflows record": ("workflows record 'Deploy to staging' --outcome success --tenant acme",),
    "workflows import": ("workflows import runs.jsonl --tenant acme",),
    "workflows list": ("workflows list --tenant acme",),
    "activity begin": ("activity begin --tenant acme --store support-bot",),
    "activity end": ("activity end --tenant acme --store support-bot",),
    "skills import": ("skills import skills --tenant acme",),
    "skills export": ("skills export skills --tenant acme",),
    "skills list": ("skills list --tenant acme",),
    "skills show": ("skills show sort-mail --tenant acme",),
    "skills record-use": ("skills record-use sort-mail --session chat-1 --tenant acme",),
    "directives list": ("directives list acme",),
    "directives set": ("directives set acme dream.md my-dream.md", "directives set acme/support-bot dream.md my-dream.md"),
    "directives reset": ("directives reset acme dream.md",),
    "directives show": ("directives show acme dream.md",),
    "retention set": ("retention set acme --days versions=90",),
    "retention show": ("retention show acme",),
    "retention run": ("retention run --dry-run", "retention run acme"),
    "tenants list": ("tenants list",),
    "tenants show": ("tenants show acme",),
    "tenants create": ("tenants create acme",),
    "tenants set": ("tenants set acme --usd-per-day 2.50 --usd-per-month 40", "tenants set acme --quiet-hours 22:00-06:00"),
    "tenants delete": ("tenants delete acme",),
    "stores create": ("stores create acme/support-bot",),
    "stores list": ("stores list acme",),
    "stores set": (
        "stores set acme/support-bot --profile byterover --set gates.min_hours=4",
        "stores set acme/support-bot --set budget.usd_per_day=0.50",
    ),
    "stores delete": ("stores delete acme/support-bot",),
    "stores show": ("stores show acme/support-bot", "stores show --tenant acme --store support-bot"),
    "keys create": ("keys create acme --role agent",),
    "keys list": ("keys list acme",),
    "keys rotate": ("keys rotate acme key_01J9Z3 --grace-minutes 60",),
    "keys revoke": ("keys revoke acme key_01J9Z3",),
    "webhooks create": ("webhooks create acme https://hooks.example.com/slowwave",),
    "webhooks list": ("webhooks list acme",),
    "webhooks rotate": ("webhooks rotate acme whe_01J9Z3",),
    "webhooks enable": ("webhooks enable acme whe_01J9Z3",),
    "webhooks delete": ("webhooks delete acme whe_01J9Z3",),
    "webhooks test": ("webhooks test acme whe_01J9Z3",),
    "webhooks deliveries": ("webhooks deliveries acme",),
    "webhooks replay": ("webhooks replay acme whd_01J9Z3",),
    "audit list": ("audit list acme --limit 20", "audit list --json"),
}  # fmt: skip
_OF_A_GROUP = 3


def examples_of(name: str, below: Sequence[str] = ()) -> list[str]:
    """Return the examples of a command; for a group, the first example of each of its first commands."""
    if not below:
        return list(EXAMPLES.get(name, ()))
    found = [EXAMPLES[f"{name} {one}"][0] for one in below if f"{name} {one}" in EXAMPLES]
    return found[:_OF_A_GROUP]


def render_examples(examples: Sequence[str]) -> str:
    """Render examples for the end of a help page, one per line; empty without any."""
    return "\n\n".join(["Examples:", *(f"$ slowwave {example}" for example in examples)]) if examples else ""
