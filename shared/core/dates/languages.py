"""The words by which each language names days, as data: what is counted, which day is meant, and on which side it lies.

Only languages that put spaces between words are here: in others, a phrase may end in the middle of a word.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

UNITS = ("day", "week", "month", "year")
SPANS = ("weekend", "week", "month", "year")


@dataclass(frozen=True, slots=True, kw_only=True)
class DateWords:
    """The phrases of one language. All are patterns; a space stands for one to three.

    Attributes:
        days: what names one day and nothing else, longer phrases first, and how many days away it is.
        loose: the same for what may also mean another day, or no day at all: "today" is "nowadays", "morgen"
            the morning, "hier" German for "here".
        part: what may follow a day: its morning, its evening.
        numbers: number words from one on, separated by spaces; `/` separates two words for one number.
        units: what is counted: days, weeks, months, years, as in `UNITS`.
        ago: how a count looks back; `<N>` is its number and `<U>` its unit.
        ahead: how it looks ahead.
        last: beside a span or a weekday, it looks back.
        this: it means the current one.
        next: it looks ahead.
        spans: a weekend, week, month and year as a whole, as in `SPANS`.
        weekdays: Monday first.
    """

    days: Mapping[str, int]
    loose: Mapping[str, int]
    part: str
    numbers: str
    units: tuple[str, ...]
    ago: tuple[str, ...]
    ahead: tuple[str, ...]
    last: str
    this: str
    next: str
    spans: tuple[str, ...]
    weekdays: tuple[str, ...]

    def find_signs(self) -> tuple[str, ...]:
        """Return patterns of single words of which every phrase holds one."""
        last_words = (re.split(r"\W", pattern)[-1] for pattern in (*self.days, *self.loose))
        return (*self.units, *self.spans, *self.weekdays, *filter(None, last_words))


LANGUAGES: Mapping[str, DateWords] = {
    "en": DateWords(
        days={
            "(?:the )?day before yesterday": -2,
            "(?:the )?day after tomorrow": 2,
            "yesterday": -1,
            "tomorrow": 1,
        },
        loose={"today": 0, "tonight": 0, "this (?:morning|afternoon|evening)": 0, "last night": -1},
        part="morning|afternoon|evening|night",
        numbers="one/a two three four five six seven eight nine ten eleven twelve",
        units=("days?", "weeks?", "months?", "years?"),
        ago=("<N> <U> ago",),
        ahead=("in <N> <U>", "<N> <U> from now"),
        last="last",
        this="this",
        next="next",
        spans=("weekend", "week", "month", "year"),
        weekdays=("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ),
    "de": DateWords(
        days={"vorgestern": -2, "übermorgen": 2, "gestern": -1},
        loose={"heute": 0, "morgen": 1},
        part="früh|morgen|vormittag|mittag|nachmittag|abend|nacht",
        numbers="einem/einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        units=("tage?n?", "wochen?", "monate?n?", "jahre?n?"),
        ago=("vor <N> <U>",),
        ahead=("in <N> <U>",),
        last="letzte[nrsm]?|vergangene[nrsm]?|vorige[nrsm]?",
        this="diese[nrsm]?",
        next="nächste[nrsm]?|kommende[nrsm]?",
        spans=("wochenendes?", "woche", "monate?s?", "jahre?s?"),
        weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "(?:samstag|sonnabend)", "sonntag"),
    ),
    "nl": DateWords(
        days={"eergisteren": -2, "overmorgen": 2, "gisteren": -1},
        loose={"vandaag": 0, "morgen": 1},
        part="ochtend|middag|avond|nacht",
        numbers="een/één twee drie vier vijf zes zeven acht negen tien elf twaalf",
        units=("dag(?:en)?", "we(?:ek|ken)", "maand(?:en)?", "jaar|jaren"),
        ago=("<N> <U> geleden",),
        ahead=("over <N> <U>",),
        last="vorige?|afgelopen",
        this="deze|dit",
        next="volgende?|komende?",
        spans=("weekend", "week", "maand", "jaar"),
        weekdays=("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"),
    ),
    "fr": DateWords(
        days={"avant-hier": -2, "après-demain": 2, "demain": 1},
        loose={"hier": -1, "aujourd['\u2019]hui": 0, "ce (?:matin|soir)": 0},
        part="matin|midi|après-midi|soir",
        numbers="un/une deux trois quatre cinq six sept huit neuf dix onze douze",
        units=("jours?", "semaines?", "mois", "ans?|années?"),
        ago=("il y a <N> <U>",),
        ahead=("dans <N> <U>",),
        last="derni(?:er|ère)|passée?",
        this="cet|cette|ce",
        next="prochaine?|qui vient",
        spans=("week-?end", "semaine", "mois", "an|année"),
        weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    ),
    "es": DateWords(
        days={"anteayer": -2, "pasado mañana": 2, "ayer": -1},
        loose={"hoy": 0, "mañana": 1, "anoche": -1},
        part="(?:por|en|a) la (?:mañana|tarde|noche)",
        numbers="un/una dos tres cuatro cinco seis siete ocho nueve diez once doce",
        units=("días?", "semanas?", "mes(?:es)?", "años?"),
        ago=("hace <N> <U>",),
        ahead=("dentro de <N> <U>", "en <N> <U>"),
        last="pasad[oa]|últim[oa]",
        this="est[ea]",
        next="próxim[oa]|que viene",
        spans=("fin de semana", "semana", "mes", "año"),
        weekdays=("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    ),
    "pt": DateWords(
        days={"anteontem": -2, "depois de amanhã": 2, "ontem": -1, "amanhã": 1},
        loose={"hoje": 0},
        part="de manhã|à tarde|à noite",
        numbers="um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze",
        units=("dias?", "semanas?", "m(?:ês|eses)", "anos?"),
        ago=("há <N> <U>", "<N> <U> atrás"),
        ahead=("daqui a <N> <U>", "em <N> <U>"),
        last="passad[oa]|últim[oa]",
        this="est[ea]",
        next="próxim[oa]|que vem",
        spans=("fim de semana", "semana", "mês", "ano"),
        weekdays=(
            "segunda(?:-feira)?", "terça(?:-feira)?", "quarta(?:-feira)?", "quinta(?:-feira)?", "sexta(?:-feira)?", "sábado",
            "domingo",
        ),
    ),
    "it": DateWords(
        days={"l['\u2019]altro ?ieri": -2, "dopodomani": 2, "ieri": -1, "domani": 1},
        loose={"oggi": 0, "stamattina": 0, "stasera": 0},
        part="mattina|pomeriggio|sera|notte",
        numbers="un/una due tre quattro cinque sei sette otto nove dieci undici dodici",
        units=("giorn[oi]", "settiman[ae]", "mes[ei]", "ann[oi]"),
        ago=("<N> <U> fa",),
        ahead=("tra <N> <U>", "fra <N> <U>"),
        last="scors[oa]|passat[oa]",
        this="quest[oa]|quest['\u2019]",
        next="prossim[oa]|che viene",
        spans=("(?:fine settimana|weekend)", "settimana", "mese", "anno"),
        weekdays=("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
    ),
}  # fmt: skip
