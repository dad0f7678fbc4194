"""Find the memory that a part was cut from, from the field that a split writes into the part's frontmatter."""

from shared.core.memory.yaml_read import read_fields

#: The field of a part that names the memory it was cut from.
PART_OF = "part_of"


def find_whole(path: str, text: str) -> str:
    """Return the path of the memory that this one was cut from, or an empty string.

    A part is in the same folder as the whole, and its name begins with the whole's. Any other value of the field is its
    author's own.
    """
    if f"{PART_OF}:" not in text:
        return ""
    whole = read_fields(text).get(PART_OF)
    if not isinstance(whole, str) or "." not in whole:
        return ""
    return whole if path.startswith(f"{whole.rpartition('.')[0]}-") else ""


def find_common_whole(left_path: str, left_text: str, right_path: str, right_text: str) -> str:
    """Return the path of the memory that both were cut from, or an empty string; one of the two may be its hub."""
    left, right = find_whole(left_path, left_text), find_whole(right_path, right_text)
    whole = left or right
    return whole if whole and {left or left_path, right or right_path} == {whole} else ""
