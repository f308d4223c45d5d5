"""Where an import writes rows for versions that run and that gitgpu's catalog does not have."""

from collections.abc import Mapping
from os.path import basename, dirname, join, normpath
from typing import NamedTuple

from gitgpu.cli.settings import settings_without_fleet
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.catalog.folders import OWN, Folder
from gitgpu.load.configuration.content import FILE, HEAD
from gitgpu.load.configuration.files import configs_above
from gitgpu.load.read import label
from gitgpu.write.catalog.rows import write_rows
from gitgpu.write.spec.apply import write_spec


class CatalogForRows(NamedTuple):
    """The user's catalogs. The last one gets the rows; it is new if there is a new configuration, `config`, for it."""

    catalogs: tuple[Folder, ...]
    config: str = ""

    def texts(self, rows: Mapping[str, str]) -> dict[str, str]:
        """The text of each file to write for these rows: the rows, and the configuration that names their catalog."""
        if not rows:
            return {}
        own = self.catalogs[-1]
        texts = {f"{own.path}/{path}": text for path, text in rows.items()}
        if not self.config:
            return texts
        named = own.path.removeprefix(dirname(self.config)).lstrip("/")
        keys = {**HEAD, "catalog": f"[{named}]"}
        return texts | {self.config: "".join(f"{key}: {value}\n" for key, value in keys.items())}

    def write(self, rows: Mapping[str, str]) -> tuple[Diagnostic, ...]:
        """Writes these files. Returns what prevents it."""
        if not rows:
            return ()
        faults = write_rows(self.catalogs[-1].path, rows)
        config = {basename(self.config): self.texts(rows)[self.config]} if self.config else {}
        return faults or write_spec(dirname(self.config) or ".", config, force=False)


def catalog_for_rows(fleet: str) -> CatalogForRows:
    """The catalogs of the configuration for a fleet. Without a configuration, a new one in the fleet's directory."""
    if next(configs_above(fleet), ""):
        return CatalogForRows(settings_without_fleet((fleet,)).catalogs)
    path = join(fleet.rstrip("/") or fleet, OWN)
    around = dirname(normpath(fleet)) if basename(normpath(fleet)) not in (".", "..") else fleet
    return CatalogForRows((Folder(path, label(path), {}),), join(around, FILE))
