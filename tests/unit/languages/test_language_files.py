"""The files of languages: each one that is shipped is whole, a wrong one is refused by its key, and a new one is all that a language needs."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shared.core.sessions.languages.language import make_language
from shared.languages.language_file import parse_language, read_heads, read_language
from tests.architecture.sources import ROOT, name_of, tracked

LATIN = r"""
rank = 10
words = 'est et non sed quod ad ut cum per hic semper'
corrections = []
facts = []
forgets = []
decisions = []
lasting = []
preferences = []

[reading]
negations = 'nequaquam haud'

[sentences]
lead = ['et', 'sed']
question = '<head>(?:quis|quid|ubi)\b'
request = '<head>(?:scribe|dele)\b'
moment = '\bnunc\b'
reported = '\bdixit\b'
idle = '\bnumquam\b'
trouble = '\bfrang\w*'
states = '\best\b'
narrates = '\bhodie\b'
opening = '^memento[:,]?\s*'
leans = '(?:id|ea)\b'
first_person = '\bego\b'

[parts]
verbs = ['memento', 'nota bene']

[[saves]]
name = "memento"
strength = 0.9
unless_trouble = true
pattern = '<head><verbs>\b'

[dates]
days = { heri = -1, cras = 1 }
loose = { hodie = 0 }
part = 'nocte|vespere'
numbers = 'uno duobus tribus'
units = ['die(?:bus)?', 'hebdomad\w+', 'mens\w+', 'ann\w+']
ago = ['ante <U> <N>']
ahead = ['post <U> <N>']
since = ['ex <D>']
starting = ['inde ab <D>']
through = 'usque'
last = 'praeterit\w+'
this = 'h[aou]c'
next = 'sequens'
spans = ['feriae', 'hebdomad\w+', 'mens\w+', 'ann\w+']
weekdays = ['luna', 'mars', 'mercurius', 'iuppiter', 'venus', 'saturnus', 'sol']
"""
_SAID = r"""
from datetime import date

from shared.core.dates.phrases import find_phrases
from shared.core.merging.opposites import reason_opposed
from shared.core.sessions.cues import find_cues
from shared.core.sessions.evidence import has_verb
from shared.core.sessions.languages import find_language
from shared.core.sessions.statements.leaning import leans

text = "Memento: portus ad septentriones est, et semper per portam magnam."
assert find_language(text).code == "la"
assert [(cue.kind, cue.rule) for cue in find_cues(text)] == [("save", "memento")]
assert find_cues("Hic portus est, sed non cum navibus.") == ()
assert has_verb("portus magnus est", "la")
assert leans("Id est portus, sed non cum navibus.") and not leans(text)
assert [one.date for one in find_phrases("Portus cras nocte clausus est.", date(2026, 3, 5))] == ["2026-03-06"]
assert find_language("we keep it in the repository").code == "en"
assert reason_opposed("Portus noctu clausus est.", "Portus noctu nequaquam clausus est.") is not None
"""


def test_a_language_is_added_by_its_file_alone(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "shared", tmp_path / "shared", ignore=ignored)
    (tmp_path / "shared/languages/la.toml").write_text(LATIN, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _SAID], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("code", read_heads())
def test_each_language_is_whole_and_its_patterns_compile(code: str) -> None:
    data = read_language(code)
    assert make_language(code, data).rules
    assert data.evidence is not None


def test_no_two_languages_have_one_rank() -> None:
    ranks = [head.rank for head in read_heads().values()]
    assert len(set(ranks)) == len(ranks)


def test_a_line_of_a_languages_file_fits_on_a_screen() -> None:
    files = [path for path in tracked(".toml") if name_of(path).startswith("shared/languages/")]
    assert len(files) >= len(read_heads()) > 0
    assert [name_of(path) for path in files if max(map(len, path.read_text(encoding="utf-8").splitlines())) > 160] == []


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("rank = 10", "", r"la\.toml: rank: "),
        ("rank = 10", "rank = 'ten'", r"la\.toml: rank: "),
        ("facts = []", "", r"la\.toml: facts: "),
        ("facts = []", "fact = []", r"la\.toml: facts: .*; fact: "),
        ("moment =", "momentum =", r"la\.toml: sentences\.moment: .*; sentences\.momentum: "),
        ("strength = 0.9", "strength = 9", r"la\.toml: saves\.1\.strength: "),
        ("strength = 0.9", "", r"la\.toml: saves\.1\.strength: "),
        (r"'\bnunc\b'", "7", r"la\.toml: sentences\.moment: "),
        (r"'\bnunc\b'", r"'\b(?:nunc'", r"la\.toml: sentences\.moment: missing \)"),
        (r"'<head><verbs>\b'", "'(memento'", r"la\.toml: saves: memento: missing \)"),
        (r"<verbs>\b", r"<verb>\b", r"la\.toml: saves: memento: there is no part <verb>"),
        (r"'\bnunc\b'", "'''nunc \n|hodie'''", r"la\.toml: sentences\.moment: .*a line ends with a blank"),
        ("[parts]", "[evidence]\nleads = ''\n[evidence.groups]\nmemo = 'nota'\n[parts]", r"la\.toml: evidence\.groups: .*'calendar' is missing"),
        ("negations =", "negation =", r"la\.toml: reading\.negation: "),
        ("cras = 1", "cras = 'one'", r"la\.toml: dates\.days\.cras: "),
        ("'sequens'", "'(sequens'", r"la\.toml: dates\.next: .*is no pattern: missing \)"),
        (", 'sol']", "]", r"la\.toml: dates\.weekdays: "),
        ("[parts]", "[part", r"la\.toml: .*at line \d+"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_its_name_and_the_key(old: str, new: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        make_language("la", parse_language("la", LATIN.replace(old, new)))


def test_a_pattern_may_stand_in_several_lines_or_as_a_list_of_alternatives() -> None:
    wrapped = "[\n  'nunc',\n  '''\n    hodie (?:nocte|\n    vespere)''',\n]"
    data = parse_language("la", LATIN.replace(r"'\bnunc\b'", wrapped))
    assert data.sentences.moment == "nunc|hodie (?:nocte|vespere)"
    assert data.parts == {"verbs": "(?:memento|nota bene)"}
