"""Hashes of texts: which are equal byte for byte, whatever the bytes are."""

import hashlib

from shared.core.text.duplicates import content_hash


def test_the_content_hash_is_sha256_of_the_bytes() -> None:
    assert content_hash("é\n") == hashlib.sha256("é\n".encode()).hexdigest()
    assert content_hash("half \ud800") != content_hash("half \ud801")
