-- Tenants, their API keys and directives, the audit logs, and the one row of the installation.

-- A customer.
CREATE TABLE tenants (
    id text PRIMARY KEY,
    weight integer NOT NULL DEFAULT 1,  -- a tenant of weight 2 has two turns where others have one
    max_concurrent_dreams integer NOT NULL DEFAULT 1,
    tokens_per_day integer,
    usd_per_day double precision,
    usd_per_month double precision,
    paused_at timestamptz,
    defer_percent integer NOT NULL DEFAULT 0,  -- this share of due checks waits, by order of an operator
    llm jsonb NOT NULL DEFAULT '{}',
    time_zone text NOT NULL DEFAULT 'UTC',
    quiet_hours text NOT NULL DEFAULT '',
    locale text NOT NULL DEFAULT 'en',
    model_calls_per_minute integer,
    model_calls_at_once integer,
    retention jsonb NOT NULL DEFAULT '{}',
    purged_at timestamptz NOT NULL DEFAULT now(),  -- last run of the retention sweep
    created_at timestamptz NOT NULL DEFAULT now()
);

-- An API key. Only the hash of its secret is stored.
CREATE TABLE api_keys (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    role text NOT NULL,
    secret_hash text NOT NULL,
    previous_hash text,
    previous_until timestamptz,
    rate_per_minute integer,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz
);

-- A request with an idempotency key, and its answer once there is one. Requests of different API keys never collide.
CREATE TABLE api_requests (
    tenant_id text NOT NULL REFERENCES tenants (id),
    key_id text NOT NULL,
    request_key text NOT NULL,
    request_hash text NOT NULL,
    status integer,
    body text,
    held_until timestamptz,  -- the first request still works on its answer
    expires_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, key_id, request_key)
);

-- The filters of a list of the console that a person keeps under a name.
CREATE TABLE saved_filters (
    tenant_id text NOT NULL REFERENCES tenants (id),
    owner text NOT NULL,  -- the person or key, as audit_log.actor names them
    list_name text NOT NULL,
    name text NOT NULL,
    query text NOT NULL,  -- of the list's address
    PRIMARY KEY (tenant_id, owner, list_name, name)
);

-- One version of a tenant's own prompt. A version without content resets the prompt to the built-in one.
CREATE TABLE directives (
    tenant_id text NOT NULL REFERENCES tenants (id),
    store text NOT NULL DEFAULT '',  -- the name of the store that it is for; empty: all of the tenant's
    name text NOT NULL,
    version integer NOT NULL,
    content text,
    actor text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, store, name, version)
);

-- Who did what in a tenant: undo, review, pause, settings. Append-only.
CREATE TABLE audit_log (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    actor text NOT NULL,
    action text NOT NULL,
    detail jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now()
);

-- Switches of the whole installation. The table holds exactly one row.
CREATE TABLE installation (
    id integer PRIMARY KEY,
    paused_at timestamptz,
    defer_percent integer NOT NULL DEFAULT 0,
    last_sweep_at timestamptz,
    sweeps jsonb NOT NULL DEFAULT '{}',  -- by the name of a sweep, its last pass: when, how long, rows, the last error
    CONSTRAINT ck_installation_one_row CHECK (id = 1)
);

INSERT INTO installation (id) VALUES (1);

-- What operators did to the whole installation. Append-only. Without a foreign key to tenants, so that the record of
-- a deletion outlives the tenant.
CREATE TABLE installation_log (
    id text PRIMARY KEY,
    actor text NOT NULL,
    action text NOT NULL,
    detail jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now()
);

-- The exams of models at the installation's own endpoint, which tenants share. Append-only: the newest one that holds counts.
CREATE TABLE installation_exams (
    id text PRIMARY KEY,
    owner text NOT NULL,  -- whose endpoint it is: installation, tenant:ID or tenant:ID/STORE
    server text NOT NULL,  -- the adapter and its address, without a password
    model text NOT NULL,
    fingerprint text NOT NULL,  -- of the prompts and the exam; empty: a person set the result, for all prompts
    passed boolean NOT NULL,
    reason text NOT NULL,
    grade jsonb NOT NULL DEFAULT '{}',
    set_by text NOT NULL DEFAULT '',  -- the person who set it; empty: an exam
    tokens integer NOT NULL DEFAULT 0,
    cost_usd double precision NOT NULL DEFAULT 0,
    taken_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz
);

-- The exams of models at a tenant's own endpoint. Append-only.
CREATE TABLE exams (
    tenant_id text NOT NULL REFERENCES tenants (id),
    LIKE installation_exams INCLUDING ALL
);
