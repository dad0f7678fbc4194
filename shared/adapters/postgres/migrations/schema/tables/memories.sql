-- Stores and memories.
--
-- A reference to another row includes tenant_id, because PostgreSQL checks foreign keys without row-level security:
-- a key without it would let one tenant's row point into another tenant's store.

-- A memory store and the state of its dreams. next_check_at is null while there is no reason to check the store.
-- Each claim, verdict and write changes a row, and with it every index: there is none of the id alone.
CREATE TABLE stores (
    id text NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    profile text NOT NULL DEFAULT 'default',
    overrides jsonb NOT NULL DEFAULT '{}',
    autonomy text NOT NULL DEFAULT 'flag',
    llm jsonb NOT NULL DEFAULT '{}',  -- the model settings of its own, before the tenant's
    paused_at timestamptz,
    curations integer NOT NULL DEFAULT 0,
    sessions integer NOT NULL DEFAULT 0,
    pending_tasks integer NOT NULL DEFAULT 0,
    active_until timestamptz,
    last_activity_at timestamptz,
    last_dream_at timestamptz,
    last_dream_id text,
    total_dreams integer NOT NULL DEFAULT 0,
    next_check_at timestamptz,
    digest_check_at timestamptz,
    compaction_check_at timestamptz,
    last_check_at timestamptz,
    last_verdict jsonb,
    forgiven_at timestamptz,  -- failed dreams before it no longer count towards quarantine
    is_quarantined boolean NOT NULL DEFAULT false,
    -- Of the overrides, for those who may read no other.
    usd_per_day double precision GENERATED ALWAYS AS ((overrides ->> 'budget.usd_per_day')::float8) STORED,
    usd_per_month double precision GENERATED ALWAYS AS ((overrides ->> 'budget.usd_per_month')::float8) STORED,
    -- Of the overrides: what agents are shown, as the number of a rank; 0 hides nothing.
    least_rank smallint GENERATED ALWAYS AS (
        coalesce(array_position(ARRAY['pasted', 'tool', 'agent', 'user', 'owner'], overrides ->> 'recall.least_rank'), 0)
    ) STORED,
    title text NOT NULL DEFAULT '',
    description text NOT NULL DEFAULT '',
    labels jsonb NOT NULL DEFAULT '{}',
    described_at timestamptz,
    archived_at timestamptz,
    waiting_sessions integer NOT NULL DEFAULT 0,  -- left by a dream that read a part: the next one follows at once
    waiting_changes integer NOT NULL DEFAULT 0,  -- beyond the loss cap: they wake the store without activity
    arm text NOT NULL DEFAULT '',  -- what the store tries out with others of that name
    arm_set_at timestamptz,
    arm_before jsonb NOT NULL DEFAULT '{}',  -- profile, autonomy, overrides and llm, to send the store back to
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_stores_tenant_name UNIQUE (tenant_id, name)
);

-- The head of a memory: its current version, with the title and summary that surveys read.
CREATE TABLE memories (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL,
    path text NOT NULL,
    content text NOT NULL,
    content_hash text NOT NULL,
    title text NOT NULL,
    summary text NOT NULL,
    doc_type text NOT NULL,
    category text NOT NULL DEFAULT '',
    fold_hash text NOT NULL DEFAULT '',  -- equal for exact duplicates; empty for generated files
    size_chars integer NOT NULL,
    state text NOT NULL,
    version integer NOT NULL,
    author text NOT NULL,
    importance double precision NOT NULL,
    maturity text NOT NULL,
    tier text NOT NULL,
    access_count integer NOT NULL,
    reinforcement_count integer NOT NULL,
    pinned boolean NOT NULL,
    last_seen_at timestamptz,
    by_person boolean NOT NULL DEFAULT false,  -- a person wrote one of its versions
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    touched_at timestamptz NOT NULL,
    superseded_by text,
    writers jsonb NOT NULL DEFAULT '{}',  -- of its statements: by (rank, who, through, day, session, project), and marks
    trust smallint NOT NULL DEFAULT 3,  -- the rank of the least trusted of them
    -- The highest `recall.least_rank` by which agents are still shown it: live indexes name nothing that is hidden.
    shown_rank smallint GENERATED ALWAYS AS (
        CASE WHEN path = 'MEMORY.md' OR path = '_index.md' OR path LIKE '%/\_index.md'
        THEN CASE WHEN state = 'live' THEN 5 ELSE 0 END::smallint ELSE trust END
    ) STORED,
    stub text,
    is_dirty boolean NOT NULL,
    expires date,  -- the last day on which it holds, of its frontmatter
    imported_hash text NOT NULL DEFAULT '',  -- of the text that an import brought last
    -- The transaction that wrote the row last; a trigger sets it.
    written_by bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    CONSTRAINT uq_memories_tenant_id UNIQUE (tenant_id, id),
    CONSTRAINT fk_memories_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);

