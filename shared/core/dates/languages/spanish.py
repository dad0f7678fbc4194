"""Dates of Spanish."""

from shared.core.dates.languages.grammar import Grammar

_NUMBERS = (
    "un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece", "catorce",
    "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiún", "veintidós", "veintitrés",
    "veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve", "treinta",
)  # fmt: skip
#: "Mañana 7-15, tarde 14-22": the first of three shifts, whose hours are blanked.
_IS_DAY = r"(?![ :]{1,2}[\d\x00])(?!(?:,| [yo])? (?:tarde|noche)s?\b)"
_PART = r"(?: (?:por|en|a) la (?:mañana|tarde|noche)| al? (?:mediodía|medianoche)| (?:temprano|mismo))?"
_OLD = r"(?:pasad[oa]|anterior(?=\W*$))"

SPANISH = Grammar(
    code="es",
    words="""el la los las lo un una unos unas de del y e o pero es son era eran fue fueron será está están estaba ha han había hay no ni
        que qué quien cuando como donde por para con sin sobre en a al entre hasta desde tras según se me te nos le les su sus mi
        mis tu nuestro nuestra este esta estos estas ese esa eso yo él ella ellos nosotros usted muy más ya también aún todavía
        todo todos toda todas cada puede debe hace hizo tiene ayer anteayer anoche hoy mañana pasado pasada próximo próxima semana
        semanas día días mes meses año años lunes martes miércoles jueves viernes sábado domingo viene tarde noche atrás dentro
        nuevo nueva hora horas antes después va vamos tenemos tengo""",
    letters="ñ¿¡íóú",
    trigger=r"ayer|anoche|hoy|mañana|hace\s|dentro|semana|mes\b|meses|año|lunes|martes|miércoles|jueves|viernes|sábado|domingo|atrás|esta\s|trimestre|días?|horas?|fin|principios|comienzos|el \d|el día|en \w{4,10}\b",
    numbers=dict(zip(_NUMBERS, range(1, 31), strict=True))
    | {
        "una": 1,
        "un par de": 2,
        "cuarenta": 40,
        "cuarenta y ocho": 48,
        "cincuenta": 50,
        "sesenta": 60,
        "setenta y dos": 72,
        "noventa": 90,
    },
    units={
        "(?:días?|noches?)": ("day", 1),
        "semanas?": ("week", 1),
        "(?:meses|mes)": ("month", 1),
        "trimestres?": ("month", 3),
        "años?": ("year", 1),
    },
    spans={
        "fin de semana": "weekend",
        "finde": "weekend",
        "semana": "week",
        "mes": "month",
        "trimestre": "quarter",
        "año": "year",
    },
    weekdays=("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    months=(
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ),
    days={
        r"antes de anteayer": -3,
        rf"(?:anteayer|antes de ayer|antier){_PART}": -2,
        r"anteanoche": -2,
        r"anoche": -1,
        rf"pasado mañana{_PART}": 2,
        rf"ayer{_PART}": -1,
        rf"(?<!\bla )(?<!\buna de )(?<!\bdos de )(?<!\btres de )(?<!\bcuatro de )(?<!\bcinco de )(?<!\bseis de )(?<!\bsiete de )(?<!\bocho de )(?<!\bnueve de )(?<!\bdiez de )(?<!\bonce de )(?<!\bdoce de )(?<!\bmedia de )(?<!\bcuarto de )(?<!\d de )(?<!\bpor )(?<!\bcada )(?<!\bbuena )(?<!\buna )(?<!\besta )(?<!\besa )(?<!\bmisma )(?<!\ben )(?<!\ba )mañana{_PART}(?! (?:será|es) otro día){_IS_DAY}": 1,
        rf"(?:hoy{_PART}|esta (?:mañana|tarde|noche))": 0,
    },
    past=(r"(?<!\bdesde )hace <N> <U>(?! que (?!se |lo |la |no ))", r"<N> <U> atrás"),
    ahead=(r"dentro de <N> <U>", r"de aquí a <N> <U>", r"(?:(?<=\n)|^|(?<=[.!:] ))en <N> <U>"),
    sides={
        rf"(?:la |el )?<S> {_OLD}": -1,
        r"(?:la |el )?(?:pasad[oa]|últim[oa]) <S>": -1,
        r"(?:la |el )?<S> (?:que viene|próxim[oa]|que entra|entrante|siguiente(?=\W*$))": 1,
        r"(?:la |el )?próxim[oa] <S>": 1,
        r"est[ea] <S>": 0,
        r"(?:la |el )?<S> antepasad[oa]": -2,
    },
    last_day=(rf"(?:el )?(?:pasado|último) <D>{_PART}(?! de)", rf"(?:el )?<D> pasado{_PART}(?! mañana)"),
    coming_day=(rf"(?:el |este )?<D> que viene{_PART}",),
    next_day=(rf"(?:el |este )?próximo <D>{_PART}", rf"(?:el )?<D> próximo{_PART}"),
    this_day=(rf"este <D>{_PART}",),
    on_day=(rf"(?:(?:antes|desde|hasta|para) d?)?el <D>{_PART}(?! (?:de\b|a (?!las?\b)|que\b|\d|al\b))",),
    month_sides={r"(?:en )?(?:el )?(?:pasado <M>|<M> pasado)": -1, r"(?:en )?(?:el )?(?:próximo <M>|<M> próximo)": 1},
    in_month=(r"en <M>(?! (?:de )?\d)",),
    number_of=(
        r"el (?:día )?<N> del (?:<S> pasado|pasado <S>|(?P<ahead>próximo <S>|<S> próximo|<S> que viene)|(?P<now>presente <S>))",
    ),
    day_of_month=(r"(?:el (?:día )?)?<N> de <M>(?! (?:de|del) )",),
    on_number=(r"el (?:día )?<N>(?=\s?(?:[.,;!?)\n]|$|(?:se|nos|y|a las|hubo|lo) ))",),
    ordinals={"primer": 1, "segundo": 2, "tercer": 3, "cuarto": 4, "último": -1},
    nth_day=(r"(?:el )?<O> <D> (?:del |de )<S>",),
    ends={
        r"a (?:fin(?:al(?:es)?)?|finales) de (?:la |esta )?semana": ("week", 0, -1),
        r"a (?:fin(?:al(?:es)?)?|finales) de la (?:próxima semana|semana que viene)": ("week", 1, -1),
        r"a (?:principios|comienzos|inicios) de la (?:próxima semana|semana que viene)": ("week", 1, 0),
        r"(?:a )?(?:fin(?:al(?:es)?)?|finales) (?:de|del|de este) mes": ("month", 0, -1),
        r"(?:a )?(?:fin(?:al(?:es)?)?|finales) (?:de|del|de este) año": ("year", 0, -1),
        r"(?:a )?(?:fin(?:al(?:es)?)?|finales) del (?:próximo mes|mes que viene)": ("month", 1, -1),
        r"(?:a )?(?:fin(?:al(?:es)?)?|finales) del mes pasado": ("month", -1, -1),
        r"a (?:principios|comienzos|inicios) (?:de|del|de este) mes": ("month", 0, 0),
        r"a (?:principios|comienzos|inicios) (?:de|del|de este) año": ("year", 0, 0),
        r"a (?:principios|comienzos|inicios) del (?:próximo mes|mes que viene)": ("month", 1, 0),
    },
    maybe_ahead=(r"en <N> <U>",),
    month_edges={
        r"(?:a )?(?:fin(?:ales)?|finales) de <M>(?! de)": -1,
        r"(?:a )?(?:principios|comienzos|inicios) de <M>(?! de)": 0,
    },
    weekend=(r"el (?:fin de semana|finde)(?! (?:pasado|que|próximo))",),
    of_week=(r"(?:el )?<D> de (?:la )?<S>", r"<S>,? el <D>"),
    looks_back=r"\b(?:fue|fueron|era|eran|estaba|estaban|ha|han|he|hemos|hubo|vino|vinieron|dijo|hizo|hicieron|tuvo|tuvimos|puso|pudo|dio|"
    r"(?:ten|hab|pod|quer|deb|sab|hac|dec|ven|viv|sal)ía(?:n|mos)?|(?!máximos|mínimos|últimos|próximos|vecimos|decimos|aquí|allí|así|ahí|qué|café|"
    r"porqué|josé)\w{2,14}(?:ó|aron|ieron|imos|aba|aban|é|í))\b",
    looks_ahead=r"\b(?:será|serán|debe|deben|va a|van a|vamos a|hay que|puede|prevista?|previsto|hasta|antes|cita|recordatorio|tiene que|viene|vienen|llega|llegan|\w{2,14}(?:rá|rán|remos|ré))\b",
    vague=r"(?:\b(?:unos|unas|casi|cerca de|aproximadamente|más de|menos de|al menos|alrededor de|o|a|cada|como)|[-\u2013/~])\s*$",
    torn=(
        r"(?:de hoy|mañana) en ocho(?: días)?",
        r"de la noche a la mañana",
        r"<N> <U> después",
        r"el <D> (?:por medio|sí)",
    ),
    loose=frozenset({8, 15}),
    today=r"hoy",
)
