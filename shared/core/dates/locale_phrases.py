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
    is_spaced: bool = True


_HAN_NUMBERS = {sign: number for number, sign in enumerate("一二三四五六七八九十", 1)}

LOCALE_PHRASES: Mapping[str, LocalePhrases] = {
    "fr": LocalePhrases(days={"avant-hier": -2, "après-demain": 2}, spans={}),
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
        ),
        units={"días?": "day", "semanas?": "week", "mes(?:es)?": "month", "años?": "year"},
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
        ),
        units={"dias?": "day", "semanas?": "week", "m(?:ês|eses)": "month", "anos?": "year"},
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
        days={"一昨日": -2, "おととい": -2, "昨日": -1, "明日": 1, "明後日": 2, "あさって": 2},
        spans={
            "先週": ("week", -1),
            "来週": ("week", 1),
            "先月": ("month", -1),
            "来月": ("month", 1),
            "昨年": ("year", -1),
            "去年": ("year", -1),
            "来年": ("year", 1),
        },
        counted={r"(?<!の)(?<!ら)NU前(?!後|まで|日)": -1, r"(?:(?<=[、。\s])|^)NU後(?!半)": 1},
        numbers=_HAN_NUMBERS,
        units={"日": "day", "週間": "week", "[かヶカヵ]月": "month", "年": "year"},
        weekdays=("月曜", "火曜", "水曜", "木曜", "金曜", "土曜", "日曜"),
        week_weekday={r"先週の?D日?": -1, r"来週の?D日?": 1},
    ),
    "zh": LocalePhrases(
        is_spaced=False,
        days={"大前天": -3, "前天": -2, "昨天": -1, "明天": 1, "后天(?!性|的)": 2, "大后天": 3},
        spans={
            "上个?月(?!球)": ("month", -1),
            "下个?月": ("month", 1),
            "上个?(?:周|星期|礼拜)": ("week", -1),
            "下个?(?:周|星期|礼拜)": ("week", 1),
            "去年": ("year", -1),
            "明年": ("year", 1),
        },
        counted={r"(?<![第的之期止])NU(?:以)?前(?!后)": -1, r"(?:(?<=[\s\uff0c\u3002])|^)NU(?:以)?后": 1},
        numbers=_HAN_NUMBERS | {"两": 2},
        units={"[天日]": "day", "个?(?:周|星期|礼拜)": "week", "个月": "month", "年": "year"},
        weekdays=("[一1]", "[二2]", "[三3]", "[四4]", "[五5]", "[六6]", "[日天7]"),
        week_weekday={r"上个?(?:周|星期|礼拜)D(?!个)": -1, r"下个?(?:周|星期|礼拜)D(?!个)": 1},
    ),
}
#: Words for this day: "today" is also "nowadays", which a rewrite of a text cannot tell apart here.
TODAY = frozenset({"heute", "aujourd'hui", "hoy", "hoje", "oggi", "vandaag", "今日", "今天"})
