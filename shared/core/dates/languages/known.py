"""The languages whose dates a grammar of the house reads. A new one is a file beside these and its name here.

Only languages that put spaces between words have one: in others, a phrase may end in the middle of a word.
"""

from collections.abc import Mapping

from shared.core.dates.languages.dutch import DUTCH
from shared.core.dates.languages.french import FRENCH
from shared.core.dates.languages.german import GERMAN
from shared.core.dates.languages.grammar import Grammar
from shared.core.dates.languages.italian import ITALIAN
from shared.core.dates.languages.portuguese import PORTUGUESE
from shared.core.dates.languages.spanish import SPANISH

GRAMMARS: Mapping[str, Grammar] = {one.code: one for one in (GERMAN, DUTCH, FRENCH, SPANISH, PORTUGUESE, ITALIAN)}
