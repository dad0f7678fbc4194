-- Webhook endpoints, and the outbox of deliveries.

-- A URL that a tenant wants to be called at. Its signing secrets are stored sealed.
CREATE TABLE webhook_endpoints (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    url text NOT NULL,
    description text NOT NULL DEFAULT '',
    events text[] NOT NULL,
    sealed text NOT NULL,
    previous_sealed text,
    previous_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    disabled_at timestamptz,
    disabled_reason text NOT NULL DEFAULT '',
    deleted_at timestamptz,  -- kept for the deliveries that refer to it
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    delivered_at timestamptz,
    digest_at timestamptz,  -- when the next weekly digest is due
    CONSTRAINT uq_webhook_endpoints_tenant_id UNIQUE (tenant_id, id)
);

-- One message to one endpoint. "claims" counts how often it was handed to a sender; "begun" is the last claim used.
CREATE TABLE webhook_deliveries (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    endpoint_id text NOT NULL,
    message_id text NOT NULL,
    event text NOT NULL,
    dream_id text NOT NULL DEFAULT '',
    body text NOT NULL,
    state text NOT NULL DEFAULT 'pending',
    attempts integer NOT NULL DEFAULT 0,
    claims integer NOT NULL DEFAULT 0,
    begun integer NOT NULL DEFAULT 0,
    tries jsonb NOT NULL DEFAULT '[]',
    error text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    next_attempt_at timestamptz DEFAULT now(),
    lease_until timestamptz,
    ended_at timestamptz,
    CONSTRAINT uq_webhook_deliveries_message UNIQUE (endpoint_id, message_id),
    CONSTRAINT fk_webhook_deliveries_endpoint_id
        FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoints (tenant_id, id)
);
