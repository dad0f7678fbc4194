-- Dreams and what they leave behind: phase runs, operations, model calls, answered questions.

-- One dream. The index uq_dreams_one_active allows one active dream per store.
CREATE TABLE dreams (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL,
    state text NOT NULL,
    trigger text NOT NULL,
    epoch integer NOT NULL DEFAULT 0,  -- fences workers: each claim raises it
    is_forced boolean NOT NULL,
    is_dry_run boolean NOT NULL,
    is_batched boolean NOT NULL DEFAULT false,  -- its questions go out in Message Batches, whatever the settings say
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz,
    started_at timestamptz,
    deadline_at timestamptz,
    lease_until timestamptz,
    finished_at timestamptz,
    rescue_count integer NOT NULL DEFAULT 0,
    cancel_requested_at timestamptz,
    model text NOT NULL,
    reason text NOT NULL,
    summary jsonb,
    before jsonb NOT NULL DEFAULT '{}',  -- values of the store that the dream reset, for undo
    has_failed boolean NOT NULL DEFAULT false,
    next_attempt_at timestamptz,  -- set while the dream is snoozed
    snoozed_at timestamptz,
    snooze_count integer NOT NULL DEFAULT 0,
    waits jsonb NOT NULL DEFAULT '[]',  -- [{begun, ended, why}]: when it slept, or had lost its worker
    live_memories integer,  -- the survey: topic memories when the dream began; null before it
    changed_topics integer,  -- and how many of them had changed since the last dream
    domains jsonb,  -- and how many of them its largest domains held
    CONSTRAINT uq_dreams_tenant_id UNIQUE (tenant_id, id),
    CONSTRAINT fk_dreams_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);

-- What a caller of the API asked for: the input store, the sessions and the behavior of one dream. There is no foreign
-- key to the input store: a copy stays when the store that it was made of is deleted.
CREATE TABLE dream_orders (
    dream_id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    input_store_id text NOT NULL,
    behavior text NOT NULL,
    instructions text,
    session_ids text[] NOT NULL,
    model text NOT NULL DEFAULT '',
    archived_at timestamptz,
    CONSTRAINT fk_dream_orders_dream_id
        FOREIGN KEY (tenant_id, dream_id) REFERENCES dreams (tenant_id, id) ON DELETE CASCADE
);

-- One phase of one dream. "runner" is the process that works on it until "runner_until".
CREATE TABLE phase_runs (
    dream_id text NOT NULL,
    phase text NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    state text NOT NULL,
    runner text NOT NULL,
    runner_until timestamptz,
    inputs json,  -- json, because jsonb would reorder the keys
    plan json,
    reason text NOT NULL,
    counts jsonb NOT NULL DEFAULT '{}',
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    PRIMARY KEY (dream_id, phase),
    CONSTRAINT fk_phase_runs_dream_id
        FOREIGN KEY (tenant_id, dream_id) REFERENCES dreams (tenant_id, id)
);

-- One reversible change: what was wanted (changes) and what it did (effects, with images before and after).
CREATE TABLE operations (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL,
    dream_id text NOT NULL,
    phase text NOT NULL,
    position integer NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    review text NOT NULL,
    reason text NOT NULL,
    confidence double precision,
    note text NOT NULL,
    changes jsonb NOT NULL,
    effects jsonb NOT NULL,
    undone jsonb NOT NULL DEFAULT '[]',  -- effects that an undo took back, each followed by what the undo did
    was_proposed boolean NOT NULL,  -- it was recorded as a proposal, whatever a person has decided since
    fingerprint text NOT NULL,  -- of the kind and the texts that it is about: a person's verdict holds for these
    created_at timestamptz NOT NULL DEFAULT now(),
    decided_at timestamptz,
    decided_by text NOT NULL,
    decided_why text NOT NULL DEFAULT '',  -- in the words of the person who rejected it
    assigned_to text NOT NULL DEFAULT '',  -- who is asked to decide it, as audit_log.actor names them
    comments jsonb NOT NULL DEFAULT '[]',  -- what people wrote about it: by, at, text
    CONSTRAINT uq_operations_position UNIQUE (dream_id, phase, position),
    CONSTRAINT fk_operations_dream_id
        FOREIGN KEY (tenant_id, dream_id) REFERENCES dreams (tenant_id, id),
    CONSTRAINT fk_operations_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);

-- One model call. The answer of a successful call is stored, so that a retry does not pay for it again. The prompt is for
-- people who ask later why the model said that; it holds texts of memories, and is emptied wherever the answer is.
CREATE TABLE llm_calls (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    dream_id text,
    paid_for text,  -- only if the dream is gone with its copy: the store that was evaluated
    phase text NOT NULL,
    key text NOT NULL,
    model text NOT NULL,
    outcome text NOT NULL,
    detail text NOT NULL,
    answer jsonb,
    prompt jsonb,
    input_tokens integer NOT NULL,
    output_tokens integer NOT NULL,
    cached_tokens integer NOT NULL,
    cache_write_tokens integer NOT NULL,
    cost_usd double precision NOT NULL,
    latency_ms integer NOT NULL,
    saved_usd double precision,  -- what an answer would have cost that an evaluation had bought; NULL if it was bought here
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT fk_llm_calls_paid_for
        FOREIGN KEY (tenant_id, paid_for) REFERENCES stores (tenant_id, id),
    CONSTRAINT fk_llm_calls_dream_id
        FOREIGN KEY (tenant_id, dream_id) REFERENCES dreams (tenant_id, id)
);

