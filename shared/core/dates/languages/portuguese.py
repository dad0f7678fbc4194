"""Dates of Portuguese."""

from shared.core.dates.languages.grammar import Grammar

_NUMBERS = (
    ("um", "uma"), ("dois", "duas"), ("três",), ("quatro",), ("cinco",), ("seis",), ("sete",), ("oito",), ("nove",), ("dez",),
    ("onze",), ("doze",), ("treze",), ("catorze", "quatorze"), ("quinze",), ("dezesseis", "dezasseis"),
    ("dezessete", "dezassete"), ("dezoito",), ("dezenove", "dezanove"), ("vinte",),
)  # fmt: skip
_PART = (
    r"(?: (?:de manhã|à tarde|à noite|de tarde|de noite|pela manhã|cedo|ao meio-dia|ao fim da tarde|ao final do dia))?"
)
_DAY = r"(?:(?:n?[ao]|(?:à|para [ao]|desde [ao]|até [ao]|até)) )"

PORTUGUESE = Grammar(
    code="pt",
    words="""o a os as um uma uns umas de do da dos das e ou mas é são era eram foi foram será está estão estava tem têm há não nem que
        quem quando como onde por para pra com sem sobre em no na nos nas ao à aos às entre até desde após se me te lhe seu sua seus
        suas meu minha nosso nossa este esta isto esse essa isso eu ele ela eles nós você vocês muito mais já também ainda tudo todo
        todos toda todas cada pode deve faz fez vai vamos ontem anteontem hoje amanhã passado passada próximo próxima semana semanas
        dia dias mês meses ano anos segunda terça quarta quinta sexta sábado domingo feira vem atrás daqui depois noite manhã
        pela pelo novo nova hora horas temos tenho""",
    letters="ãõçàâêô",
    trigger=r"ontem|hoje|amanhã|há\s|daqui|semana|mês|meses|anos?\b|segunda|terça|quarta|quinta|sexta|sábado|domingo|atrás|esta\s|trimestre|dias?|horas?|fim|final|início|começo|dia \d|em \w{4,10}\b|faz\s|dentro",
    numbers={word: number for number, words in enumerate(_NUMBERS, 1) for word in words}
    | {
        "vinte e quatro": 24,
        "trinta": 30,
        "quarenta": 40,
        "quarenta e oito": 48,
        "cinquenta": 50,
        "sessenta": 60,
        "setenta e duas": 72,
        "noventa": 90,
    },
    units={
        "(?:dias?|noites?)": ("day", 1),
        "semanas?": ("week", 1),
        "(?:meses|mês)": ("month", 1),
        "trimestres?": ("month", 3),
        "anos?": ("year", 1),
    },
    spans={
        "(?:fim|final) de semana|fim-de-semana": "weekend",
        "semana": "week",
        "mês": "month",
        "trimestre": "quarter",
        "ano": "year",
    },
    weekdays=(
        "segunda(?:-feira)?",
        "terça(?:-feira)?",
        "quarta(?:-feira)?",
        "quinta(?:-feira)?",
        "sexta(?:-feira)?",
        "sábado",
        "domingo",
    ),
    months=(
        "janeiro",
        "fevereiro",
        "março",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ),
    days={
        rf"(?:anteontem|antes de ontem){_PART}": -2,
        rf"depois de amanhã{_PART}": 2,
        rf"ontem{_PART}": -1,
        rf"amanhã{_PART}(?! (?:será|é) outro dia)": 1,
        rf"(?:hoje{_PART}|esta (?:manhã|tarde|noite))": 0,
        r"(?:na |a )?noite passada": -1,
    },
    past=(r"(?<!\bdesde )(?:há|faz) <N> <U>(?: atrás)?(?! que)", r"(?<!\bhá )<N> <U> atrás"),
    ahead=(r"daqui a <N> <U>", r"dentro de <N> <U>"),
    sides={
        r"(?:n?[ao] )?<S> (?:passad[oa]|anterior(?=\W*$))": -1,
        r"(?:n?[ao] )?(?:últim[oa]) <S>": -1,
        r"(?:n?[ao] )?<S> que vem": 1,
        r"(?:n?[ao] )?próxim[oa] <S>": 1,
        r"(?:n?est[ea]|(?:n|d)?esse|(?:n|d)?essa) <S>": 0,
        r"(?:n?[ao] )?<S> retrasad[oa]": -2,
    },
    last_day=(rf"(?:n?[ao] )?<D> passad[oa]{_PART}", rf"(?:n?[ao] )?últim[oa] <D>{_PART}(?! d)"),
    coming_day=(rf"(?:n?[ao] )?<D> que vem{_PART}",),
    next_day=(rf"(?:n?[ao] )?próxim[oa] <D>{_PART}", rf"(?:n?[ao] )?<D> próxim[oa]{_PART}"),
    this_day=(rf"n?est[ea] <D>{_PART}",),
    on_day=(
        rf"(?:na|no|até|para|desde) (?:[ao] )?<D>{_PART}(?! (?:d[aeo]|que|\d|vez|parte|fase|fila|etapa|linha|versão|página|\w+a\b))",
        rf"<D>-feira{_PART}",
    ),
    month_sides={r"(?:em )?<M> passado": -1, r"(?:em )?(?:<M> que vem|próximo <M>)": 1},
    in_month=(r"em <M>(?! (?:de )?\d)",),
    number_of=(r"(?:no )?dia <N> (?:do <S> passado|(?P<ahead>do próximo <S>|do <S> que vem)|(?P<now>deste <S>))",),
    day_of_month=(r"(?:no dia |em |dia )?<N> de <M>(?! de)",),
    on_number=(r"no dia <N>(?=\s?(?:[.,;!?)\n]|$|(?:e|às|houve|a|o) ))",),
    ordinals={
        "primeira": 1,
        "primeiro": 1,
        "segunda": 2,
        "segundo": 2,
        "terceira": 3,
        "terceiro": 3,
        "quarta": 4,
        "quarto": 4,
        "última": -1,
        "último": -1,
    },
    nth_day=(r"(?:n?[ao] )?<O> <D> (?:do |de )<S>",),
    ends={
        r"(?:no |até o )?(?:fim|final) (?:da|desta) semana": ("week", 0, -1),
        r"(?:no )?(?:início|começo) da (?:próxima semana|semana que vem)": ("week", 1, 0),
        r"(?:no |até o )?(?:fim|final) (?:do|deste) mês": ("month", 0, -1),
        r"(?:no |até o )?(?:fim|final) (?:do|deste) ano": ("year", 0, -1),
        r"(?:no |até o )?(?:fim|final) do (?:próximo mês|mês que vem)": ("month", 1, -1),
        r"(?:no )?(?:fim|final) do mês passado": ("month", -1, -1),
        r"(?:no )?(?:início|começo) (?:do|deste) mês": ("month", 0, 0),
        r"(?:no )?(?:início|começo) do (?:próximo mês|mês que vem)": ("month", 1, 0),
        r"(?:no )?(?:início|começo) (?:do|deste) ano": ("year", 0, 0),
    },
    maybe_ahead=(r"em <N> <U>",),
    month_edges={r"(?:no )?(?:fim|final) de <M>(?! de)": -1, r"(?:no )?(?:início|começo) de <M>(?! de)": 0},
    weekend=(r"no (?:fim|final) de semana(?! (?:passado|que))",),
    of_week=(r"(?:n?[ao] )?<D> d[ao] <S>", r"<S>,? (?:na |no )?<D>"),
    looks_back=r"\b(?:foi|foram|era|eram|estava|estavam|tinha|havia|houve|veio|vieram|disse|fez|fizeram|teve|tivemos|pôs|deu|\w{2,14}(?:ou|aram|eram|iram|eu|iu|ámos|imos|ava|avam|ei)|(?:pod|quer|dev|sab|faz|diz|viv)ia(?:m|mos)?)\b",
    looks_ahead=r"\b(?:será|serão|deve|devem|vai|vão|vamos|pode|prevista?|previsto|até|consulta|lembrete|tem que|vem|vêm|chega|chegam|\w{2,14}(?:rá|rão|remos|rei))\b",
    vague=r"(?:\b(?:uns|umas|quase|cerca de|aproximadamente|mais de|menos de|pelo menos|ou|a|cada)|[-\u2013/~])\s*$",
    torn=(
        r"(?:de|da) (?:hoje|noite) para (?:o dia|amanhã)",
        r"de um dia para o outro",
        r"<N> <U> depois",
    ),
    loose=frozenset({8, 15}),
    today=r"hoje",
)
