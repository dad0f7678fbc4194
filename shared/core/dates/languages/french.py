"""Dates of French."""

from shared.core.dates.languages.grammar import Grammar

_NUMBERS = (
    "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize", "quatorze",
    "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf", "vingt",
)  # fmt: skip
_PART = r"(?: (?:matin|midi|après-midi|soir|à midi|dans la (?:matinée|soirée|nuit)|au soir|au matin)\b)?"

FRENCH = Grammar(
    code="fr",
    words="""le la les l un une des du de d et ou mais est sont était étaient sera seront a ont avait été ne pas n plus on nous je j tu
        vous il elle ils elles qui que qu quoi dont où quand comme pour par avec sans sur sous dans en au aux à chez entre vers
        depuis après avant ce cet cette ces c son sa ses leur leurs mon ma mes notre votre se s y très tout tous toute toutes
        encore déjà aussi bien peut doit fait faut va vont si hier avant-hier demain après-demain aujourd hui semaine semaines
        jour jours mois an ans année lundi mardi mercredi jeudi vendredi samedi dimanche dernier dernière prochain prochaine
        soir matin il y été être avoir nouveau nouvelle fin ici chaque car donc heures même pense""",
    letters="çœêûîëù",
    trigger=r"hier|demain|aujourd|\bil y a|dans\s|semaine|mois|an\b|ans\b|année|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|week-?end|trimestre|ce (?:matin|soir)|cette|le \d|d'ici|en \w{3,9}\b|depuis|fin\s|début\s",
    numbers=dict(zip(_NUMBERS, range(1, 21), strict=True))
    | {"une": 1}
    | dict(zip(("trente", "quarante", "cinquante", "soixante"), range(30, 70, 10), strict=True))
    | {
        f"{ten}-{one}": tens + number
        for ten, tens in (("vingt", 20), ("trente", 30), ("quarante", 40), ("cinquante", 50))
        for number, one in enumerate(_NUMBERS[1:9], 2)
    },
    units={
        "(?:jours?|nuits?)": ("day", 1),
        "semaines?": ("week", 1),
        "quinzaine": ("week", 2),
        "mois": ("month", 1),
        "trimestres?": ("month", 3),
        "(?:années?|an[s]?)": ("year", 1),
    },
    spans={"week-?end": "weekend", "semaine": "week", "mois": "month", "trimestre": "quarter", "(?:année|an)": "year"},
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    months=(
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ),
    days={
        r"aujourd['\u2019]hui en huit": 7,
        r"demain en huit": 8,
        rf"avant-hier{_PART}": -2,
        rf"après-demain{_PART}": 2,
        rf"hier{_PART}": -1,
        rf"demain{_PART}": 1,
        r"(?:aujourd['\u2019]hui|ce (?:matin|soir|midi)|cet après-midi)": 0,
        r"la nuit dernière": -1,
    },
    past=(r"(?:il y a|voil(?:à|a)|ça fait) <N> <U>(?! qu(?:e\b|['\u2019]))(?! de\b)", r"<N> <U> plus tôt(?=\W*$)"),
    ahead=(r"(?:dans|d['\u2019]ici(?: à)?) <N> <U>(?! (?:de|d['\u2019]))",),
    sides={
        r"(?:la |le |l['\u2019])?<S> (?:derni(?:er|ère)|passée?|écoulée?)": -1,
        r"(?:la |le |l['\u2019])?<S> (?:prochaine?|qui vient|à venir|suivante?(?=\W*$))": 1,
        r"(?:cette|ce|cet) <S>(?!-)": 0,
    },
    last_day=(rf"(?:le )?<D>{_PART} (?:dernier|passé)(?! de)",),
    week_on={r"(?:le )?<D> en huit": 1, r"(?:le )?<D> en quinze": 2},
    coming_day=(rf"(?:le |ce )?<D>{_PART} (?:qui vient|à venir)",),
    next_day=(rf"(?:le )?<D> prochain{_PART}",),
    this_day=(rf"ce <D>{_PART}",),
    on_day=(
        rf"(?<!\ble )(?<!\bles )(?<!\bun )(?<!\bchaque )(?<!\btous )(?<!\bdu )(?<!\bau )(?<!\bce )(?:(?:avant|depuis|dès|pour|jusqu['\u2019]à) )?<D>{_PART}(?! (?:en|\d|au|et|ou|à (?!\d)))",
    ),
    month_sides={r"(?:en )?<M> (?:dernier|passé)": -1, r"(?:en )?<M> prochain": 1},
    in_month=(r"en <M>(?! \d)",),
    number_of=(r"le <N>(?:er)? (?:du <S> (?:dernier|passé)|(?P<ahead>du <S> prochain)|(?P<now>de ce <S>))",),
    day_of_month=(r"(?:le )?<N>(?:er)? <M>(?! \d)",),
    on_number=(r"le <N>(?:er)?(?=\s?(?:[.,;!?)\n]|$|(?:on|nous|et|je|il|elle|à) ))",),
    ordinals={"premier": 1, "deuxième": 2, "troisième": 3, "quatrième": 4, "dernier": -1},
    nth_day=(r"(?:le )?<O> <D> (?:du |de )<S>",),
    ends={
        r"(?:en |à la |d['\u2019]ici (?:la )?)?fin de (?:la |cette )?semaine(?! prochaine| dernière)": ("week", 0, -1),
        r"(?:en |à la )?fin de (?:la )?semaine prochaine": ("week", 1, -1),
        r"(?:en |au )?début de (?:la )?semaine prochaine": ("week", 1, 0),
        r"(?:à la |d['\u2019]ici (?:la )?)?fin (?:du|de ce|de) mois": ("month", 0, -1),
        r"(?:à la )?fin du mois prochain": ("month", 1, -1),
        r"(?:à la )?fin du mois dernier": ("month", -1, -1),
        r"(?:à la |d['\u2019]ici (?:la )?)?fin (?:de l['\u2019]|d['\u2019]|de cette )année": ("year", 0, -1),
        r"(?:au )?début (?:du|de ce) mois": ("month", 0, 0),
        r"(?:au )?début du mois prochain": ("month", 1, 0),
        r"(?:au )?début (?:de l['\u2019]|de cette )année": ("year", 0, 0),
    },
    month_edges={r"fin <M>(?! \d)": -1, r"début <M>(?! \d)": 0},
    weekend=(r"le week-?end(?! (?:dernier|prochain|de|du))",),
    of_week=(r"(?:le )?<D> de (?:la )?<S>", r"<S>,? <D>"),
    looks_back=r"\b(?:était|étaient|avait|avaient|été|a|ont|ai|avons|avez|as|est (?:\w{1,12} )?(?:tombée?|passée?|venue?|partie?|arrivée?|allée?|mort|sortie?)|s['\u2019]est|"
    r"depuis|\w{2,14}(?:ait|aient|èrent|îmes|âmes))\b",
    looks_ahead=r"\b(?:sera|seront|doit|doivent|devra|va|vont|faut|peut|prévue?s?|avant|rappel|rendez-vous|rdv|aura|auront|\w{2,12}(?:era|eront|erons|ira|iront))\b",
    vague=r"(?:\b(?:environ|à peu près|près de|presque|plus de|moins de|au moins|ou|à|tous les|toutes les)|[-\u2013/~])\s*$",
    torn=(
        r"demain la veille",
        r"du jour au lendemain",
        r"(?:d['\u2019]hier|hier) à (?:aujourd|demain)\w{0,8}",
    ),
    loose=frozenset({8, 15}),
    today=r"aujourd['\u2019]hui",
)
