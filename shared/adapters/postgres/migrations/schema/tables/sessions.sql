-- Sessions (transcripts as searchable events), feedback, workflow runs and skill uses.

-- One conversation. Events up to gathered_position have been read by a dream.
CREATE TABLE sessions (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL,
    external_id text NOT NULL,
    source text NOT NULL,
    title text NOT NULL DEFAULT '',
    started_at timestamptz,
    last_event_at timestamptz,
    event_count integer NOT NULL DEFAULT 0,
    masked_count integer NOT NULL DEFAULT 0,
    skipped_count integer NOT NULL DEFAULT 0,
    malformed_count integer NOT NULL DEFAULT 0,
    is_current boolean NOT NULL DEFAULT false,  -- the session of the running agent; never purged
    last_position integer NOT NULL DEFAULT 0,
    gathered_position integer NOT NULL DEFAULT 0,  -- cursor of the dreams
    detector_version integer NOT NULL DEFAULT 0,  -- 0: no detector has looked at an event yet
    searched_position integer NOT NULL DEFAULT 0,  -- the cues and terms of the events up to here are stored
    consumed_at timestamptz,
    details jsonb NOT NULL DEFAULT '{}',
    changed_at timestamptz,
    archived_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT uq_sessions_external_id UNIQUE (store_id, external_id),
    CONSTRAINT uq_sessions_tenant_id UNIQUE (tenant_id, id),
    CONSTRAINT fk_sessions_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);

-- One event of a session. There is no foreign key to tenants: the key to sessions includes the tenant, and events are
-- many.
CREATE TABLE session_events (
    session_id text NOT NULL,
    event_id text NOT NULL,
    tenant_id text NOT NULL,
    position integer NOT NULL,
    at timestamptz,
    kind text NOT NULL,
    role text NOT NULL,
    origin text NOT NULL DEFAULT 'person',  -- who wrote it: person, assistant, tool, machine, pasted
    text text NOT NULL,  -- without what programs put around a person's words
    as_sent text,  -- the text as it came; null where nothing was cut off
    size_chars integer NOT NULL,
    is_masked boolean NOT NULL DEFAULT false,
    details jsonb,  -- what an event of the API says beside its text; null for messages
    -- Only what people and agents said is searched: tool results are most of the bytes. 'simple' leaves names of any
    -- language as they are. Signs become spaces: PostgreSQL's parser tries each as the begin of a tag, an address or a
    -- path, and reads on to the end of the text for it, so that 51 kB of hf_hf_ took 19 s. Without signs its time grows
    -- with the length alone, and names are found by their parts. The cut bounds what one event costs; translate() would
    -- take longer for the signs than the parser for the words.
    words tsvector GENERATED ALWAYS AS (
        CASE WHEN kind IN ('user', 'log', 'assistant', 'continued', 'summary')
        THEN to_tsvector('simple'::regconfig, regexp_replace(left(text, 20000), '[!-/:-@[-`{-~]+', ' ', 'g')) END
    ) STORED,
    PRIMARY KEY (session_id, event_id),
    CONSTRAINT uq_session_events_position UNIQUE (session_id, position),
    CONSTRAINT fk_session_events_session_id
        FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id)
);

-- A sentence of an event that may be worth remembering, found by rules before a dream reads the event.
CREATE TABLE session_cues (
    session_id text NOT NULL,
    position integer NOT NULL,
    start_char integer NOT NULL,
    end_char integer NOT NULL,
    tenant_id text NOT NULL,
    kind text NOT NULL,
    rule text NOT NULL,
    strength double precision NOT NULL,
    detector_version integer NOT NULL,
    PRIMARY KEY (session_id, position, start_char),
    CONSTRAINT fk_session_cues_session_id
        FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id)
);

-- The terms of one spoken event; terms that several sessions share are a theme.
CREATE TABLE session_terms (
    session_id text NOT NULL,
    position integer NOT NULL,
    tenant_id text NOT NULL,
    terms text[] NOT NULL,
    detector_version integer NOT NULL,
    PRIMARY KEY (session_id, position),
    CONSTRAINT fk_session_terms_session_id
        FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id)
);

-- Feedback on an agent's work. "session" is the id that the source uses; that session need not be stored.
CREATE TABLE feedback (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL,
    external_id text NOT NULL,
    kind text NOT NULL,
    text text NOT NULL DEFAULT '',
    rating text NOT NULL DEFAULT '',
    subject text NOT NULL DEFAULT '',
    skill text NOT NULL DEFAULT '',
    session text NOT NULL DEFAULT '',
    rank smallint NOT NULL DEFAULT 3,  -- of its writer, as in memories.writers
    occurred_at timestamptz NOT NULL,
    consumed_by text,
    consumed_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT uq_feedback_external_id UNIQUE (store_id, external_id),
    CONSTRAINT fk_feedback_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);

-- One run of a workflow: the task, the steps taken, the outcome.
CREATE TABLE workflow_runs (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL,
    external_id text NOT NULL,
    description text NOT NULL,
    steps text[] NOT NULL,
    outcome text NOT NULL,
    classification text NOT NULL DEFAULT '',
    error text NOT NULL DEFAULT '',
    skills text[] NOT NULL,
    session text NOT NULL DEFAULT '',
    occurred_at timestamptz NOT NULL,
    consumed_by text,
    consumed_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT uq_workflow_runs_external_id UNIQUE (store_id, external_id),
    CONSTRAINT fk_workflow_runs_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);

-- One use of a skill in a session. Skills themselves are memories.
CREATE TABLE skill_uses (
    store_id text NOT NULL,
    skill text NOT NULL,
    session text NOT NULL,
    used_at timestamptz NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, skill, session, used_at),
    CONSTRAINT fk_skill_uses_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);

-- What an agent asked, what it was shown, and which of it it then read: a sample, by which dreams are measured.
CREATE TABLE search_log (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL,
    key_id text NOT NULL,
    asked_at timestamptz NOT NULL,
    week date NOT NULL,  -- the Monday of asked_at, in UTC
    surface text NOT NULL,
    query text NOT NULL,
    shown text[] NOT NULL,  -- ids of memories, best first
    read_ids text[] NOT NULL DEFAULT '{}',
    outcome text NOT NULL DEFAULT '',
    keep double precision NOT NULL DEFAULT random(),  -- of a week's rows, those with the highest go first
    CONSTRAINT fk_search_log_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);
