"""Check that a key can be sent, and remove it from its server's messages."""

_PIECE = 8
_MARK = "[key]"


def can_be_sent(key: str) -> bool:
    """Tell whether the key can be sent in an HTTP header."""
    return key.isascii() and key.isprintable() and bool(key.strip())


def hide_key(text: str, key: str) -> str:
    """Replace the key, and each piece of it that a server repeats, by a mark."""
    size = min(_PIECE, len(key))
    if not size:
        return text
    pieces = {key[at : at + size] for at in range(len(key) - size + 1)}
    shown: list[str] = []
    hidden_until = 0
    for at, char in enumerate(text):
        if text[at : at + size] in pieces:
            if at >= hidden_until:
                shown.append(_MARK)
            hidden_until = at + size
        elif at >= hidden_until:
            shown.append(char)
    return "".join(shown)
