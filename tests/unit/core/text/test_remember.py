"""A function that remembers texts answers as before, and keeps many short texts, two long ones and no huge one."""

from shared.core.text.remember import LONG, SHORT, remember_last, remember_verdicts


def test_a_text_is_read_once_while_it_is_among_the_last_and_a_huge_one_each_time() -> None:
    read: list[str] = []

    @remember_last
    def size_of(*texts: str) -> int:
        """Tell the size."""
        read.append(texts[0][:2])
        return sum(map(len, texts))

    assert [size_of("ab", "c"), size_of("ab", "c"), size_of("c", "ab")] == [3, 3, 3]
    assert read == ["ab", "c"]
    long = [f"{number} {'x' * SHORT}" for number in range(3)]
    for text in (long[0], long[1], long[0], long[1], long[2], long[1], long[0]):
        assert size_of(text) == SHORT + 2
    assert read[2:] == ["0 ", "1 ", "2 ", "0 "]  # the third long text takes the place of the first
    huge = "h" * LONG
    assert [size_of(huge, "yz"), size_of(huge, "yz")] == [LONG + 2] * 2
    assert read[-2:] == ["hh", "hh"]
    assert (size_of.__name__, size_of.__doc__) == ("size_of", "Tell the size.")


def test_a_verdict_on_texts_is_remembered_however_long_they_are() -> None:
    compared: list[int] = []

    @remember_verdicts
    def is_longer(left: str, right: str) -> bool:
        compared.append(len(left))
        return len(left) > len(right)

    huge = "h" * LONG
    assert is_longer(huge, "x")
    assert is_longer(huge, "x")
    assert not is_longer("x", huge)
    assert not is_longer("x", huge)
    assert compared == [LONG, 1]
