"""A function that remembers short texts answers as before, and keeps no long ones."""

from shared.core.text.remember import MAX_CHARS, remember_short


def test_a_short_text_is_read_once_and_a_long_one_each_time() -> None:
    read: list[str] = []

    @remember_short
    def size_of(*texts: str) -> int:
        """Tell the size."""
        read.extend(texts)
        return sum(map(len, texts))

    long = "x" * (MAX_CHARS - 1)
    assert [size_of("ab", "c"), size_of("ab", "c"), size_of("c", "ab")] == [3, 3, 3]
    assert [size_of(long, "yz"), size_of(long, "yz")] == [MAX_CHARS + 1] * 2
    assert read == ["ab", "c", "c", "ab", long, "yz", long, "yz"]
    assert (size_of.__name__, size_of.__doc__) == ("size_of", "Tell the size.")
