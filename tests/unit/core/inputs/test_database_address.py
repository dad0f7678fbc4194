"""The address of PostgreSQL in another form: the error shows how to write it, and no password."""

import pytest

from shared.core.inputs.database_address import find_fault


@pytest.mark.parametrize(
    ("url", "corrected"),
    [
        ("postgres://u:hunter2@db:5432/app", "postgresql+psycopg://u:…@db:5432/app"),
        ("postgresql://u:hun@ter2/@db/app?sslmode=require", "postgresql+psycopg://u:…@db/app?sslmode=require"),
        ("postgresql+asyncpg://db/app?password=hunter2&x=1", "postgresql+psycopg://db/app?password=…&x=1"),
        ("postgres:db/app", "postgresql+psycopg://db/app"),
    ],
)
def test_a_usual_address_is_told_in_the_form_that_works(url: str, corrected: str) -> None:
    fault = find_fault(url) or ""
    assert fault.endswith(f"write {corrected}")
    assert "ter2" not in fault


def test_an_address_of_another_database_is_refused_with_an_example_and_a_right_one_is_taken() -> None:
    fault = find_fault("mysql://u:hunter2@db/app") or ""
    assert "PostgreSQL address such as postgresql+psycopg://" in fault
    assert "hunter2" not in fault
    assert find_fault("postgresql+psycopg://u:hunter2@db/app") is None
