"""A few characters of a text, cut where a reader sees no damage. Pure."""

import regex

EXCERPT_LENGTH = 200
_CLUSTER = regex.compile(r"\X")


def excerpt(text: str, length: int = EXCERPT_LENGTH) -> str:
    """The beginning of a text, at most ``length`` code points, never ending inside a user-perceived character.

    A single one longer than that (a stack of hundreds of marks) is cut between code points after all.
    """
    if len(text) <= length:
        return text
    end = 0
    # One code point more than fits shows whether the last cluster would go on.
    for cluster in _CLUSTER.finditer(text[: length + 1]):
        if cluster.end() > length:
            break
        end = cluster.end()
    return text[: end or length]
