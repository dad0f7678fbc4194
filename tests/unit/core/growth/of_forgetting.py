"""Call what of the core finds and takes out what is to be forgotten, each with one hostile text."""

from collections.abc import Callable, Mapping, Sequence

from shared.core.forgetting.asked import find_named, find_wishes
from shared.core.forgetting.json_values import change_strings, replace_in_json, strings_of_json
from shared.core.forgetting.live_text import take_out
from shared.core.forgetting.places import Treatment, plan_row
from shared.core.forgetting.told import find_gone, find_supporting, phrases_of, said_in, sentences_of
from shared.core.forgetting.words import (
    MARK,
    Buried,
    Phrases,
    anchor_of,
    bury,
    derive_key,
    digest_of,
    find_where,
    letters_of,
    replace_in,
    seal,
)
from shared.core.memory.provenance import Source
from tests.unit.core.growth.dressed import Entry, as_field, in_block

_PHRASES = Phrases(["The code of the door is 4711", "0170 1234567", "a"])
_BURIED = Buried("salt", [one for one in (bury("salt", "the code of the door"), bury("salt", "abc")) if one], [b"key"])
_SOURCE = Source(session_id="s", event_id="e", day="2026-03-04", quote="The code of the door is 4711.")

ENTRIES: Mapping[Callable[..., object], Sequence[Entry]] = {
    letters_of: [letters_of],
    find_where: [lambda text: find_where(text, [3, 12], lambda letters: letters == "abc")],
    Phrases: [
        lambda text: Phrases([text]),
        _PHRASES,
        lambda text: _PHRASES(f"{text}\u2026"),
        lambda text: _PHRASES("..." + text),
    ],
    Buried: [_BURIED],
    replace_in: [
        lambda text: replace_in(text, _PHRASES),
        lambda text: replace_in(f"0170 1234567 {text} 0170 1234567", _PHRASES),
    ],
    bury: [lambda text: bury("salt", text)],
    digest_of: [lambda text: digest_of("salt", text)],
    derive_key: [derive_key],
    seal: [lambda text: seal(b"key", text)],
    anchor_of: [anchor_of],
    take_out: [
        lambda text: take_out(f"0170 1234567. {text} 0170 1234567.", _PHRASES),
        lambda text: take_out(f"# A\n\n- 0170 1234567\n{text}\n0170 1234567\n", _PHRASES),
        lambda text: take_out(as_field(f"{text[:30_000]} 0170 1234567"), _PHRASES),
        lambda text: take_out(in_block(text) + "0170 1234567", _PHRASES),
    ],
    replace_in_json: [lambda text: replace_in_json({"a": [text, {text: "0170 1234567"}]}, _PHRASES)],
    change_strings: [lambda text: change_strings({"a": [text, {text: text}]}, str.upper)],
    strings_of_json: [lambda text: list(strings_of_json([text, {text: text}]))],
    plan_row: [lambda text: plan_row("operations", {"reason": text}, {"reason": Treatment.REPLACED}, _PHRASES, MARK)],
    sentences_of: [sentences_of],
    phrases_of: [phrases_of, lambda text: phrases_of(as_field(text))],
    find_gone: [lambda text: find_gone(text, "# A\n"), lambda text: find_gone(f"{text}\nThe end of it.", text)],
    find_supporting: [lambda text: find_supporting(as_field(text), [text, "The code of the door is 4711."])],
    find_wishes: [find_wishes, lambda text: find_wishes(f"Please forget my {text}")],
    find_named: [
        lambda text: find_named("phone number and address", text),
        lambda text: find_named(text[:60], f"# A\n\n{text}"),
    ],
    said_in: [lambda text: said_in(text, [_SOURCE]), lambda text: said_in(as_field(text), [_SOURCE])],
}
