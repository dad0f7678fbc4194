"""Families of memories: siblings follow one template about different subjects; duplicates say the same of one subject."""

from collections.abc import Mapping, Sequence

Family = Mapping[str, str]  # text by path


def fill(path: str, text: str, rows: Sequence[Mapping[str, object]]) -> Family:
    """Return one memory for each row of fillings."""
    return {path.format(**row): text.format(**row) for row in rows}


def _rows(names: str, *rows: Sequence[object]) -> list[dict[str, object]]:
    return [dict(zip(names.split(), row, strict=True)) for row in rows]


SIBLINGS: Mapping[str, Family] = {
    "recipes": fill(
        "kitchen/{k}.md",
        "# {t}\n\nServes {n}.\n\n## Ingredients\n- {a}\n- a pinch of salt\n\n## Method\n1. Heat the oven to {h} degrees.\n"
        "2. Let it rest for ten minutes before serving.\n",
        _rows(
            "k t n a h",
            ("lasagne", "Lasagne", 6, "500 g minced beef", 190),
            ("apple-pie", "Apple pie", 8, "1 kg apples", 180),
            ("gratin", "Potato gratin", 4, "800 g potatoes", 170),
        ),
    ),
    "German customers": fill(
        "kunden/{k}.md",
        "# Kunde {t}\n\n{t} betreibt {w}. Der Vertrag läuft bis {e}.\n\n- Ansprechpartner: {p}\n- Rechnungen gehen per E-Mail.\n",
        _rows(
            "k t w e p",
            ("bergmann", "Bergmann", "zwei Baumärkte", "Ende 2027", "Frau Kessler"),
            ("seeblick", "Seeblick", "ein Hotel am Bodensee", "März 2028", "Herr Vogt"),
        ),
    ),
    "weekly reports": fill(
        "berichte/kw-{w}.md",
        "# Wochenbericht KW {w}\n\n- Erledigt: {a}\n- Offen: {b}\n- Nächste Woche: Planung mit dem Betrieb.\n",
        _rows("w a b", (14, "Umzug des Mailservers", "der Drucker"), (15, "Drucker getauscht", "das Zertifikat")),
    ),
    "commands that name each other": fill(
        "cli/ship-{k}.md",
        "# ship-{k}\n\n```\nship {k} <parcel>\n```\n\n{d}\n\n## Options\n\n- `--depot`: the depot; the default is the nearest.\n"
        "- `--quiet`: prints nothing.\n\n## See also\n\n- `ship load`, `ship unload`, `ship seal`\n",
        _rows(
            "k d",
            ("load", "Puts a parcel on the truck."),
            ("unload", "The opposite of `ship load`."),
            ("seal", "Seals the parcel that `ship load` has put on the truck."),
        ),
    ),
    "pages that name each other in what all say": fill(
        "cli/dock-{k}.md",
        "# dock-{k}\n\n{d}\n\n## Common options\n\n- `--berth`: the berth; the default is the first.\n- `--quiet`: prints nothing.\n"
        "- `--log`: the file of the log.\n- `--version`: prints the version.\n\n## See also\n\ndock-freeze, dock-open, dock-crew\n",
        _rows(
            "k d",
            ("freeze", "dock-freeze stops every crane until a person thaws it."),
            ("open", "If the tide allows it, dock-open lets the next ship in; the gates take four minutes."),
            ("crew", "Prints who is on the shift. A name is looked up by dock-crew in the roster of the week."),
        ),
    ),
    "servers without a title": fill(
        "infra/{k}.md",
        "{k} runs {o}. It has {m} GB of memory. Reboots are announced in the infra channel one day before.\n",
        _rows("k o m", ("kestrel", "Debian 12", 64), ("osprey", "Ubuntu 24.04", 128), ("merlin", "Debian 12", 32)),
    ),
    "readmes of folders": fill(
        "services/{k}/README.md",
        "# Service\n\nOwner: {o}\nPort: {p}\nStart it with `make run`. Logs go to stdout.\n",
        _rows("k o p", ("ledger", "team finance", 7001), ("catalog", "team shop", 7002)),
    ),
    "medication under one title": fill(
        "health/{k}.md",
        "# Medication\n\nTakes {a} {f}. Allergic to {x}. The list is checked every spring.\n",
        _rows(
            "k a f x",
            ("oma", "ramipril 5 mg", "every morning", "latex"),
            ("opa", "bisoprolol 2.5 mg", "every evening", "nothing known"),
        ),
    ),
    "endpoints": fill(
        "api/{k}.md",
        "# POST /v1/{k}\n\nCreates a {s}. Needs the scope `{k}:write`.\n\nThe limit is {n} requests per minute.\n",
        _rows("k s n", ("webhooks", "webhook", 30), ("tags", "tag", 120), ("invites", "invite", 10)),
    ),
    "releases": fill(
        "releases/{v}.md",
        "# Release {v}\n\nThanks to all who helped. Highlights: {a}.\n",
        _rows("v a", ("2.1.0", "dark mode"), ("2.2.0", "faster search")),
    ),
    "teams with equal bodies": fill(
        "teams/{k}.md",
        "# Team {t}\n\nWorks from the second floor. Stand-up is at ten. Uses the shared board.\n",
        _rows("k t", ("falcon", "Falcon"), ("heron", "Heron")),
    ),
    "one sentence about each host": fill(
        "facts/{k}.md", "{h} runs nginx on port {p}.\n", _rows("k h p", ("f1", "web-01", 8080), ("f2", "web-02", 8081))
    ),
    "jobs in lower case": fill(
        "jobs/{k}.md",
        "# the {k} job\n\nthe {k} job runs every night. it reads {r}. it may be started twice without harm.\n",
        _rows("k r", ("invoice", "the orders of the day"), ("stock", "the counters of the warehouses")),
    ),
}

