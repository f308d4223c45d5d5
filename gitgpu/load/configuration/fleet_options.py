"""How to read a fleet, apart from its paths."""

from typing import NamedTuple

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.configuration.out_directory import OutDirectory


class FleetOptions(NamedTuple):
    """The user's catalogs and the output directory. With `today`, announced dates before it count as past."""

    catalogs: tuple[Folder, ...] = ()
    today: str = ""
    out: OutDirectory = OutDirectory()