-- A question that goes out, or has gone out, in a Message Batch. "id" names it there. The row is deleted by the transaction
-- that stores its answer, or ends its dream before it was sent; what was sent and paid for stays until it is accounted for.
CREATE TABLE batch_calls (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    dream_id text NOT NULL,
    phase text NOT NULL,
    key text NOT NULL,
    model text NOT NULL,
    state text NOT NULL,  -- waiting, sending, sent, ended
    request json,  -- as the Messages API takes it, until it is sent
    result jsonb,  -- as the API gave it
    batch_id text NOT NULL DEFAULT '',
    reserved_usd double precision NOT NULL DEFAULT 0,  -- of the budgets in dollars, as long as this row is there
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz,
    CONSTRAINT uq_batch_calls_question UNIQUE (dream_id, phase, key),
    CONSTRAINT fk_batch_calls_dream_id
        FOREIGN KEY (tenant_id, dream_id) REFERENCES dreams (tenant_id, id) ON DELETE CASCADE
);

-- What a question that is asked at once may cost at most, under a budget in dollars. The row is deleted by the transaction that
-- stores the answer. One of an epoch that is over, or of a dream that has ended, counts no more: its process is gone. One without
-- a dream is of an evaluation: what its copy may spend, in the budgets of the store alone, or what a replay has spent and may spend.
-- It counts until it is given back or has expired.
CREATE TABLE cost_reservations (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL,
    dream_id text,
    epoch integer,
    usd double precision NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    CONSTRAINT ck_cost_reservations_owner CHECK ((dream_id IS NULL) = (expires_at IS NOT NULL)),
    CONSTRAINT fk_cost_reservations_dream_id
        FOREIGN KEY (tenant_id, dream_id) REFERENCES dreams (tenant_id, id) ON DELETE CASCADE
);

-- A budget in dollars of which four fifths are spent, or that is met, in one period: it is told once.
CREATE TABLE budget_alerts (
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL DEFAULT '',  -- empty for a budget of the tenant
    budget text NOT NULL,
    period date NOT NULL,  -- its first day (UTC)
    limit_usd double precision NOT NULL,  -- when a question was refused last, or when it was told
    refused_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, store_id, budget, period)
);

-- What dreams would do to a store, tried on copies of it. Its report and its work quote memories.
CREATE TABLE evaluations (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    store_id text NOT NULL,
    state text NOT NULL,
    request jsonb NOT NULL,
    terms text NOT NULL DEFAULT '',  -- a hash of what decides the verdict, stored before anything is measured
    progress text NOT NULL DEFAULT '',
    report jsonb,
    reason text NOT NULL DEFAULT '',
    work jsonb NOT NULL DEFAULT '{}',  -- its probes and what has been measured, until it ends
    cost_usd double precision NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    stepped_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CONSTRAINT uq_evaluations_tenant_id UNIQUE (tenant_id, id),
    CONSTRAINT fk_evaluations_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);

-- A person's own question about a store, with the quotes that answer it. All of a store are replaced together.
CREATE TABLE probes (
    store_id text NOT NULL,
    position integer NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    question text NOT NULL,
    evidence text[] NOT NULL,
    group_name text NOT NULL DEFAULT '',  -- questions of one group hang together; empty: this one stands alone
    added_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, position),
    CONSTRAINT fk_probes_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);

-- What a model answered a copy, for a day: a dream over the store takes it instead of buying it again. It is deleted with its
-- evaluation, and so wherever a text is taken out of the store.
CREATE TABLE evaluation_answers (
    store_id text NOT NULL,
    question_hash text NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    evaluation_id text NOT NULL,
    answer jsonb NOT NULL,
    cost_usd double precision NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, question_hash),
    CONSTRAINT fk_evaluation_answers_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id),
    CONSTRAINT fk_evaluation_answers_evaluation_id
        FOREIGN KEY (tenant_id, evaluation_id) REFERENCES evaluations (tenant_id, id) ON DELETE CASCADE
);

-- A question or settled cluster that a model has answered for a store, by fingerprint. It is deleted with its dream.
CREATE TABLE asked_questions (
    store_id text NOT NULL,
    phase text NOT NULL,
    fingerprint text NOT NULL,
    dream_id text NOT NULL,
    tenant_id text NOT NULL REFERENCES tenants (id),
    asked_at timestamptz NOT NULL,
    times_settled integer NOT NULL DEFAULT 0,
    reopens_at timestamptz,
    members text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (store_id, phase, fingerprint, dream_id),
    CONSTRAINT fk_asked_questions_dream_id
        FOREIGN KEY (tenant_id, dream_id) REFERENCES dreams (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_asked_questions_store_id
        FOREIGN KEY (tenant_id, store_id) REFERENCES stores (tenant_id, id)
);
