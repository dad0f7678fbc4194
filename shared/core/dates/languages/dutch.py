"""Dates of Dutch."""

from shared.core.dates.languages.grammar import Grammar

_NUMBERS = (
    "een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf", "twaalf", "dertien", "veertien",
    "vijftien", "zestien", "zeventien", "achttien", "negentien", "twintig",
)  # fmt: skip
_PART = r"(?:(?: |-)?(?:ochtend|morgen|middag|namiddag|avond|nacht|vroeg)\b)?"
_OLD = r"(?:(?:de )?(?:afgelopen|vorige?|voorbije|verleden))"
_NEW = r"(?:(?:de )?(?:volgende?|komende?|aanstaande))"

DUTCH = Grammar(
    code="nl",
    words="""de het een en of maar is zijn was waren wordt worden werd werden heeft hebben had hadden ben bent niet geen nog al ook
        wij we ik jij je hij zij ze er ons mij hem haar hun mijn jouw onze met van voor naar op aan uit bij tegen door over onder
        na sinds tot om zonder omdat dat als dan toen daar hier zeer meer moet moeten zal zullen kan kunnen wil willen mag gaat komt
        kwam staat gisteren eergisteren vandaag morgen overmorgen week weken dag dagen maand maanden jaar jaren geleden
        maandag dinsdag woensdag donderdag vrijdag zaterdag zondag vorige volgende komende afgelopen avond weer alle alles men
        nieuwe eind begin nu deze die dit wat wie waar hoe gezien heb gaan gisteravond vannacht vanavond vanochtend uur""",
    letters="",
    trigger=r"gister|vandaag|morgen|geleden|over\s|week|maand|jaar|dag|vannacht|vanavond|vanochtend|vanmiddag|kwartaal|weekend|terug|eind|begin",
    numbers=dict(zip(_NUMBERS, range(1, 21), strict=True)) | {"één": 1, "dertig": 30, "veertig": 40, "vijftig": 50},
    units={
        "(?:dag(?:en)?|nacht(?:en)?)": ("day", 1),
        "(?:weken|week)": ("week", 1),
        "maand(?:en)?": ("month", 1),
        "kwarta(?:al|len)": ("month", 3),
        "half jaar": ("month", 6),
        "(?:jaar|jaren)": ("year", 1),
    },
    spans={"weekend": "weekend", "week": "week", "maand": "month", "kwartaal": "quarter", "jaar": "year"},
    weekdays=("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"),
    months=(
        "januari",
        "februari",
        "maart",
        "april",
        "mei",
        "juni",
        "juli",
        "augustus",
        "september",
        "oktober",
        "november",
        "december",
    ),
    days={
        rf"eergisteren{_PART}": -2,
        rf"overmorgen{_PART}": 2,
        r"gister(?:en)?(?: |-)?(?:ochtend|morgen|middag|namiddag|avond|nacht)": -1,
        r"gisteren": -1,
        r"morgen(?: |-)?(?:ochtend|vroeg|middag|namiddag|avond|nacht)": 1,
        r"(?:vandaag|vanavond|vanochtend|vanmorgen|vanmiddag)": 0,
        r"morgen": 1,
        r"(?:afgelopen|vorige) nacht": -1,
    },
    past=(r"<N> <U> (?:geleden|terug)",),
    ahead=(r"over <N> <U>(?! (?:heen|verspreid))",),
    sides={rf"{_OLD} <S>": -1, rf"{_NEW} <S>": 1, r"(?:deze|dit|de lopende) <S>": 0, r"voorvorige? <S>": -2},
    last_day=(
        rf"(?:op )?(?:de )?(?:afgelopen|vorige|voorbije|verleden|jongstleden) <D>{_PART}",
        rf"<D>{_PART} (?:jl\.?|jongstleden)",
    ),
    coming_day=(
        rf"(?:op )?(?:deze |de )?(?:komende|aanstaande|eerstvolgende) <D>{_PART}",
        rf"<D>{_PART} (?:as\.|aanstaande|a\.s\.)",
    ),
    next_day=(rf"(?:op )?volgende <D>{_PART}",),
    this_day=(rf"deze <D>{_PART}",),
    on_day=(
        rf"(?:op|tot|sinds|vanaf|voor) <D>{_PART}",
        rf"<D>{_PART}(?= (?:om|komt|heeft|was|is|ging|gaat|werd|hebben)\b|,? \d)",
        rf"(?<!\belke )(?<!\biedere )(?<!\bde )(?<!\been )(?<!\ben )(?<!\bof )(?<!\bvan )(?<!\bdeze )<D>{_PART}(?! (?:en|of|tot)\b)",
    ),
    month_sides={rf"{_OLD} <M>": -1, rf"{_NEW} <M>": 1},
    in_month=(r"in <M>(?! \d)",),
    number_of=(
        r"(?:op )?(?:de )?<N>(?:e|ste|de) van (?:(?:de )?(?:vorige|afgelopen)|(?P<ahead>(?:de )?(?:volgende|komende))|(?P<now>deze)) <S>",
    ),
    day_of_month=(r"(?:op )?<N> <M>(?! \d)",),
    on_number=(r"op de <N>(?:e|ste|de)(?! (?:van|<M>|[a-z]))",),
    ordinals={"eerste": 1, "tweede": 2, "derde": 3, "vierde": 4, "laatste": -1},
    nth_day=(r"(?:op )?(?:de )?<O> <D> (?:van |in )<S>",),
    ends={
        r"(?:aan het )?eind(?:e)? (?:van )?de(?:ze)? week": ("week", 0, -1),
        r"(?:aan het )?eind(?:e)? (?:van )?(?:de )?volgende week": ("week", 1, -1),
        r"(?:aan het )?begin (?:van )?(?:de )?volgende week": ("week", 1, 0),
        r"(?:aan het )?eind(?:e)? (?:van )?de(?:ze)? maand": ("month", 0, -1),
        r"(?:aan het )?eind(?:e)? (?:van )?(?:de )?volgende maand": ("month", 1, -1),
        r"(?:aan het )?eind(?:e)? (?:van )?(?:de )?vorige maand": ("month", -1, -1),
        r"(?:aan het )?eind(?:e)? (?:van )?(?:het|dit) jaar": ("year", 0, -1),
        r"(?:aan het )?begin (?:van )?(?:de )?volgende maand": ("month", 1, 0),
        r"(?:aan het )?begin van (?:het|dit) jaar": ("year", 0, 0),
    },
    month_edges={r"eind(?:e)? (?:van )?<M>(?! \d)": -1, r"begin (?:van )?<M>(?! \d)": 0},
    weekend=(r"in het weekend", r"het weekend"),
    of_week=(r"(?:op )?<D>(?: van| in)? <S>", r"<S>,? (?:op )?<D>"),
    looks_back=r"\b(?:was|waren|had|hadden|werd|werden|ging|gingen|kwam|kwamen|gaf|viel|vielen|brak|liep|kreeg|stond|bleef|vond|zag|sprak|"
    r"schreef|nam|verloor|begon|trok|vloog|reed|riep|sloot|hielp|gooide|sloeg|lag|liet|\w{2,16}(?:eerden?|kten?|pten?|lden?|gden?|ften?))\b"
    r"|\b(?:heb|hebt|heeft|hebben|is|zijn|ben)\b[^.!?;\n]{0,120}\b\w{0,8}(?:ge\w{2,16}|(?:ver|be|her|ont)\w{2,14})(?:d|t|en)\b",
    looks_ahead=r"\b(?:zal|zullen|moet|moeten|kan|kunnen|wil|willen|gaat|gaan|gepland|tot|vanaf|komt|komen|herinnering|afspraak)\b",
    vague=r"(?:\b(?:ongeveer|circa|ca|zo'n|bijna|ruim|meer dan|minstens|hooguit|hoogstens|of|tot|om de|elke|iedere|binnen)\.?|[-\u2013/~])\s*$",
    torn=(
        r"(?:vandaag|morgen|\w{4,7}dag) over \w{2,12} (?:week|weken|dagen)",
        r"(?:in de|deze|iedere|elke|goede|goeie|'s) morgen",
        r"(?:van )?vandaag op morgen",
    ),
    loose=frozenset({8}),
    today=r"vandaag",
)
