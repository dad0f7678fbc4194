"""Dates of German."""

from shared.core.dates.languages.grammar import PLACE, Grammar

_ONES = dict(zip(("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"), range(1, 10), strict=True))
_TENS = dict(
    zip(
        ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"),
        range(20, 100, 10),
        strict=True,
    )
)
_TEENS = (
    "zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
)  # fmt: skip
#: "Morgen 7-15, Mittag 14-22": the first of three shifts, whose hours are blanked.
_IS_DAY = r"(?![ :]{1,2}(?:\x00|\d{1,2}\s?[\u2013-]))(?!(?:,| und| oder) (?:mittag|nachmittag|abend|nacht)s?\b)"
_PART = r"(?: (?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht)(?:s|\b))?"
_DAYS = r"(?:übermorgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
_OLD = r"(?:letzte|vergangene|vorige)[nrsm]?"
_NEW = r"(?:nächste|kommende)[nrsm]?"
_THIS = r"(?:diese[nrsm]?|(?:der|dem|das|die) laufenden?)"

#: Words that end as a past form does.
_NO_PAST = (
    r"(?:bitte|heute|letzte|beste|nächste|erste|zweite|dritte|vierte|fünfte|sechste|siebte|achte|sollte|möchte|könnte|müsste|dürfte|rote|gute|"
    r"alte|weite|breite|harte|echte|rechte|feste|bunte|späte|leichte|schlechte|nette|hinten|unten|guten|alten|weiten|roten|ersten|zweiten|dritten|letzten)"
)
_PARTICIPLE = r"(?:\w{0,8}ge(?!gen|nau|rn|ht|hen|ben)\w{2,16}(?:t|en)|\w{2,16}iert|(?:\w{2,5})?(?:ver|be|er|ent|zer)\w{2,14}(?:t|en))"
_GONE = (
    r"(?:\w{0,8}(?:gegangen|gekommen|gefahren|gefallen|geflogen|gestorben|gestürzt|gezogen|gewesen|geworden|gestiegen|gesunken|gelaufen|"
    r"gesprungen|geplatzt|gerissen|gewandert|gelandet)|passiert|eingetroffen|erschienen|verschwunden|explodiert|abgebrannt|geliefert)"
)