-- What a memory was after one write. Append-only for the application role; slowwave_redact_version empties a version.
CREATE TABLE memory_versions (
    memory_id text NOT NULL,
    version integer NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL,
    path text NOT NULL,
    content text NOT NULL,
    state text NOT NULL,
    author text NOT NULL,
    trust smallint NOT NULL DEFAULT 3,  -- the rank of the least trusted writer of its statements
    -- An earlier index may name what has been hidden since.
    shown_rank smallint GENERATED ALWAYS AS (
        CASE WHEN path = 'MEMORY.md' OR path = '_index.md' OR path LIKE '%/\_index.md' THEN 0::smallint ELSE trust END
    ) STORED,
    signals jsonb NOT NULL,
    change text NOT NULL,
    dream_id text,
    operation_id text,
    actor text NOT NULL DEFAULT '',
    redacted_at timestamptz,
    redacted_by text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (memory_id, version),
    CONSTRAINT fk_memory_versions_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);

-- What a live memory's text means, as a model of embeddings gives it: float32 numbers of length 1. Derived from the text, and
-- gone with it: a trigger deletes it when the memory is retired or says something else.
CREATE TABLE memory_vectors (
    tenant_id text NOT NULL REFERENCES tenants (id),
    memory_id text NOT NULL,
    store_id text NOT NULL,
    model text NOT NULL,
    content_hash text NOT NULL,
    vector bytea NOT NULL,
    -- The transaction that wrote the row last; a trigger sets it.
    written_by bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    PRIMARY KEY (tenant_id, memory_id),
    CONSTRAINT fk_memory_vectors_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id),
    CONSTRAINT fk_memory_vectors_memory_id
        FOREIGN KEY (tenant_id, memory_id) REFERENCES memories (tenant_id, id) ON DELETE CASCADE
);

-- Where the links of a memory's text may lead: a row for each path that a link may mean, the likeliest first, since what is
-- there may come later. Derived from path and text, and written with them; a memory that was retired keeps its rows.
CREATE TABLE memory_links (
    tenant_id text NOT NULL REFERENCES tenants (id),
    memory_id text NOT NULL,
    place smallint NOT NULL,  -- the link's number in the text
    rank smallint NOT NULL,  -- of what the link may mean
    store_id text NOT NULL,
    target text NOT NULL,  -- a path, or `/name.md` for that name in any folder
    PRIMARY KEY (tenant_id, memory_id, place, rank),
    CONSTRAINT fk_memory_links_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id),
    CONSTRAINT fk_memory_links_memory_id
        FOREIGN KEY (tenant_id, memory_id) REFERENCES memories (tenant_id, id) ON DELETE CASCADE
);

-- A merge that one dream suggests for the next dream's consolidate phase.
CREATE TABLE pending_merges (
    store_id text NOT NULL,
    source_path text NOT NULL,
    target_path text NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    reason text NOT NULL,
    suggested_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, source_path, target_path),
    CONSTRAINT fk_pending_merges_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);

-- What is left of a text that was forgotten: how many letters and digits it had, and a salted hash of them, so that no later
-- write brings it back.
CREATE TABLE tombstones (
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL,
    hash text NOT NULL,
    letters integer NOT NULL,
    salt text NOT NULL,  -- the same for all of a store's
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, store_id, hash),
    CONSTRAINT fk_tombstones_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);
