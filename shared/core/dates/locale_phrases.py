"""Relative dates that dateparser's tables lack or misread, as data, one entry for each language.

What two readings fit stands in no table: a wrong date is worse than none. "En tres días" may be a duration, "5天后" behind a noun
counts from that noun.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalePhrases:
    """The phrases of one language.

    Attributes:
        days: a phrase, and how many days away it is.
        spans: a phrase for a whole week, month or year, and how many of them away it is.
        counted: patterns with `N` for a number and `U` for a unit, and the direction: -1 or 1.
        numbers: number words; digits are always understood.
        units: words for a unit.
        weekdays: names, Monday first; each a pattern.
        past_weekday: a pattern with `D` for a weekday: the last one before today.
        week_weekday: patterns with `D` for a weekday of a whole week, and how many weeks away that is.
        torn: patterns that two readings fit, or that no other entry reads as a whole.
        is_spaced: words have spaces between them.
    """

    days: Mapping[str, int]
    spans: Mapping[str, tuple[str, int]]
    counted: Mapping[str, int] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    weekdays: tuple[str, ...] = ()
    past_weekday: str = ""
    week_weekday: Mapping[str, int] = field(default_factory=dict)
    torn: tuple[str, ...] = ()
    is_spaced: bool = True


_HAN_DIGITS = {sign: number for number, sign in enumerate("一二三四五六七八九", 1)}
_HAN_TENS = {"十": 10, **{f"{sign}十": 10 * number for sign, number in _HAN_DIGITS.items() if number > 1}}
#: Up to ninety-nine.
_HAN_NUMBERS = {
    **_HAN_DIGITS,
    **_HAN_TENS,
    **{f"{ten}{sign}": tens + number for ten, tens in _HAN_TENS.items() for sign, number in _HAN_DIGITS.items()},
}
#: In front of a number: it is the rest of a greater one.
_HAN_MORE = "〇零一二三四五六七八九十百千万两点0-9"  # noqa: RUF001 - as Chinese writes it
_GERMAN_ONES = dict(
    zip(("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"), range(1, 10), strict=True)
)
_GERMAN_TENS = dict(
    zip(
        ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"),
        range(20, 100, 10),
        strict=True,
    )
)
_GERMAN_NUMBERS = {
    **dict(
        zip(
            ("dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"),
            range(13, 20),
            strict=True,
        )
    ),
    **_GERMAN_TENS,
    **{f"{one}und{ten}": tens + number for ten, tens in _GERMAN_TENS.items() for one, number in _GERMAN_ONES.items()},
}
_GERMAN_DAYS = (
    r"(?:gestern|heute|morgen|übermorgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
)
#: Without eight and fifteen days, which also mean one week and two.
_FRENCH_NUMBERS = {
    **dict(
        zip(("treize", "quatorze", "seize", "dix-sept", "dix-huit", "dix-neuf"), (13, 14, 16, 17, 18, 19), strict=True)
    ),
    **dict(zip(("vingt", "trente", "quarante", "cinquante", "soixante"), range(20, 70, 10), strict=True)),
    **{
        f"{ten}-{one}": tens + number
        for ten, tens in (("vingt", 20), ("trente", 30), ("quarante", 40), ("cinquante", 50))
        for number, one in enumerate(("deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"), 2)
    },
}

LOCALE_PHRASES: Mapping[str, LocalePhrases] = {
    "de": LocalePhrases(
        days={
            "vorvorgestern": -3,
            "überübermorgen": 3,
            "gestern vor einer Woche": -8,
            "heute vor einer Woche": -7,
            "heute vor zwei Wochen": -14,
            "heute in einer Woche": 7,
            "heute in zwei Wochen": 14,
            "morgen in einer Woche": 8,
            "morgen in zwei Wochen": 15,
        },
        spans={},
        counted={r"vor N U": -1, r"in N U": 1},
        numbers=_GERMAN_NUMBERS,
        units={"tagen?": "day", "wochen?": "week", "monaten?": "month", "jahren?": "year", "stunden?": "hour"},
        torn=(rf"{_GERMAN_DAYS} (?:in|vor) \w{{2,20}} (?:tag|woche|monat|jahr)e?n?",),
    ),
    "it": LocalePhrases(
        days={"l'altro ieri": -2, "altroieri": -2, "ieri l'altro": -2, "avantieri": -2, "dopodomani": 2},
        spans={},
        torn=(r"(?:oggi|domani|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica) a otto",),
    ),
    "nl": LocalePhrases(
        days={"eergisteren": -2, "overmorgen": 2},
        spans={},
        torn=(r"(?:vandaag|morgen|\w{4,7}dag) over \w{2,12} (?:week|weken|dagen)",),
    ),
    "fr": LocalePhrases(
        days={"avant-hier": -2, "après-demain": 2},
        spans={},
        counted={r"il y a N U(?! que?\b| qu')": -1, r"dans N U": 1},
        numbers=_FRENCH_NUMBERS,
        units={"jours": "day", "semaines": "week", "mois": "month", "années|a[n]s": "year", "heures": "hour"},
        torn=(
            r"demain la veille",
            r"(?:demain|aujourd'hui|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) en (?:huit|quinze)",
        ),
    ),
    "es": LocalePhrases(
        days={"anteayer": -2, "antes de ayer": -2, "pasado mañana": 2},
        spans={
            "mes que viene": ("month", 1),
            "semana que viene": ("week", 1),
            "año que viene": ("year", 1),
        },
        counted={r"(?<!desde\s)hace N U": -1, r"N U atrás": -1, r"dentro de N U": 1},
        numbers=dict(
            zip(
                ["un", "una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"],
                (1, 1, *range(2, 11)),
                strict=True,
            )
        )
        | dict(zip(["once", "doce", "trece", "catorce"], range(11, 15), strict=True))
        | dict(
            zip(
                [
                    "dieciséis",
                    "diecisiete",
                    "dieciocho",
                    "diecinueve",
                    "veinte",
                    "veintiún",
                    "veintidós",
                    "veintitrés",
                    "veinticuatro",
                    "veinticinco",
                    "veintiséis",
                    "veintisiete",
                    "veintiocho",
                    "veintinueve",
                    "treinta",
                ],
                range(16, 31),
                strict=True,
            )
        )
        | {"cuarenta": 40, "cuarenta y ocho": 48, "cincuenta": 50, "sesenta": 60, "setenta y dos": 72, "noventa": 90},
        torn=(r"(?:de hoy|mañana) en ocho(?: días)?",),
        units={"horas": "hour", "días?": "day", "semanas?": "week", "mes(?:es)?": "month", "años?": "year"},
    ),
    "pt": LocalePhrases(
        days={"anteontem": -2, "antes de ontem": -2, "depois de amanhã": 2},
        spans={
            "mês que vem": ("month", 1),
            "semana que vem": ("week", 1),
            "ano que vem": ("year", 1),
        },
        counted={r"(?<!desde\s)há N U(?! que)": -1, r"(?<!há\s)N U atrás": -1, r"daqui a N U": 1},
        numbers=dict(
            zip(
                ["um", "uma", "dois", "duas", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"],
                (1, 1, 2, 2, *range(3, 11)),
                strict=True,
            )
        )
        | dict(
            zip(
                [
                    "onze",
                    "doze",
                    "treze",
                    "catorze",
                    "quatorze",
                    "dezesseis",
                    "dezessete",
                    "dezoito",
                    "dezenove",
                    "vinte",
                ],
                (11, 12, 13, 14, 14, *range(16, 21)),
                strict=True,
            )
        )
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
        units={"horas": "hour", "dias?": "day", "semanas?": "week", "m(?:ês|eses)": "month", "anos?": "year"},
        weekdays=(
            "segunda-feira",
            "terça-feira",
            "quarta-feira",
            "quinta-feira",
            "sexta-feira",
            "sábado",
            "domingo",
        ),
        past_weekday=r"D passad[oa]",
    ),
    "ja": LocalePhrases(
        is_spaced=False,
        torn=("(?:先々|先|来|再来)週の今日",),
        days={"一昨日": -2, "おととい": -2, "昨日": -1, "明日": 1, "明後日": 2, "あさって": 2},
        spans={
            "先週": ("week", -1),
            "先々週": ("week", -2),
            "再来週": ("week", 2),
            "(?<!再)来週": ("week", 1),
            "先月": ("month", -1),
            "来月": ("month", 1),
            "昨年": ("year", -1),
            "去年": ("year", -1),
            "来年": ("year", 1),
        },
        counted={r"(?<![のら" + _HAN_MORE + r"])NU前(?!後|まで|日)": -1, r"(?:(?<=[、。\s])|^)NU後(?!半)": 1},
        numbers=_HAN_NUMBERS,
        units={"日": "day", "週間": "week", "[かヶカヵ]月": "month", "年": "year"},
        weekdays=("月曜", "火曜", "水曜", "木曜", "金曜", "土曜", "日曜"),
        week_weekday={r"先々週の?D日?": -2, r"再来週の?D日?": 2, r"先週の?D日?": -1, r"(?<!再)来週の?D日?": 1},
    ),
    "zh": LocalePhrases(
        is_spaced=False,
        days={"大前天": -3, "前天": -2, "昨天": -1, "明天": 1, "后天(?!性|的)": 2, "大后天": 3},
        spans={
            "(?<!上)上个?月(?!球)": ("month", -1),
            "(?<!下)下个?月": ("month", 1),
            "(?<!上)上个?(?:周|星期|礼拜)": ("week", -1),
            "上上个?(?:周|星期|礼拜)": ("week", -2),
            "下下个?(?:周|星期|礼拜)": ("week", 2),
            "(?<!下)下个?(?:周|星期|礼拜)": ("week", 1),
            "去年": ("year", -1),
            "明年": ("year", 1),
        },
        counted={
            r"(?<![第的之期止" + _HAN_MORE + r"])NU(?:以)?前(?!后)": -1,
            r"(?:(?<=[\s\uff0c\u3002])|^)NU(?:以)?后": 1,
        },
        numbers=_HAN_NUMBERS | {"两": 2},
        units={"[天日]": "day", "个?(?:周|星期|礼拜)": "week", "个月": "month", "年": "year"},
        weekdays=("[一1]", "[二2]", "[三3]", "[四4]", "[五5]", "[六6]", "[日天7]"),
        week_weekday={
            r"上上个?(?:周|星期|礼拜)D(?!个)": -2,
            r"下下个?(?:周|星期|礼拜)D(?!个)": 2,
            r"(?<!上)上个?(?:周|星期|礼拜)D(?!个)": -1,
            r"(?<!下)下个?(?:周|星期|礼拜)D(?!个)": 1,
        },
    ),
}
#: Words for this day: "today" is also "nowadays", which a rewrite of a text cannot tell apart here.
TODAY = frozenset({"heute", "aujourd'hui", "hoy", "hoje", "oggi", "vandaag", "今日", "今天"})
