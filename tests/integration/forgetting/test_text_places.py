"""Every column that can hold a text is known: to forgetting, to its role in the database, and to docs/retention.md."""

import psycopg

from deploy.pages.retention import HELD, PAGE, render_page
from shared.adapters.postgres.tables.text_places import NO_TEXT, find_tenant_tables, find_text_places, why_no_text

_COLUMNS = """
    SELECT c.table_name::text, c.column_name::text FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
      AND c.data_type IN ('text', 'json', 'jsonb', 'ARRAY', 'character varying', 'xml')
      AND (c.table_name = 'tenants' OR EXISTS (SELECT 1 FROM information_schema.columns k
        WHERE k.table_schema = 'public' AND k.table_name = c.table_name AND k.column_name = 'tenant_id'))"""


def test_every_text_column_of_the_schema_is_searched_or_says_why_it_holds_no_text(
    owner_connection: psycopg.Connection,
) -> None:
    known = {(place.table, place.column) for table in find_tenant_tables() for place in find_text_places(table)}
    none = {
        (table.name, column.name) for table in find_tenant_tables() for column in table.columns if why_no_text(column)
    }
    assert set(owner_connection.execute(_COLUMNS).fetchall()) - none == known


def test_a_reason_for_no_text_names_a_column_that_there_is() -> None:
    names = {name for table in find_tenant_tables() for column in table.columns for name in (column.name, str(column))}
    assert set(NO_TEXT) <= names


def test_the_page_has_a_row_for_every_place_of_the_schema() -> None:
    assert PAGE.read_text("utf-8") == render_page(), "run: python -m deploy.pages.retention"
    assert set(HELD) == {place.table for table in find_tenant_tables() for place in find_text_places(table)}
