"""The catalog that convo brings along, from the YAML files in ``convo_gateway.starter``."""

from importlib.resources import as_file, files

from convo_gateway.catalog.documents import Named, read_folder


def starter_objects() -> list[Named]:
    """Every object of the starter catalog.

    Raises:
        Invalid: where an installed file was changed and is wrong.
    """
    with as_file(files("convo_gateway") / "starter") as folder:
        return read_folder(folder)
