"""The weight of each reason for a cue, and for each kind of cue: the same in all languages.

Fitted to labelled messages by `python -m benchmarks.judgement.cue_weights`, not set by hand. The first rows are groups of phrases, which
stand in one file for each language; then marks of form, what other sentences of the message hold, and pairs.
"""

BIAS = -1.99
#: A sentence whose evidence adds up to this is a cue.
ENOUGH = -0.3
#: For or against a cue; then for a correction, something to save, a decision, a preference.
WEIGHTS: dict[str, tuple[float, ...]] = {
    "memo": (1.73, -0.63, 1.39, -0.53, -0.59),  # asks to remember, or says that it will be needed
    "lasting": (0.30, -0.43, 0.16, -0.38, 0.49),  # always, never, every, only, unless
    "calendar": (1.52, -0.22, 0.79, -0.21, -0.58),  # a day or time that comes again
    "must": (0.34, -0.38, -0.06, -0.36, 0.57),  # a duty, a prohibition, a place where things belong
    "objects": (0.71, -0.29, -0.26, -0.45, 0.76),  # what an agent makes or arranges, in the plural
    "with you": (1.97, -0.30, -0.45, -0.60, 1.17),  # how the agent is to behave towards the speaker
    "for me": (-0.25, 0.18, -0.04, -0.36, 0.13),  # for me, to me, with me
    "own": (0.41, -0.26, 0.67, -0.32, -0.39),  # we, our, here
    "mine": (0.01, -0.13, 0.03, -0.02, 0.02),  # my, I am, I have
    "me": (2.85, -0.78, 1.44, -1.05, -0.39),  # what the speaker is, does and has
    "people": (0.36, 0.20, 0.63, -0.32, -0.91),  # family, colleagues, names, health
    "systems": (0.21, 0.14, 0.30, -0.25, -0.41),  # servers, tools, contracts, rooms
    "states": (0.16, 0.19, 0.19, -0.26, -0.17),  # a verb of what is
    "contrast": (0.23, 0.42, -0.46, 0.20, -0.25),  # not this but that, once and now
    "denies": (0.42, 1.43, -1.10, -0.22, -0.48),  # no, wrong, mixed up
    "you did": (1.01, 1.77, -1.06, -0.66, -0.52),  # what the agent did or said
    "lesson": (1.22, -0.29, 0.49, -0.03, -0.37),  # what went wrong once, and what follows from it
    "settles": (2.32, -1.06, -1.32, 2.68, -0.95),  # a choice that was made
    "tastes": (0.96, -0.76, -0.72, -0.48, 1.56),  # liking, disliking, too much, shorter
    "order": (-0.17, -0.51, -0.03, -0.03, 0.39),  # begins with an order
    "task": (-0.78, -0.24, -0.06, -0.63, 0.60),  # begins with work to be done once
    "the one": (-0.75, 0.03, -0.43, -0.68, 0.59),  # this file, the paragraph: one definite object
    "now": (-0.56, 0.33, -0.29, -0.03, -0.20),  # today, this time, for now
    "trouble": (-1.10, -0.67, 1.13, -0.85, -0.88),  # errors and what does not work
    "doubt": (-0.81, 0.00, -0.46, -0.93, 0.78),  # maybe, if, would, not decided
    "said": (-0.01, 0.48, -0.11, 0.08, -1.07),  # others said or wrote it
    "thanks": (-1.20, 0.33, -1.00, 0.29, 0.32),  # greetings, thanks, small talk
    "story": (-1.09, -0.68, 0.72, -0.49, -0.66),  # what the speaker did just now
    "intent": (-0.35, -0.51, -0.78, 0.57, 0.36),  # what the speaker is about to do or wants done
    "chat": (-1.32, -0.02, 0.19, -0.25, -0.19),  # praise, feelings, encouragement
    "points": (-0.37, 0.37, -0.35, -0.38, 0.23),  # begins with it, this, they
    "fiction": (-0.86, -0.57, -0.88, 0.52, 0.19),  # films, books, songs, riddles
    "short": (-0.83, -0.67, 0.42, 0.32, -0.37),  # fewer than four words
    "long": (0.00, 0.00, 0.00, 0.00, 0.00),  # more than thirty words
    "number": (0.50, 0.05, 0.61, -0.41, -0.46),  # a digit
    "name": (0.50, 0.23, 0.32, -0.05, -0.70),  # a capital inside the sentence
    "code": (0.50, 0.21, -0.35, 0.18, -0.24),  # an identifier or a path
    "log": (-0.67, 0.00, 0.00, 0.00, 0.00),  # a line of a log
    "exclaims": (-0.65, 0.09, 0.47, -0.59, -0.17),  # ends with !
    "colon": (-0.16, 0.00, 0.00, 0.00, 0.00),  # ends with :
    "question": (-1.52, 0.39, -0.42, -0.15, -0.11),  # asks
    "request": (-0.78, -0.52, 0.47, -0.03, -0.19),  # a polite request for one thing
    "moment": (-1.01, -0.64, -0.38, -0.27, 0.72),  # bound to this moment
    "reported": (-2.01, 0.60, -0.60, -0.18, -0.04),  # another person speaks
    "laughs": (-0.17, 0.18, 0.07, -0.68, -0.78),  # lol, haha
    "quoting": (-0.71, 0.00, 0.00, 0.00, 0.00),  # the message also holds pasted or quoted text
    "alone": (-0.09, -0.29, 0.30, -0.03, -0.02),  # the only sentence of the message
    "elsewhere question": (-0.44, 1.52, -1.60, -0.74, -0.23),
    "elsewhere trouble": (-0.25, 1.02, -1.03, -0.70, -0.72),
    "elsewhere doubt": (-0.87, -0.60, -0.16, -0.44, 0.53),
    "elsewhere thanks": (-0.83, 1.01, -1.09, -0.45, -0.34),
    "elsewhere task": (-0.52, -0.20, -1.00, 0.61, -0.33),
    "behind denies": (1.52, 1.31, -0.59, -0.75, -0.83),
    "elsewhere now": (-0.00, -0.40, 0.78, -0.50, -0.56),
    "elsewhere fiction": (-0.72, 0.00, 0.00, 0.00, 0.00),
    "elsewhere log": (-0.38, 0.00, 0.00, 0.00, 0.00),
    "elsewhere said": (-0.01, 1.28, -1.07, -0.89, -0.35),
    "elsewhere intent": (-0.77, 0.00, 0.00, 0.00, 0.00),
    "me + now": (-1.55, 0.00, 0.00, 0.00, 0.00),
    "me + intent": (-1.16, 0.00, 0.00, 0.00, 0.00),
    "me + number": (0.11, -0.39, 0.46, -0.29, -0.32),
    "settles + question": (-1.80, 0.00, 0.00, 0.00, 0.00),
    "for me + tastes": (1.03, -0.29, -0.20, -0.12, 0.61),
    "for me + objects": (1.07, -0.17, -0.18, -0.12, 0.47),
    "for me + order": (-0.30, -0.14, 0.01, -0.07, 0.19),
    "for me + lasting": (0.95, -0.45, 0.09, -0.19, 0.43),
    "own + states": (0.38, 0.12, -0.16, -0.08, 0.01),
    "systems + states": (1.25, -0.08, 0.32, -0.01, -0.41),
    "people + states": (0.94, 0.74, -0.24, -0.37, -0.35),
    "mine + states": (-0.20, 0.02, -0.03, -0.02, -0.11),
    "mine + people": (-0.41, -0.41, 0.15, 0.16, 0.03),
    "order + lasting": (0.09, 0.05, -1.14, 0.18, 0.41),
    "order + objects": (-0.24, -0.21, -0.21, 0.42, -0.17),
    "order + the one": (-0.60, -0.34, 0.16, -0.11, -0.02),
    "order + with you": (1.69, -0.13, -0.14, -0.17, 0.41),
    "objects + tastes": (1.33, 0.23, -0.53, -0.12, 0.23),
    "denies + states": (0.80, 0.64, -0.57, 0.09, -0.33),
    "denies + contrast": (0.66, 0.17, 0.01, -0.42, 0.16),
    "you did + contrast": (0.20, 0.42, -0.23, -0.12, -0.09),
    "you did + denies": (1.79, 0.37, -0.06, -0.19, -0.11),
    "question + lasting": (-0.53, 0.00, 0.00, 0.00, 0.00),
    "request + lasting": (0.22, -0.21, -0.40, -0.26, 0.46),
    "request + tastes": (-0.56, -0.19, -0.64, -0.20, 0.81),
    "request + with you": (0.95, -0.03, -0.14, -0.04, 0.19),
    "task + lasting": (0.72, -0.21, -0.99, -0.25, 0.89),
    "task + objects": (-0.45, -0.22, -0.28, -0.85, 0.93),
    "task + the one": (0.06, -0.11, -0.28, -0.09, 0.26),
    "states + contrast": (0.46, 0.65, -0.43, -0.02, -0.36),
    "states + lasting": (-0.68, -0.20, 0.37, -0.43, 0.08),
    "states + must": (0.45, -0.03, 0.28, -0.30, -0.15),
    "states + name": (0.50, 0.38, 0.10, -0.26, -0.50),
    "states + number": (0.50, 0.10, 0.48, -0.19, -0.60),
    "trouble + states": (-1.26, -0.25, 0.34, -0.07, -0.18),
    "lesson + lasting": (0.75, -0.37, -0.26, 0.37, -0.37),
    "settles + own": (0.09, -0.44, -0.91, 1.09, -0.13),
    "settles + doubt": (-2.06, 0.00, 0.00, 0.00, 0.00),
    "settles + said": (0.16, 0.10, -1.10, 0.50, -0.12),
    "question + denies": (-0.58, 0.39, -0.42, -0.15, -0.11),
    "now + order": (0.07, -0.72, 0.01, -0.52, 0.57),
    "now + states": (-0.61, -0.08, 0.36, -0.14, -0.27),
    "short + tastes": (-0.70, -0.71, -0.79, -0.78, 0.91),
    "people + name": (0.25, -0.23, -0.06, 0.30, -0.10),
    "states + calendar": (0.79, -0.15, 0.67, -0.37, -0.36),
    "mine + calendar": (-0.08, -0.15, -0.52, 0.33, -0.13),
    "lasting + objects": (0.78, -0.61, -0.58, 0.19, 0.64),
    "tastes + the one": (-0.57, -0.40, -0.38, -0.42, 0.53),
    "tastes + now": (-0.71, -0.49, -0.49, 0.38, -0.02),
    "people + now": (-0.70, -0.33, 0.33, -0.11, -0.28),
    "denies + objects": (0.06, 0.99, -0.34, -0.43, -0.77),
    "memo + the one": (0.37, -0.73, 0.76, -0.10, -0.40),
    "you did + states": (0.70, 0.81, -0.85, -0.30, 0.17),
    "mine + objects": (0.24, -0.15, -0.21, -0.30, 0.57),
}
