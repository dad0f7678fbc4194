"""Hashes of texts: which are equal byte for byte, whatever the bytes are."""

import hashlib

from shared.core.text.duplicates import content_hash, fold_hash


def test_the_content_hash_is_sha256_of_the_bytes() -> None:
    assert content_hash("é\n") == hashlib.sha256("é\n".encode()).hexdigest()
    assert content_hash("half \ud800") != content_hash("half \ud801")


def test_two_texts_that_hold_settings_alone_are_no_duplicates() -> None:
    stub = "---\nalwaysApply: false\n---\n"
    assert fold_hash("rules/unit-test.md", stub) == ""
    assert fold_hash("rules/unit-test.md", f"{stub}Run them at night.\n") == fold_hash(
        "rules/widget-test.md", f"{stub}Run them at night.\n"
    )
    described = "---\nsummary: Tests of the crane run at night\n---\n"
    assert fold_hash("rules/unit-test.md", described) == fold_hash("rules/widget-test.md", described) != ""
