"""Every command of `slowwave`: its name, where its code is, and its line in `slowwave --help`.

The modules are imported when their command is called, so that `slowwave --help` costs no more than this table.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One command or group of commands: where its code is, and its line in `slowwave --help`."""

    name: str
    module: str
    attribute: str
    short_help: str


COMMANDS = (
    Entry("demo", "gateway.cli.demo.demo", "demo", "Run a dream end to end on an example tenant: watch it, read its log, reject one operation, undo the rest."),
    Entry("up", "gateway.cli.operate.up", "up", "Start PostgreSQL, Redis, worker, beat, the API and Flower here. What is configured by URL is used as it is."),
    Entry("serve", "gateway.cli.operate.serve", "serve_api", "Serve the HTTP API until Ctrl-C or SIGTERM, which lets requests under way finish."),
    Entry("mcp", "gateway.cli.operate.serve", "serve_mcp", "Serve MCP on standard input and output, for the key in SLOWWAVE_KEY."),
    Entry("import", "gateway.cli.memories.files", "import_folder", "Import a folder of memories; a tenant that is new is made. Doing it twice changes nothing."),
    Entry("export", "gateway.cli.memories.files", "export_store", "Export a store's live memories, byte for byte."),
    Entry("dream", "gateway.cli.dreams.dream", "dream", "Dream over a tenant's store now, if the gates are open."),
    Entry("status", "gateway.cli.dreams.status", "status", "Tell why a tenant's stores have not dreamt, and when they will. Nothing is recorded."),
    Entry("doctor", "gateway.cli.operate.doctor", "doctor", "Check servers, schema, isolation, queues, beat, workers, model, secrets and disk. Exit code 1 when a check fails."),
    Entry("pause", "gateway.cli.tenants.pause", "pause", "Stop dreaming for a tenant, one store or all tenants. --force does not override it. A running dream finishes."),
    Entry("resume", "gateway.cli.tenants.pause", "resume", "Resume dreaming for a tenant, one store or all tenants, also out of quarantine. `--all` leaves paused tenants paused."),
    Entry("defer", "gateway.cli.tenants.pause", "defer", "Have a share of due stores wait for another day; which, changes daily. Force gets past it."),
    Entry("reconcile", "gateway.cli.operate.workers", "reconcile", "Dispatch stalled dreams again: running ones whose worker is gone, queued ones that no worker took."),
    Entry("migrate", "gateway.cli.operate.migrate", "migrate_database", "Migrate the database of SLOWWAVE_OWNER_DATABASE_URL; embedded servers are migrated by themselves."),
    Entry("backup", "gateway.cli.operate.backup", "backup", "Write a backup of the whole database to a file, with a manifest of what is in it."),
    Entry("restore", "gateway.cli.operate.backup", "restore", "Restore a backup into an empty database, whole or not at all, and compare it with its manifest."),
    Entry("cost", "gateway.cli.operate.cost", "cost", "Show what model calls came to, by tenant, store, model or day, the dearest first."),
    Entry("metrics", "gateway.cli.operate.serve", "metrics", "Print all metrics once, in Prometheus' text format."),
    Entry("serve-metrics", "gateway.cli.operate.serve", "serve_metrics", "Serve all metrics at /metrics until Ctrl-C. One of these is enough for an installation, whatever it runs."),
    Entry("log", "gateway.cli.operate.log", "log", "List the changes to the whole installation, newest first: pauses, deferrals, drained workers, reconciling, deleted tenants."),
    Entry("dreams", "gateway.cli.dreams.dreams", "app", "What dreams did."),
    Entry("review", "gateway.cli.dreams.review", "app", "Approve or reject what dreams did or propose, and take verdicts back."),
    Entry("memory", "gateway.cli.memories.memory", "app", "What a store remembers."),
    Entry("workers", "gateway.cli.operate.workers", "app", "Who works, and how to have one leave."),
    Entry("sessions", "gateway.cli.sessions.sessions", "app", "Conversations that dreams gather from."),
    Entry("feedback", "gateway.cli.sessions.feedback", "app", "What was said about an agent's work."),
    Entry("workflows", "gateway.cli.sessions.workflows", "app", "What an agent's workflows came to."),
    Entry("activity", "gateway.cli.sessions.activity", "app", "Turns of an agent, which dreams wait for."),
    Entry("skills", "gateway.cli.memories.skills", "app", "Skills: what an agent knows how to do."),
    Entry("directives", "gateway.cli.tenants.directives", "app", "Prompts of a tenant's own, in place of built-in ones."),
    Entry("retention", "gateway.cli.tenants.retention", "app", "Retention: what is purged by age."),
    Entry("tenants", "gateway.cli.tenants.tenants", "tenants", "Tenants: make and list them, change their limits and model."),
    Entry("stores", "gateway.cli.tenants.tenants", "stores", "Stores: make, list and delete them, change profile, autonomy and numbers."),
    Entry("keys", "gateway.cli.tenants.keys", "app", "API keys: make, list, rotate, revoke."),
    Entry("webhooks", "gateway.cli.tenants.webhooks", "app", "Webhooks: be told of dreams and reviews."),
    Entry("audit", "gateway.cli.tenants.audit", "app", "Who changed what: the audit log."),
)  # fmt: skip
