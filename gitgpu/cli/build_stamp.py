"""What a build is made from, in three short texts: the program, the catalog and the spec."""

from hashlib import sha256

from gitgpu import __version__
from gitgpu.cli.settings import Settings
from gitgpu.load.catalog import CatalogFiles
from gitgpu.load.read import data_text, program_time
from gitgpu.load.spec_texts import read_spec
from gitgpu.write.cache import Stamp
from gitgpu.write.cache_file import stamped
from gitgpu.write.tree import digest


def stamp_of(where: Settings) -> Stamp:
    """The stamp of a build: the same on every machine, wherever the files lie.

    What cannot be read leaves `inputs` empty, which no build is skipped for. What the configuration allows is part of
    the spec here: what it allows no more must be told of.
    """
    texts, faults = read_spec(where.paths, where.target)
    spec = "".join(f"{text.label}\0{text.content}\0" for text in sorted(texts, key=lambda text: text.label))
    facts = sha256(data_text("schemas/fleet.schema.json").encode())
    for row in CatalogFiles(where.catalogs).everything():
        facts.update(row)
    return Stamp(
        f"gitgpu {__version__}",
        facts.hexdigest(),
        "" if faults else digest(f"{spec}{where.target.path}\0{where.allowed}".encode(errors="surrogateescape")),
    )


def is_proven(stamp: Stamp, out: str) -> bool:
    """Has this program made what is in a directory from just this, and held it against the norms?"""
    return bool(stamp.inputs) and stamped(out, program_time()) == stamp
