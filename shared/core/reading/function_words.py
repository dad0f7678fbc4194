"""Words of all languages by what they do in a statement."""

_BINDING_TEXT = """
must never always only unless until except if when while because shall required forbidden
muss müssen darf dürfen nie niemals immer nur außer bis wenn falls weil solange
doit doivent jamais toujours seulement uniquement sauf jusque si quand parce
debe deben nunca siempre solo sólo salvo hasta cuando porque
deve devono mai sempre soltanto tranne finché quando perché
moet moeten nooit altijd alleen behalve tot als omdat
devem apenas somente exceto até
"""
#: Words that bind what a statement says to a condition, or make a rule of it.
BINDING = frozenset(_BINDING_TEXT.split())
