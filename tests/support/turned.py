"""Sentences and the same sentences turned: denied, with roles, numbers, names or obligation changed."""

from dataclasses import dataclass

from hypothesis import strategies as st

_WHO = ("Mira", "Oskar", "the gateway", "the importer", "Team Heron", "web-01", "der Server", "the night shift")
_DOES = (
    ("restarts", "does not restart", "must restart", "may restart"),
    ("reads", "never reads", "should read", "can read"),
    ("owns", "no longer owns", "has to own", "might own"),
    ("blocks", "does not block", "must block", "could block"),
)
_WHOM = ("the ledger", "Lena", "db-03", "the mail queue", "every tenant", "the printer")
_NUMBERS = ("3 times", "12 times", "on port 8443", "on port 8444", "within 5 minutes", "within 5 hours", "at 40%")
_FRAMES = (
    "{}",
    "# Notes\n\n{}",
    "The list is kept by hand.\n\n{}\n\nIt is reviewed in spring.",
    "# Runbook\n\n## Night\n\n- Look at the board.\n- {}\n- Write down what was done.",
    "Intro of the page. {} More is written elsewhere.",
    "**Facts:**\n- {}",
    "1. Look at the board.\n2. {}",
    "| step | what |\n|---|---|\n| 1 | {} |",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """Two sentences that do not say the same, and a note around each of them."""

    sentence: str
    other: str
    frame: str

    @property
    def left(self) -> str:
        """Return the note with the sentence."""
        return self.frame.format(self.sentence)

    @property
    def right(self) -> str:
        """Return the note with the other sentence."""
        return self.frame.format(self.other)


def _say(who: str, does: str, whom: str, number: str) -> str:
    said = f"{who} {does} {whom} {number}."
    return said[0].upper() + said[1:]


@st.composite
def turned(draw: st.DrawFn) -> Turned:
    """Draw a sentence, one change of what it says, and a note around it."""
    who = draw(st.sampled_from(_WHO))
    forms = draw(st.sampled_from(_DOES))
    whom = draw(st.sampled_from([one for one in _WHOM if one != who]))
    number = draw(st.sampled_from(_NUMBERS))
    sentence = _say(who, forms[0], whom, number)
    other = draw(
        st.sampled_from(
            [
                _say(who, forms[1], whom, number),  # negation
                _say(who, forms[2], whom, number),  # modality
                _say(who, forms[3], whom, number),
                _say(whom, forms[0], who, number),  # roles
                *(_say(who, forms[0], whom, one) for one in _NUMBERS if one != number),
                *(_say(one, forms[0], whom, number) for one in _WHO if one != who),
                _say(who, forms[0], f"only {whom}", number),
                _say(who, forms[0], whom, f"{number} unless Lena says otherwise"),
            ]
        )
    )
    first, second = draw(st.permutations([sentence, other]))
    return Turned(sentence=first, other=second, frame=draw(st.sampled_from(_FRAMES)))
