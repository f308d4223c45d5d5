"""The container images of catalog rows."""

from collections.abc import Iterable
from itertools import chain

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.plan.decided.hardware import Image


def image(row: Facts) -> str:
    """The reference: the tag for readers, and the digest, if it is known, which the node uses."""
    digest = f"@{row['digest']}" if row["digest"] else ""
    return f"{row['repository']}:{row['version']}{digest}"


def image_rows(names: Iterable[str], catalog: Catalog) -> tuple[str, ...]:
    """The files of the user's own catalog rows for these images."""
    return tuple(chain.from_iterable(catalog.own("containers", name) for name in names))


def parts(row: Facts) -> Image:
    """The parts of the image, with the digest instead of the tag if it is known: there is room for only one of them."""
    repository, _, name = row["repository"].rpartition("/")
    return Image(repository, name, row["digest"] or row["version"])
