"""The table of all commands of `slowwave`: name, module, and line in `slowwave --help`.

A module is imported when its command is called, so `slowwave --help` needs only this table.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One command or group of commands: its module, and its panel and line in `slowwave --help`."""

    name: str
    panel: str
    module: str
    attribute: str
    short_help: str


USE, OPERATE, SERVE = "Use: dreams and memories", "Operate: tenants, limits, servers", "Serve: long-running processes"

COMMANDS = (
    Entry("demo", USE, "gateway.cli.demo.demo", "demo", "Run real dreams on an example tenant: watch one, read its log, reject an operation, undo the rest; then review another."),
    Entry("import", USE, "gateway.cli.memories.files", "import_folder", "Import a folder of memories; creates the tenant if needed. Importing the same folder again changes nothing."),
    Entry("export", USE, "gateway.cli.memories.files", "export_store", "Export a store's live memories, byte for byte."),
    Entry("sync", USE, "gateway.cli.sync.sync", "sync", "Sync a folder and a store in both directions; creates the tenant if needed."),
    Entry("connect", USE, "gateway.cli.connect.connect", "connect", "Connect a tool of this machine: its memories, its sessions and its agents; creates the tenant if needed."),
    Entry("disconnect", USE, "gateway.cli.connect.connect", "disconnect", "Take back all that `connect` wrote: the MCP server, the hooks, the key and the records of syncs. Memories stay."),
    Entry("hook", USE, "gateway.cli.connect.hook", "hook", "Answer a tool's hook: import a session that ends, and say what dreams did when one begins."),
    Entry("dream", USE, "gateway.cli.dreams.dream", "dream", "Dream over a tenant's store now, if the gates are open, and watch. Also estimates, undoes and redoes dreams."),
    Entry("status", USE, "gateway.cli.dreams.status", "status", "Show why a tenant's stores have not dreamt, and when they will. Changes nothing."),
    Entry("dreams", USE, "gateway.cli.dreams.dreams", "app", "List, show, compare and cancel dreams, and start failed ones again."),
    Entry("review", USE, "gateway.cli.dreams.review", "app", "Approve or reject changes that dreams made or propose, and take verdicts back."),
    Entry("insight", USE, "gateway.cli.tenants.insight", "insight", "Print what a week of dreams was worth, as Markdown: what was learned, how much was right, cost, and what waits."),
    Entry("memory", USE, "gateway.cli.memories.memory", "app", "List, search, ask, show, explain, edit, redact and forget memories; SwarmClaw's commands for dreams."),
    Entry("sessions", USE, "gateway.cli.sessions.sessions", "app", "Import, list, show, search and delete the sessions that dreams read."),
    Entry("feedback", USE, "gateway.cli.sessions.feedback", "app", "Record and list feedback on an agent's work."),
    Entry("workflows", USE, "gateway.cli.sessions.workflows", "app", "Record, import and list the outcomes of an agent's workflows."),
    Entry("activity", USE, "gateway.cli.sessions.activity", "app", "Mark an agent as busy or idle. Dreams wait while it is busy."),
    Entry("skills", USE, "gateway.cli.memories.skills", "app", "Import, list, show and export an agent's skills."),
    Entry("doctor", OPERATE, "gateway.cli.operate.doctor", "doctor", "Check servers, schema, isolation, queues, beat, workers, model, secrets and disk. Exit code 1 when a check fails."),
    Entry("probe", OPERATE, "gateway.cli.operate.probe", "probe", "Tell whether the worker, beat, API or metrics server of this machine is alive. Exit code 1 when it is not."),
    Entry("pause", OPERATE, "gateway.cli.tenants.pause", "pause", "Stop dreaming for a tenant, one store or all tenants. --force does not override it. A running dream finishes."),
    Entry("resume", OPERATE, "gateway.cli.tenants.pause", "resume", "Resume dreaming for a tenant, one store or all tenants, and lift a quarantine. `--all` leaves paused tenants paused."),
    Entry("defer", OPERATE, "gateway.cli.tenants.pause", "defer", "Postpone a share of the due stores to another day. Which stores wait changes daily. --force overrides it."),
    Entry("reconcile", OPERATE, "gateway.cli.operate.workers", "reconcile", "Dispatch stalled dreams again: running ones whose worker is gone and queued ones that no worker has claimed."),
    Entry("migrate", OPERATE, "gateway.cli.operate.migrate", "migrate_database", "Migrate the database at SLOWWAVE_OWNER_DATABASE_URL. Embedded servers are migrated automatically."),
    Entry("backup", OPERATE, "gateway.cli.operate.backup", "backup", "Write a backup of the whole database to a file, with a manifest of its rows."),
    Entry("restore", OPERATE, "gateway.cli.operate.backup", "restore", "Restore a backup into an empty database, all or nothing, and verify it against its manifest."),
    Entry("cost", OPERATE, "gateway.cli.operate.cost", "cost", "Show the cost of model calls by tenant, store, phase, model or day, the most expensive first."),
    Entry("evaluate", OPERATE, "gateway.cli.evaluate.evaluate", "evaluate", "Measure whether dreams help a store, on copies of it. With --replay: ask other models past dreams' questions."),
    Entry("evaluations", OPERATE, "gateway.cli.evaluate.evaluations", "app", "List, show and cancel evaluations."),
    Entry("probes", OPERATE, "gateway.cli.evaluate.probes", "app", "Show, set and clear the questions of its own that a store keeps for evaluations."),
    Entry("models", OPERATE, "gateway.cli.tenants.models", "app", "Show which models have passed their exam, examine one now, or set a result by hand."),
    Entry("prices", OPERATE, "gateway.cli.operate.cost", "prices", "List model prices per million tokens with their date and source, the operator's own prices first."),
    Entry("log", OPERATE, "gateway.cli.operate.log", "log", "List the changes to the whole installation, newest first: pauses, deferrals, drains, reconciliations, deleted tenants."),
    Entry("config", OPERATE, "gateway.cli.operate.config", "app", "Show the settings of this installation and the source of each."),
    Entry("workers", OPERATE, "gateway.cli.operate.workers", "app", "List and drain workers."),
    Entry("directives", OPERATE, "gateway.cli.tenants.directives", "app", "Replace built-in prompts for a tenant or a store."),
    Entry("retention", OPERATE, "gateway.cli.tenants.retention", "app", "Show, change and run the retention of a tenant."),
    Entry("tenants", OPERATE, "gateway.cli.tenants.tenants", "tenants", "Create, list, show, change and delete tenants."),
    Entry("stores", OPERATE, "gateway.cli.tenants.tenants", "stores", "Create, list, show, change and delete stores."),
    Entry("keys", OPERATE, "gateway.cli.tenants.keys", "app", "Create, list, rotate and revoke API keys."),
    Entry("webhooks", OPERATE, "gateway.cli.tenants.webhooks", "app", "Manage webhooks for the events of dreams and reviews."),
    Entry("audit", OPERATE, "gateway.cli.tenants.audit", "app", "List the audit log: every change and its actor."),
    Entry("up", SERVE, "gateway.cli.operate.up", "up", "Start PostgreSQL, Redis, worker, beat, the API and Flower on this machine. Servers configured by URL are used instead."),
    Entry("serve", SERVE, "gateway.cli.operate.serve", "serve_api", "Serve the HTTP API until Ctrl-C or SIGTERM. Requests in progress are finished first."),
    Entry("mcp", SERVE, "gateway.cli.operate.serve", "serve_mcp", "Serve MCP on standard input and output, with the API key in SLOWWAVE_KEY."),
    Entry("metrics", SERVE, "gateway.cli.operate.serve", "metrics", "Print all metrics once, in the Prometheus text format."),
    Entry("serve-metrics", SERVE, "gateway.cli.operate.serve", "serve_metrics", "Serve all metrics at /metrics until Ctrl-C. One such process is enough for an installation."),
)  # fmt: skip
