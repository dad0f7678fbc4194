"""The weight of each reason for a cue, and for each kind of cue: the same in all languages.

Fitted to labelled messages by `python -m benchmarks.judgement.cue_weights`, not set by hand. The first rows are groups of phrases, which
stand in one file for each language; then marks of form, what other sentences of the message hold, and pairs.
"""

BIAS = -2.04
#: A sentence whose evidence adds up to this is a cue.
ENOUGH = -0.75
#: For or against a cue; then for a correction, something to save, a decision, a preference.
WEIGHTS: dict[str, tuple[float, ...]] = {
    "memo": (2.23, -0.69, 1.36, -0.60, -0.54),  # asks to remember, or says that it will be needed
    "lasting": (0.57, -0.59, 0.28, -0.42, 0.58),  # always, never, every, only, unless
    "calendar": (1.20, -0.05, 0.61, -0.28, -0.59),  # a day or time that comes again
    "must": (0.56, -0.23, -0.12, -0.59, 0.65),  # a duty, a prohibition, a place where things belong
    "objects": (0.40, -0.31, -0.05, -0.19, 0.41),  # what an agent makes or arranges, in the plural
    "with you": (1.66, -0.39, -0.45, -0.68, 1.20),  # how the agent is to behave towards the speaker
    "for me": (-0.44, -0.05, -0.32, -0.23, 0.49),  # for me, to me, with me
    "own": (0.38, -0.23, 0.73, -0.38, -0.57),  # we, our, here
    "mine": (0.00, -0.20, -0.34, 0.21, 0.29),  # my, I am, I have
    "me": (2.07, -0.41, 1.16, -1.09, -0.56),  # what the speaker is, does and has
    "people": (0.80, 0.07, 0.70, -0.29, -0.97),  # family, colleagues, names, health
    "systems": (0.35, 0.24, 0.34, -0.29, -0.59),  # servers, tools, contracts, rooms
    "states": (0.02, 0.31, -0.02, -0.05, -0.33),  # a verb of what is
    "contrast": (0.04, 0.29, -0.27, 0.05, -0.24),  # not this but that, once and now
    "denies": (0.54, 1.18, -0.94, -0.12, -0.64),  # no, wrong, mixed up
    "you did": (1.36, 1.50, -1.15, -0.60, -0.24),  # what the agent did or said
    "lesson": (1.44, -0.29, 0.46, -0.21, -0.23),  # what went wrong once, and what follows from it
    "settles": (2.23, -1.25, -1.39, 2.52, -0.76),  # a choice that was made
    "tastes": (1.24, -0.80, -0.83, -0.26, 1.42),  # liking, disliking, too much, shorter
    "order": (0.03, -0.44, 0.10, -0.09, 0.25),  # begins with an order
    "task": (-0.64, -0.13, -0.19, -0.70, 0.63),  # begins with work to be done once
    "the one": (-1.03, 0.09, 0.13, -0.37, -0.14),  # this file, the paragraph: one definite object
    "now": (-0.63, -0.53, -0.03, 0.50, -0.17),  # today, this time, for now
    "trouble": (-1.08, -0.01, 0.47, -0.72, -0.64),  # errors and what does not work
    "doubt": (-0.54, 0.15, -0.30, -0.86, 0.47),  # maybe, if, would, not decided
    "said": (-0.03, 0.35, 0.37, -0.61, -1.17),  # others said or wrote it
    "thanks": (-0.97, 0.70, -1.01, 0.32, -0.15),  # greetings, thanks, small talk
    "story": (-1.07, -0.32, -0.40, 0.50, -0.34),  # what the speaker did just now
    "intent": (-0.69, -0.43, -1.02, 0.62, 0.30),  # what the speaker is about to do or wants done
    "chat": (-1.29, 0.13, -0.01, -0.36, -0.13),  # praise, feelings, encouragement
    "points": (-0.23, 0.50, -0.42, -0.52, 0.27),  # begins with it, this, they
    "fiction": (-1.13, -0.51, -0.63, 0.60, -0.29),  # films, books, songs, riddles
    "short": (-0.70, -0.30, -0.37, 0.61, -0.49),  # fewer than four words
    "long": (0.00, 0.00, 0.00, 0.00, 0.00),  # more than thirty words
    "number": (0.50, 0.14, 0.42, -0.37, -0.53),  # a digit
    "name": (0.50, 0.11, 0.41, -0.03, -0.74),  # a capital inside the sentence
    "code": (0.50, 0.12, -0.25, 0.07, -0.19),  # an identifier or a path
    "log": (-0.71, 0.00, 0.00, 0.00, 0.00),  # a line of a log
    "exclaims": (-0.77, 0.20, -0.52, 0.06, -0.02),  # ends with !
    "colon": (-0.31, 0.00, 0.00, 0.00, 0.00),  # ends with :
    "question": (-1.44, 0.27, -0.41, -0.07, 0.06),  # asks
    "request": (-0.70, -0.58, 0.53, -0.07, -0.11),  # a polite request for one thing
    "moment": (-1.30, -0.19, -0.49, -0.13, 0.51),  # bound to this moment
    "reported": (-1.71, 0.41, -0.58, -0.16, 0.04),  # another person speaks
    "laughs": (-0.00, 0.12, 0.04, -0.59, -0.49),  # lol, haha
    "quoting": (-0.64, 0.00, 0.00, 0.00, 0.00),  # the message also holds pasted or quoted text
    "alone": (0.04, -0.37, 0.28, -0.13, 0.14),  # the only sentence of the message
    "elsewhere question": (-0.38, 1.44, -1.40, -0.74, -0.39),
    "elsewhere trouble": (-0.74, 0.00, 0.00, 0.00, 0.00),
    "elsewhere doubt": (-0.88, 0.00, 0.00, 0.00, 0.00),
    "elsewhere thanks": (-0.83, 1.10, -1.12, -0.64, -0.38),
    "elsewhere task": (-0.54, 0.55, -0.41, -0.25, -0.24),
    "behind denies": (1.69, 1.32, -0.57, -0.77, -0.76),
    "elsewhere now": (-0.00, -0.37, 0.68, -0.63, -0.55),
    "elsewhere fiction": (-0.58, 0.00, 0.00, 0.00, 0.00),
    "elsewhere log": (-0.42, 0.00, 0.00, 0.00, 0.00),
    "elsewhere said": (0.00, 0.73, -0.98, 0.01, -0.26),
    "elsewhere intent": (-0.78, 0.00, 0.00, 0.00, 0.00),
    "me + now": (-1.13, 0.00, 0.00, 0.00, 0.00),
    "me + intent": (-0.69, 0.00, 0.00, 0.00, 0.00),
    "me + number": (0.50, -0.59, 0.59, -0.41, -0.49),
    "settles + question": (-1.76, 0.00, 0.00, 0.00, 0.00),
    "for me + tastes": (0.87, -0.30, -0.13, -0.17, 0.46),
    "for me + objects": (1.21, -0.13, -0.33, -0.15, 0.50),
    "for me + order": (-0.41, -0.08, 0.05, -0.09, 0.08),
    "for me + lasting": (1.17, -0.50, 0.04, -0.24, 0.38),
    "own + states": (0.31, 0.12, -0.00, -0.23, -0.08),
    "systems + states": (0.96, 0.03, 0.33, -0.10, -0.45),
    "people + states": (0.91, 0.47, -0.01, -0.35, -0.42),
    "mine + states": (0.03, 0.07, -0.11, 0.10, -0.35),
    "mine + people": (-0.24, -0.26, -0.04, -0.03, 0.28),
    "order + lasting": (-0.22, 0.20, -1.00, 0.39, 0.04),
    "order + objects": (-0.75, -0.15, -0.13, 0.54, -0.37),
    "order + the one": (-0.25, -0.27, 0.14, -0.17, 0.10),
    "order + with you": (1.39, -0.11, -0.18, -0.13, 0.31),
    "objects + tastes": (1.72, 0.09, -0.69, -0.24, 0.52),
    "denies + states": (0.93, 0.75, -0.50, 0.07, -0.72),
    "denies + contrast": (0.39, 0.06, 0.06, -0.51, 0.32),
    "you did + contrast": (1.11, 0.61, -0.39, -0.29, -0.18),
    "you did + denies": (1.51, 0.54, -0.14, -0.27, -0.11),
    "question + lasting": (-0.35, -0.06, -0.06, -0.04, 0.13),
    "request + lasting": (-0.28, -0.18, -0.45, -0.16, 0.41),
    "request + tastes": (-0.32, -0.29, -0.64, -0.27, 0.76),
    "request + with you": (0.73, -0.10, -0.30, -0.06, 0.32),
    "task + lasting": (0.60, -0.23, -0.80, -0.20, 0.66),
    "task + objects": (-0.32, -0.25, -0.34, -0.81, 0.75),
    "task + the one": (0.07, -0.17, -0.41, -0.10, 0.37),
    "states + contrast": (0.38, 0.48, -0.35, -0.03, -0.37),
    "states + lasting": (-0.51, -0.37, 0.55, -0.38, 0.03),
    "states + must": (0.45, 0.14, 0.17, -0.68, -0.07),
    "states + name": (0.50, 0.33, 0.12, -0.27, -0.51),
    "states + number": (0.50, 0.18, 0.12, 0.04, -0.65),
    "trouble + states": (-1.02, 0.41, -0.24, -0.27, -0.25),
    "lesson + lasting": (0.65, -0.32, -0.34, 0.47, -0.16),
    "settles + own": (0.12, -0.69, -1.04, 1.21, -0.04),
    "settles + doubt": (-2.05, 0.00, 0.00, 0.00, 0.00),
    "settles + said": (-0.43, -0.43, -0.59, 0.69, -0.11),
    "question + denies": (-0.11, 0.42, -0.43, -0.12, -0.04),
    "now + order": (-0.43, -0.25, 0.24, -0.17, -0.23),
    "now + states": (-0.21, -0.54, 0.32, 0.00, 0.03),
    "short + tastes": (-0.79, 0.00, 0.00, 0.00, 0.00),
    "people + name": (0.49, -1.06, 0.41, 0.29, 0.03),
    "states + calendar": (0.23, 0.05, 0.23, -0.24, -0.18),
    "mine + calendar": (-0.04, -0.25, -0.43, 0.51, -0.32),
}
