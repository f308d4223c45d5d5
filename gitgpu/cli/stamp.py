"""What a build is made from, in three short texts: the program, the catalog and the spec."""

from collections.abc import Sequence
from hashlib import sha256

from gitgpu import __version__
from gitgpu.load.catalog import CatalogFiles, Folder
from gitgpu.load.read import data_text, read_paths
from gitgpu.write.lock import Stamp, digest


def stamp_of(paths: Sequence[str], catalogs: tuple[Folder, ...], allowed: str = "") -> Stamp:
    """The stamp of a build from these paths: the same on every machine, wherever the files lie.

    `allowed` is what the configuration leaves untold: what it allows no more must be told of.

    What cannot be read leaves `inputs` empty, which no build is skipped for.
    """
    texts, faults = read_paths(paths)
    spec = "".join(f"{text.label}\0{text.content}\0" for text in sorted(texts, key=lambda text: text.label))
    facts = sha256(data_text("schemas/fleet.schema.json").encode())
    for row in CatalogFiles(catalogs).everything():
        facts.update(row)
    return Stamp(f"gitgpu {__version__}", facts.hexdigest(), "" if faults else digest(spec + allowed))
