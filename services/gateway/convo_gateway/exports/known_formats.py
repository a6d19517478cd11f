"""Which formats there are: one for each file in ``formats/``."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from convo_events.errors import Invalid, Problem
from convo_gateway.exports import formats
from convo_gateway.exports.format import Format


@cache
def known_formats() -> dict[str, Format]:
    """Every format by name, in the order of their names."""
    found: dict[str, Format] = {}
    for module in sorted(iter_modules(formats.__path__), key=lambda one: one.name):
        made: Format = import_module(f"{formats.__name__}.{module.name}").FORMAT
        found[made.name] = made
    return dict(sorted(found.items()))


def format_named(name: str) -> Format:
    """The format of that name.

    Raises:
        Invalid: there is none.
    """
    known = known_formats()
    if name not in known:
        listed = ", ".join(known)
        raise Invalid(
            [Problem(f"there is no format {name!r}; there are {listed}", "/options/format")]
        )
    return known[name]
