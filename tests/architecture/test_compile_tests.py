"""Tests are compiled once before they run: pytest uses the compiled files, and changed files are compiled again."""

from pathlib import Path

import pytest
from _pytest.assertion.rewrite import _read_pyc
from hypothesis.configuration import storage_directory

from tests.compile_tests import compile_all, compiled_name, find_constants


def test_pytest_takes_what_was_compiled_until_the_test_changes(tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    file.write_text("def test_it():\n    assert 1 == 1\n", encoding="utf-8")
    compile_all([file])
    found = _read_pyc(file, compiled_name(file))
    assert found is not None
    assert "@pytest_ar" in found.co_names, "with its assertions taken apart"
    file.write_text("def test_other():\n    assert 1 == 2\n", encoding="utf-8")
    assert _read_pyc(file, compiled_name(file)) is None
    compile_all([file])
    assert _read_pyc(file, compiled_name(file)) is not None


def test_a_module_that_tests_import_is_compiled_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "some_support.py").write_text("VALUE = 1\n", encoding="utf-8")
    compile_all([tmp_path / "some_support.py"])
    assert list((tmp_path / "__pycache__").glob("some_support.*.pyc"))


def test_hypothesis_finds_the_constants_of_the_product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "rule.py"
    file.write_text("LIMIT = 8191\n", encoding="utf-8")
    monkeypatch.setattr("hypothesis.configuration.__hypothesis_home_directory", tmp_path / "home")
    find_constants([file])
    (kept,) = storage_directory("constants").path.glob("[!.]*")
    assert "8191" in kept.read_text(encoding="utf-8")
