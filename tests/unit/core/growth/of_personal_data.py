"""Call what of the core finds personal data, each with one hostile text."""

from collections.abc import Callable, Mapping, Sequence

from shared.core.personal_data.checks import (
    is_card,
    is_international_phone,
    is_my_number,
    is_national_phone,
    is_persons_address,
    is_plain_ssn,
    is_us_phone,
)
from shared.core.personal_data.find import find_personal_data, mask_personal_data
from shared.core.personal_data.kinds import choose_kinds
from shared.core.personal_data.spans import Span, find_repeats, lowered, mask_spans, may_repeat, without_overlaps
from shared.core.policy.masked import find_masked, marks_in
from tests.unit.core.growth.dressed import Entry


def _spans_of(text: str) -> list[Span]:
    return [Span(at, at + 4, "x") for at in range(0, len(text), 2)]


ENTRIES: Mapping[Callable[..., object], Sequence[Entry]] = {
    find_personal_data: [find_personal_data, lambda text: find_personal_data(f"phone BSN CPF DNI {text}")],
    mask_personal_data: [mask_personal_data],
    lowered: [lowered],
    mask_spans: [lambda text: mask_spans(text, without_overlaps(_spans_of(text)))],
    without_overlaps: [lambda text: without_overlaps(_spans_of(text))],
    marks_in: [marks_in, lambda text: marks_in(f"[masked: {text}")],
    find_masked: [lambda text: find_masked(text, f"[masked: a] {text}"), lambda text: find_masked("a", text)],
    find_repeats: [
        lambda text: list(find_repeats(text, {text[:9]: "x"})),
        lambda text: list(find_repeats(f"{text} a1b2c3d4 " * 2, dict.fromkeys(text.split(), "x"))),
    ],
    may_repeat: [may_repeat],
    choose_kinds: [choose_kinds],
    is_card: [is_card],
    is_plain_ssn: [is_plain_ssn],
    is_my_number: [is_my_number],
    is_international_phone: [is_international_phone],
    is_us_phone: [is_us_phone],
    is_national_phone: [is_national_phone],
    is_persons_address: [is_persons_address],
}
