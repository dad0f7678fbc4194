#!/bin/sh
# Runs once, when PostgreSQL creates its data directory: creates slowwave's application role. Migrations grant its rights.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\getenv password APP_PASSWORD
CREATE ROLE slowwave_app LOGIN NOINHERIT PASSWORD :'password';
SQL
