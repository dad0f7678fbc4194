"""Numbers up to ninety-nine in Chinese characters, as Chinese and Japanese write them."""

_DIGITS = {sign: number for number, sign in enumerate("一二三四五六七八九", 1)}
_TENS = {"十": 10, **{f"{sign}十": 10 * number for sign, number in _DIGITS.items() if number > 1}}
HAN_NUMBERS = {
    **_DIGITS,
    **_TENS,
    **{f"{ten}{sign}": tens + number for ten, tens in _TENS.items() for sign, number in _DIGITS.items()},
}
#: In front of a number: it is the rest of a greater one.
HAN_MORE = "〇零一二三四五六七八九十百千万两兩点0-9"
