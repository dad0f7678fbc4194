"""Every command of `slowwave`: its name, where its code is, and its line in `slowwave --help`.

The modules are imported when their command is called, so that `slowwave --help` costs no more than this table.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One command or group of commands: where its code is, and its panel and line in `slowwave --help`."""

    name: str
    panel: str
    module: str
    attribute: str
    short_help: str


USE, OPERATE, SERVE = "Use: dreams and memories", "Operate: tenants, limits, servers", "Serve: processes that run on"

COMMANDS = (
    Entry("demo", USE, "gateway.cli.demo.demo", "demo", "Run a dream end to end on an example tenant: watch it, read its log, reject one operation, undo the rest."),
    Entry("import", USE, "gateway.cli.memories.files", "import_folder", "Import a folder of memories; a tenant that is new is made. Doing it twice changes nothing."),
    Entry("export", USE, "gateway.cli.memories.files", "export_store", "Export a store's live memories, byte for byte."),
    Entry("dream", USE, "gateway.cli.dreams.dream", "dream", "Dream over a tenant's store now, if the gates are open."),
    Entry("status", USE, "gateway.cli.dreams.status", "status", "Tell why a tenant's stores have not dreamt, and when they will. Nothing is recorded."),
    Entry("dreams", USE, "gateway.cli.dreams.dreams", "app", "What dreams did."),
    Entry("review", USE, "gateway.cli.dreams.review", "app", "Approve or reject what dreams did or propose, and take verdicts back."),
    Entry("memory", USE, "gateway.cli.memories.memory", "app", "What a store remembers, and changes to it by hand."),
    Entry("sessions", USE, "gateway.cli.sessions.sessions", "app", "Conversations that dreams gather from."),
    Entry("feedback", USE, "gateway.cli.sessions.feedback", "app", "What was said about an agent's work."),
    Entry("workflows", USE, "gateway.cli.sessions.workflows", "app", "What an agent's workflows came to."),
    Entry("activity", USE, "gateway.cli.sessions.activity", "app", "Turns of an agent, which dreams wait for."),
    Entry("skills", USE, "gateway.cli.memories.skills", "app", "Skills: what an agent knows how to do."),
    Entry("doctor", OPERATE, "gateway.cli.operate.doctor", "doctor", "Check servers, schema, isolation, queues, beat, workers, model, secrets and disk. Exit code 1 when a check fails."),
    Entry("pause", OPERATE, "gateway.cli.tenants.pause", "pause", "Stop dreaming for a tenant, one store or all tenants. --force does not override it. A running dream finishes."),
    Entry("resume", OPERATE, "gateway.cli.tenants.pause", "resume", "Resume dreaming for a tenant, one store or all tenants, also out of quarantine. `--all` leaves paused tenants paused."),
    Entry("defer", OPERATE, "gateway.cli.tenants.pause", "defer", "Have a share of due stores wait for another day; which, changes daily. Force gets past it."),
    Entry("reconcile", OPERATE, "gateway.cli.operate.workers", "reconcile", "Dispatch stalled dreams again: running ones whose worker is gone, queued ones that no worker took."),
    Entry("migrate", OPERATE, "gateway.cli.operate.migrate", "migrate_database", "Migrate the database of SLOWWAVE_OWNER_DATABASE_URL; embedded servers are migrated by themselves."),
    Entry("backup", OPERATE, "gateway.cli.operate.backup", "backup", "Write a backup of the whole database to a file, with a manifest of what is in it."),
    Entry("restore", OPERATE, "gateway.cli.operate.backup", "restore", "Restore a backup into an empty database, whole or not at all, and compare it with its manifest."),
    Entry("cost", OPERATE, "gateway.cli.operate.cost", "cost", "Show what model calls came to, by tenant, store, model or day, the dearest first."),
    Entry("evaluate", OPERATE, "gateway.cli.dreams.evaluate", "evaluate", "Ask models the questions of a store's last dreams again, and compare. It costs tokens and changes no memory."),
    Entry("prices", OPERATE, "gateway.cli.operate.cost", "prices", "List the prices of models: per million tokens, of which day and whose, the operator's own first."),
    Entry("log", OPERATE, "gateway.cli.operate.log", "log", "List the changes to the whole installation, newest first: pauses, deferrals, drained workers, reconciling, deleted tenants."),
    Entry("config", OPERATE, "gateway.cli.operate.config", "app", "Settings of this installation, and where each comes from."),
    Entry("workers", OPERATE, "gateway.cli.operate.workers", "app", "Who works, and how to have one leave."),
    Entry("directives", OPERATE, "gateway.cli.tenants.directives", "app", "Prompts of a tenant's own, in place of built-in ones."),
    Entry("retention", OPERATE, "gateway.cli.tenants.retention", "app", "Retention: what is purged by age."),
    Entry("tenants", OPERATE, "gateway.cli.tenants.tenants", "tenants", "Tenants: make and list them, change their limits and model."),
    Entry("stores", OPERATE, "gateway.cli.tenants.tenants", "stores", "Stores: make, list and delete them, change profile, autonomy and numbers."),
    Entry("keys", OPERATE, "gateway.cli.tenants.keys", "app", "API keys: make, list, rotate, revoke."),
    Entry("webhooks", OPERATE, "gateway.cli.tenants.webhooks", "app", "Webhooks: be told of dreams and reviews."),
    Entry("audit", OPERATE, "gateway.cli.tenants.audit", "app", "Who changed what: the audit log."),
    Entry("up", SERVE, "gateway.cli.operate.up", "up", "Start PostgreSQL, Redis, worker, beat, the API and Flower here. What is configured by URL is used as it is."),
    Entry("serve", SERVE, "gateway.cli.operate.serve", "serve_api", "Serve the HTTP API until Ctrl-C or SIGTERM, which lets requests under way finish."),
    Entry("mcp", SERVE, "gateway.cli.operate.serve", "serve_mcp", "Serve MCP on standard input and output, for the key in SLOWWAVE_KEY."),
    Entry("metrics", SERVE, "gateway.cli.operate.serve", "metrics", "Print all metrics once, in Prometheus' text format."),
    Entry("serve-metrics", SERVE, "gateway.cli.operate.serve", "serve_metrics", "Serve all metrics at /metrics until Ctrl-C. One of these is enough for an installation, whatever it runs."),
)  # fmt: skip
