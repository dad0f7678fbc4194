"""English phrases that no rule dates: they count in halves, or lean on a holiday, an edge or a week to come.

They are named, for a shorter phrase inside would be dated instead: "a year ago" in "half a year ago", "on Friday" in "on Good Friday".
"""

from shared.core.dates.rule import DateRule, abstain, rule
from shared.core.dates.words import GAP, WEEKDAY, N

_SIDE = rf"(?:(?:last|previous|this|next|following|the){GAP})?"
RULES: tuple[DateRule, ...] = (
    rule("half", rf"half{GAP}(?:of{GAP})?(?:an?{GAP})?year(?:{GAP}ago)?", abstain),
    rule("and a half", rf"(?:{N}{GAP}years?{GAP})?and{GAP}a{GAP}half(?:{GAP}years)?(?:{GAP}ago)?", abstain),
    rule("weekday last", rf"{WEEKDAY}{GAP}(?:(?:just{GAP})?gone|last|next|week|fortnight|after{GAP}next)", abstain),
    rule("day week", rf"(?:today|tomorrow){GAP}week", abstain),
    rule(
        "weeks on",
        rf"{N}{GAP}(?:days?|weeks?|fortnights?|months?|years?){GAP}(?:today|yesterday|tomorrow|on{GAP}{WEEKDAY})",
        abstain,
    ),
    rule("same time", rf"time{GAP}(?:last|next){GAP}(?:week|month|year)", abstain),
    rule("edge of week", rf"(?:end|middle|beginning|start){GAP}of{GAP}{_SIDE}week", abstain),
    rule(
        "holiday",
        rf"(?:good|black){GAP}friday|(?:easter|whit){GAP}monday|(?:palm|easter){GAP}sunday|ash{GAP}wednesday",
        abstain,
    ),
)