GERMAN = Grammar(
    code="de",
    words="""der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden wurde wurden
        hat haben habe hatte hatten bin bist nicht kein keine keinen noch schon nur auch wir ich du er sie es ihr uns mir mich dir
        dich ihm ihn ihnen euch mein meine dein unser unsere unserem mit von vom zu zum zur im am an auf aus bei beim für gegen
        durch über unter nach seit vor bis um ohne wegen dass wenn weil als wie was wer wo wann warum so dann da hier dort sehr
        mehr muss müssen soll sollen kann können will wollen darf gibt geht kommt kam steht fährt bitte danke uhr gestern vorgestern heute morgen
        übermorgen woche wochen tag tage tagen monat monats jahr jahren montag dienstag mittwoch donnerstag freitag samstag
        sonntag letzte letzten letzter nächste nächsten nächster kommenden kommende abend nachmittag wieder alle alles sich man neue neuen ins
        doch mal jetzt beide beim daran damit dazu ab sowie zwischen diese dieser diesen dieses""",
    letters="äöüß",
    trigger=r"gestern|gestrig|morgig|morgen|heute|vor\s|in\s|tag|woche|monat|jahr|stunde|wochenende|quartal|mittwoch|sonnabend|am\s|im\s|ende\s|anfang\s|seit\s|bis\s",
    numbers=_ONES
    | {"eine": 1, "einem": 1, "einer": 1, "einen": 1}
    | dict(zip(_TEENS, range(10, 20), strict=True))
    | _TENS
    | {f"{one}und{ten}": tens + number for ten, tens in _TENS.items() for one, number in _ONES.items()},
    units={
        "(?:tage?n?|nächten?|nacht)": ("day", 1),
        "wochen?": ("week", 1),
        "monate?n?": ("month", 1),
        "quartale?n?": ("month", 3),
        "halben jahr": ("month", 6),
        "jahre?n?": ("year", 1),
        "jahrzehnte?n?": ("year", 10),
    },
    spans={
        "wochenendes?": "weekend",
        "woche": "week",
        "monate?s?": "month",
        "quartals?": "quarter",
        "jahre?s?": "year",
    },
    weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "(?:samstag|sonnabend)", "sonntag"),
    months=(
        "j[aä]n(?:uar|ner)",
        "februar",
        "märz",
        "april",
        "mai",
        "juni",
        "juli",
        "august",
        "september",
        "oktober",
        "november",
        "dezember",
    ),
    days={
        rf"vorvorgestern{_PART}": -3,
        r"überübermorgen": 3,
        rf"vorgestern{_PART}": -2,
        rf"übermorgen{_PART}": 2,
        r"gestrige[nrsm]?": -1,
        r"morgige[nrsm]?": 1,
        rf"gestern{_PART}": -1,
        r"(?:letzte|vergangene|vorige) nacht": -1,
        rf"morgen(?: (?:früh|vormittag|mittag|nachmittag|abend|nacht)(?:s|\b))?{_IS_DAY}": 1,
        rf"heute{_PART}(?! in \w{{2,12}} (?:tag|woche))": 0,
    },
    past=(r"vor (?:genau |exakt )?<N> <U>", r"<N> <U> (?:zurück|her)(?=\W)"),
    ahead=(r"(?:in|heute in) <N> <U>(?! (?:alt|lang|zwischen|fertig))",),
    sides={
        rf"{_OLD} <S>": -1,
        rf"{_NEW} <S>": 1,
        rf"{_THIS} <S>": 0,
        r"vorletzte[nrsm]? <S>": -2,
        r"übernächste[nrsm]? <S>": 2,
    },
    last_day=(rf"(?:am )?{_OLD} <D>{_PART}",),
    coming_day=(rf"(?:am )?(?:diesen |diesem )?kommende[nrsm]? <D>{_PART}",),
    next_day=(rf"(?:am )?nächste[nrsm]? <D>{_PART}",),
    this_day=(rf"(?:an )?diese[nm] <D>{_PART}",),
    on_day=(
        rf"(?:am|bis|seit|ab|vom|zum)(?: zum)? <D>{_PART}(?! de[rs]\b)",
        rf"<D>{_PART}(?= (?:um|gegen|ab|kommt|hat|war|ist|ging|geht|wird|fiel|haben)\b|,? \d)",
        rf"(?<!\bjeden )(?<!\bjeder )(?<!\bder )(?<!\bden )(?<!\bdem )(?<!\bein )(?<!\beinem )(?<!\beinen )(?<!\bkein )(?<!\bund )(?<!\boder )(?<!\bvon )(?<!\bdiesem )(?<!\bdes )(?<!heißt )(?<!\bersten )(?<!\bzweiten )(?<!\bdritten )(?<!\bvierten )(?<!\bletzten )<D>{_PART}(?! (?:und|oder|bis)\b)",
    ),
    month_sides={rf"(?:im )?{_OLD} <M>": -1, rf"(?:im )?{_NEW} <M>": 1, r"(?:im )?diesen <M>": 0},
    in_month=(r"im <M>(?! \d)",),
    number_of=(rf"am <N>\. (?:des )?(?:{_OLD}|(?P<ahead>{_NEW})|(?P<now>dieses|laufenden)) <S>",),
    day_of_month=(r"(?:(?:am|bis|seit|ab|vom|zum) )?<N>\. <M>(?!\.? \d)",),
    on_number=(r"am <N>\.(?! ?(?:\d|<M>|(?-i:[A-ZÄÖÜ])))",),
    ordinals={"ersten": 1, "zweiten": 2, "dritten": 3, "vierten": 4, "letzten": -1},
    nth_day=(r"(?:am |den )?<O> <D> (?:im |des |in )?<S>",),
    ends={
        r"ende (?:der|dieser) woche": ("week", 0, -1),
        r"ende (?:der )?nächste[rn] woche": ("week", 1, -1),
        r"anfang (?:der )?nächste[rn] woche": ("week", 1, 0),
        r"(?:ende|zum ende) (?:des|dieses) monats": ("month", 0, -1),
        r"(?:zum )?monatsende": ("month", 0, -1),
        r"ende (?:des|dieses) jahres": ("year", 0, -1),
        r"(?:zum )?jahresende": ("year", 0, -1),
        r"(?:ende|zum ende) (?:des )?nächsten monats": ("month", 1, -1),
        r"ende (?:des )?(?:letzten|vergangenen) monats": ("month", -1, -1),
        r"anfang (?:des )?nächsten monats": ("month", 1, 0),
        r"anfang (?:des|dieses) monats": ("month", 0, 0),
        r"anfang (?:des )?nächsten jahres": ("year", 1, 0),
        r"anfang (?:des|dieses) jahres": ("year", 0, 0),
        r"ende (?:des )?(?:letzten|vergangenen) jahres": ("year", -1, -1),
        r"ende (?:des )?nächsten jahres": ("year", 1, -1),
    },
    month_edges={r"ende <M>(?! \d)": -1, r"anfang <M>(?! \d)": 0},
    weekend=(r"am wochenende",),
    of_week=(r"(?:am )?<D>,? (?:in |in der |der )?<S>", r"<S>,? (?:am )?<D>"),
    looks_back=r"\b(?:war|waren|hatten?|wurden?|ging|gingen|kam|kamen|gab|fiel|fielen|brach|lief|liefen|bekam|stand|blieb|fand|traf|trafen|"
    r"sah|sprach|schrieb|nahm|verlor|begann|zog|flog|fuhr|rief|hieß|schloss|half|trat|warf|stieg|sank|stieß|schlug|wuchs|lag|ließ|verschob|"
    rf"(?!{_NO_PAST})(?-i:[a-zäöü])\w{{2,18}}(?:te|ten))\b"
    rf"|\b(?:hab|habe|hast|hat|haben|habt|worden|gewesen)\b[^.!?;\n]{{0,120}}\b(?:{_PARTICIPLE}|lassen|müssen|können|dürfen)\b|\b{_PARTICIPLE} (?:hat|habe|haben)\b"
    rf"|\b(?:bin|ist|sind)\b[^.!?;\n]{{0,120}}\b{_GONE}\b|{PLACE}[^{PLACE}]{{0,160}}\b(?:{_GONE}|{_PARTICIPLE})\W*$|\bworden\b",
    looks_ahead=r"\b(?:wird|werd|werden|werde|muss|müssen|soll|sollen|kann|können|will|wollen|fällig|geplant|bis|ab|steht an|termin|erinnerung|kommt|kommen)\b(?! sein)",
    vague=r"(?:\b(?:etwa|ca|circa|ungefähr|rund|knapp|gut|fast|über|mehr als|mindestens|höchstens|bis|oder|alle|je|jeweils|innerhalb von|erst)\.?|[-\u2013/~])\s*$",
    torn=(
        rf"(?:{_DAYS}|gestern|morgen) (?:in|vor) \w{{2,20}} (?:tag|woche|monat|jahr)e?n?",
        r"(?:von )?(?:heute auf morgen|gestern auf heute)",
        r"(?:am|guten|jeden|diesen|der|den|dem|eines|zum|frühen|nächsten|schönen) morgen",
        r"vor \w{2,12} (?:bis|oder) \w{2,12} \w{2,12}",
    ),
    loose=frozenset({8}),
    today=r"heute",
)
