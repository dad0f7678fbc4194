"""Words that turn a sentence's meaning around: negations, oppositions, alternatives, numbers that are spelled out."""

_NEGATIONS_TEXT = "no not never without none nobody nothing neither nor nowhere cannot"
#: Of the other languages that a tenant's `locale` names: German and Danish.
_NEGATIONS_ABROAD_TEXT = (
    "nicht nie niemals niemand nichts nirgends ohne weder kein keine keinen keinem keiner keines "
    "ikke aldrig ingen intet uden hverken"
)
_CONTRACTIONS_TEXT = "can't won't don't doesn't didn't isn't aren't wasn't"
#: Contractions are often typed without their apostrophe.
NEGATIONS = frozenset(f"{_NEGATIONS_TEXT} {_NEGATIONS_ABROAD_TEXT}".split()) | frozenset(
    _CONTRACTIONS_TEXT.replace("'", "").split()
)
_NUMBER_WORDS_TEXT = "zero two three four five six seven eight nine ten eleven twelve"
NUMBER_WORDS = dict(zip(_NUMBER_WORDS_TEXT.split(), ("0", *map(str, range(2, 13))), strict=True))
#: Each line holds the two sides of an opposition; a word form counts for its side.
_OPPOSITIONS_TEXT = """
always | never
before | after
on | off
true | false
yes | no
enable enabled enables enabling | disable disabled disables disabling
allow allowed allows permit permitted grant granted granting | deny denied denies denying forbid forbidden prohibit prohibited disallow disallowed
increase increased increases raise raised raises | decrease decreased decreases lower lowered lowers reduce reduced
add added adds | remove removed removes
accept accepted accepts | reject rejected rejects
include included includes including | exclude excluded excludes excluding
open opened opens opening | close closed closes closing
start started starts starting | stop stopped stops stopping
public | private
required mandatory must | optional
valid | invalid
safe | unsafe
supported | unsupported
indoors inside | outdoors outside
success succeeds succeeded | failure fails failed
minimum least min | maximum most max
more | less fewer
first | last
up | down
upgrade upgrades upgraded | downgrade downgrades downgraded
erlaubt | verboten
aktiviert aktivieren | deaktiviert deaktivieren
empty | full
sync synchronous | async asynchronous
"""
#: Where something runs, and when: one in place of another is another fact, however alike the sentences are.
_ALTERNATIVES_TEXT = """
production prod staging development dev testing qa sandbox preview local live
monday tuesday wednesday thursday friday saturday sunday
mondays tuesdays wednesdays thursdays fridays saturdays sundays
hourly daily nightly weekly monthly quarterly yearly annually
"""
ALTERNATIVES = tuple(frozenset(line.split()) for line in _ALTERNATIVES_TEXT.strip().splitlines())
SIDES: dict[str, list[tuple[int, int]]] = {}
for _number, _line in enumerate(_OPPOSITIONS_TEXT.strip().splitlines()):
    for _side, _words in enumerate(_line.split("|")):
        for _word in _words.split():
            SIDES.setdefault(_word, []).append((_number, _side))
