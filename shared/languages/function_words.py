"""Words of all languages by what they do in a statement; docs/add-a-language.md says what each kind is for."""

from shared.languages.language_file import every_word, read_readings

#: English words without a topic, negations among them.
STOP_WORDS = read_readings()[0].stop
#: Those of all languages. Left out are letters, since they name things (`hive A`), and words that are others elsewhere (`son`, `NAS`).
STOP_WORDS_ANYWHERE = every_word("stop")
#: Contractions are often typed without their apostrophe.
NEGATIONS = every_word("negations")
#: Words that bind what a statement says to a condition, or make a rule of it.
BINDING = every_word("binding")
#: Articles, words used like one in a team's notes, and words that only join.
ARTICLES = frozenset(["a", "an", "the", "our"])