DUPLICATES: Mapping[str, Family] = {
    "articles": {
        "a/retry.md": "The retry policy is three attempts with backoff.\n",
        "a/retries.md": "Our retry policy is three attempts with backoff.\n",
    },
    "inflection": {
        "ci/cache.md": "# CI cache\n\nThe build caches the dependencies for seven days. It restores them before each job.\n",
        "ci/caching.md": "# Caching in CI\n\nDependencies are cached by the build for seven days. They are restored before every job.\n",
    },
    "a copy": {
        "notes/vpn.md": "# VPN\n\nConnect with WireGuard to `vpn.corp.example`.\n",
        "notes/vpn-copy.md": "# VPN\n\nConnect with WireGuard to `vpn.corp.example`.\n",
    },
    "another folder": {
        "a/tls.md": "# TLS certificates\n\nCertificates renew themselves 30 days before they end.\n",
        "inbox/tls.md": "# TLS certificates\n\nCertificates renew themselves 30 days before they end.\n",
    },
    "contained": {
        "db/postgres.md": "# Postgres\n\nPostgres 16 runs on the host `oak`. Backups go to S3 at 01:30. Upgrades happen in January.\n",
        "db/backups.md": "# Database backups\n\nBackups of Postgres go to S3 at 01:30.\n",
    },
    "bullets and prose": {
        "rules/commits.md": "# Commit rules\n\n- Subject at most 72 characters\n- Imperative mood\n- One change per commit\n",
        "rules/messages.md": "# Commit messages\n\nThe subject has at most 72 characters. Use the imperative mood. There is one change per commit.\n",
    },
    "German, in another order": {
        "haus/heizung.md": "# Heizung\n\nDie Heizung wird im September gewartet. Der Vertrag liegt im Ordner Haus.\n",
        "haus/wartung.md": "# Wartung der Heizung\n\nIm September wird die Heizung gewartet. Im Ordner Haus liegt der Vertrag.\n",
    },
    "the same steps": {
        "r/restart-search.md": "# Restart search\n\n1. Drain the node with `drainctl search`.\n2. Restart `search.service`.\n",
        "r/search-restart.md": "# How to restart the search\n\n1. Drain the node with `drainctl search`.\n2. Restart `search.service`.\n",
    },
    "one thing by two names": {
        "infra/k8s.md": "# The k8s cluster\n\nThe k8s cluster runs in Frankfurt. Logs go to Loki. In May k8s (kubernetes) is upgraded.\n",
        "infra/kubernetes.md": "# The kubernetes cluster\n\nThe kubernetes cluster runs in Frankfurt. Logs go to Loki. In May kubernetes, also called k8s, is upgraded.\n",
    },
    "one page under a shorter and a longer name": {
        "ops/backup.md": "# Backup\n\nThe backup runs at night. It is written to the vault. Old copies go after 30 days. The vault is in Oslo.\n"
        "A restore needs two people. Ask the platform team for the key.\n",
        "ops/backup-runbook.md": "# Backup runbook\n\nThe backup runs every night. It is written to the vault. Copies go after 30 days. The vault is in Oslo.\n"
        "A restore needs two people. The platform team has the key.\n",
    },
    "a newer value": {
        "app/node.md": "# Node version\n\nThe frontend is built with Node 20. Use `nvm use` before you start.\n",
        "app/node-2.md": "# Node version\n\nThe frontend is built with Node 22. Use `nvm use` before you start.\n",
    },
}

#: Whether these are one subject, words alone do not tell: a model may merge them, the rules only propose it.
UNSURE: Mapping[str, Family] = {
    "synonyms in the title": {
        "x/deploys.md": "# Deploys\n\nDeploys go through the pipeline `ship.yml`. Deploys stop when the smoke test fails.\n",
        "x/releases.md": "# Releases\n\nEvery release runs through the pipeline `ship.yml`. A failing smoke test stops it.\n",
    },
    "equal bodies under other titles": {
        "tips/undo.md": "# Undo a commit\n\nUse `git reset --soft HEAD~1`; the changes stay staged and nothing is lost.\n",
        "notes/oops.md": "# Oops\n\nUse `git reset --soft HEAD~1`; the changes stay staged and nothing is lost.\n",
    },
    "an updated sentence": {
        "m/1.md": "The export is written by the nightly job.\n",
        "m/2.md": "The export is written by the hourly worker.\n",
    },
}
