"""Dates of Italian."""

from shared.core.dates.languages.grammar import Grammar

_NUMBERS = (
    "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci", "undici", "dodici", "tredici",
    "quattordici", "quindici", "sedici", "diciassette", "diciotto", "diciannove", "venti",
)  # fmt: skip
_PART = r"(?: (?:mattina|mattino|pomeriggio|sera|notte|a mezzogiorno|presto|in mattinata|in serata|al mattino|nel pomeriggio)\b)?"

ITALIAN = Grammar(
    code="it",
    words="""il lo la i gli le l un uno una di del della dello dei delle degli dell d e ed o ma è sono era erano sarà saranno ha hanno ho
        abbiamo aveva stato stata stati non né che chi quando come dove per con senza su sul sulla in nel nella nei a al alla ai
        alle da dal dalla tra fra si mi ti ci vi suo sua mio mia nostro nostra questo questa questi queste quello io lui lei noi
        loro molto più già anche ancora tutto tutti tutte ogni può deve fa fatto va ieri oggi domani dopodomani altroieri scorso
        scorsa prossimo prossima settimana settimane giorno giorni mese mesi anno anni lunedì martedì mercoledì giovedì venerdì
        sabato domenica sera mattina viene stasera stamattina nuovo nuova ore fine entro sono perché abbiamo arriva parte""",
    letters="èòùì",
    trigger=r"ieri|oggi|domani|fa\b|tra\s|fra\s|settimana|mes[ei]\b|ann[oi]\b|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|stasera|stamattina|stanotte|stamani|trimestre|il \d|weekend|a \w{4,9}\b|entro|or sono|fine\s|inizio",
    numbers=dict(zip(_NUMBERS, range(1, 21), strict=True))
    | {
        "un": 1,
        "una": 1,
        "un paio di": 2,
        "ventiquattro": 24,
        "trenta": 30,
        "quaranta": 40,
        "quarantotto": 48,
        "cinquanta": 50,
        "sessanta": 60,
    },
    units={
        "(?:giorn[oi]|notti|notte)": ("day", 1),
        "settiman[ae]": ("week", 1),
        "mes[ei]": ("month", 1),
        "trimestr[ei]": ("month", 3),
        "ann[oi]": ("year", 1),
    },
    spans={
        "(?:fine settimana|weekend)": "weekend",
        "settimana": "week",
        "mese": "month",
        "trimestre": "quarter",
        "anno": "year",
    },
    weekdays=("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
    months=(
        "gennaio",
        "febbraio",
        "marzo",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "agosto",
        "settembre",
        "ottobre",
        "novembre",
        "dicembre",
    ),
    days={
        rf"(?:l['\u2019]altro ?ieri|altro ?ieri|ieri l['\u2019]altro|avantieri|avant['\u2019]ieri){_PART}": -2,
        r"oggi a otto": 7,
        r"domani a otto": 8,
        rf"dopodomani{_PART}": 2,
        rf"ieri{_PART}": -1,
        rf"domani{_PART}(?! è un altro giorno)": 1,
        rf"(?:oggi{_PART}|stasera|stamattina|stamani|stamane|stanotte|questa (?:mattina|sera)|questo pomeriggio)": 0,
        r"(?:la )?(?:notte scorsa|scorsa notte)": -1,
    },
    past=(r"<N> <U> (?:fa|or sono|addietro)",),
    ahead=(r"(?:tra|fra) <N> <U>",),
    sides={
        r"(?:la |il |l['\u2019])?<S> (?:scors[oa]|passat[oa])": -1,
        r"(?:la |lo |l['\u2019]|nell['\u2019]|nella )?(?:scors[oa]|passat[oa]|ultim[oa]) <S>": -1,
        r"(?:la |il |l['\u2019])?<S> (?:prossim[oa]|che viene|entrante)": 1,
        r"(?:la |il |nel |nella )?prossim[oa] <S>": 1,
        r"quest['\u2019oa] ?<S>": 0,
    },
    last_day=(rf"(?:lo |la )?scors[oa] <D>{_PART}", rf"(?:il |la )?<D> (?:scors[oa]|passat[oa]){_PART}"),
    week_on={r"<D> a otto": 1},
    coming_day=(rf"(?:il |la )?<D> che viene{_PART}", rf"quest[oa] <D>{_PART}"),
    next_day=(rf"(?:il |la )?prossim[oa] <D>{_PART}", rf"(?:il |la )?<D> prossim[oa]{_PART}"),
    on_day=(
        rf"(?<!\bil )(?<!\bla )(?<!\bogni )(?<!\bdi )(?<!\bal )(?<!\bdel )(?<!\bdal )(?<!\bda )(?:entro )?<D>{_PART}(?! (?:\d|a otto|o |e ))",
    ),
    month_sides={r"(?:a |lo )?(?:scorso <M>|<M> scorso)": -1, r"(?:a |il )?(?:prossimo <M>|<M> prossimo)": 1},
    in_month=(r"(?:a|in) <M>(?! (?:del )?\d)",),
    number_of=(
        r"il <N> (?:(?:del|dello) (?:<S> scorso|scorso <S>)|(?P<ahead>del (?:<S> prossimo|prossimo <S>))|(?P<now>di questo <S>))",
    ),
    day_of_month=(r"(?:il |l['\u2019])?<N> <M>(?! \d)",),
    on_number=(r"il <N>(?=\s?(?:[.,;!?)\n]|$|(?:abbiamo|e|alle|ho|si) ))",),
    ordinals={"primo": 1, "prima": 1, "secondo": 2, "terzo": 3, "quarto": 4, "ultimo": -1, "ultima": -1},
    nth_day=(r"(?:il |la |l['\u2019])?<O> <D> (?:del |di )<S>",),
    ends={
        r"(?:entro |a )(?:la )?fine (?:della )?settimana": ("week", 0, -1),
        r"(?:all['\u2019]|a )?inizio (?:della )?(?:prossima settimana|settimana prossima)": ("week", 1, 0),
        r"(?:a |entro )?(?:fine mese|la fine del mese)": ("month", 0, -1),
        r"alla fine (?:del|di questo) mese": ("month", 0, -1),
        r"(?:alla )?fine del (?:prossimo mese|mese prossimo)": ("month", 1, -1),
        r"(?:alla )?fine del (?:mese scorso)": ("month", -1, -1),
        r"(?:a |entro )?(?:fine anno|la fine dell['\u2019]anno)": ("year", 0, -1),
        r"(?:a )?inizio (?:del )?mese": ("month", 0, 0),
        r"all['\u2019]inizio (?:del|di questo) mese": ("month", 0, 0),
        r"(?:all['\u2019])?inizio (?:del )?(?:prossimo mese|mese prossimo)": ("month", 1, 0),
        r"(?:all['\u2019])?inizio (?:di quest['\u2019]|dell['\u2019])?anno": ("year", 0, 0),
    },
    month_edges={r"(?:a )?fine <M>(?! \d)": -1, r"(?:a )?inizio <M>(?! \d)": 0},
    weekend=(r"(?:nel|il|questo) (?:fine settimana|weekend)(?! (?:scorso|prossimo))",),
    of_week=(r"(?:il |la )?<D> della <S>", r"<S>,? <D>"),
    looks_back=r"\b(?:era|erano|ha|hanno|ho|hai|abbiamo|avete|aveva|avevano|è (?:\w{1,12} )?\w{2,14}(?:at|it|ut|ert|st|rs|tt|rt)[oa]|sono \w{2,14}(?:at|it|ut|ert)[ie]|si è|stat[oa]|fu|\w{2,14}(?:ò|arono|irono|ava|avano|iva|ivano))\b",
    looks_ahead=r"\b(?:sarà|saranno|deve|devono|va|vanno|può|previst[oa]|entro|promemoria|appuntamento|arriva|arrivano|viene|vengono|parte|\w{2,14}(?:rà|ranno|remo|rò))\b",
    vague=r"(?:\b(?:circa|quasi|più di|meno di|almeno|o|ogni|intorno a)|[-\u2013/~])\s*$",
    torn=(
        r"dall['\u2019]oggi al domani",
        r"<N> <U> dopo",
    ),
    loose=frozenset({8, 15}),
    today=r"oggi",
)
