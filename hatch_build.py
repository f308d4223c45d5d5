"""Writes the rows of the catalog into a wheel as JSON, which is read faster: gitgpu/load/catalog/shipped_rows.py."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RowsHook(BuildHookInterface[Any]):
    """The build hook of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the file."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from gitgpu.load.catalog.rows import CatalogFiles  # noqa: PLC0415  from this checkout or sdist
        from gitgpu.load.catalog.shipped_rows import FILE, line  # noqa: PLC0415

        catalog = CatalogFiles()
        rows = [row for kind in catalog.kinds for name in catalog.names(kind) if (row := catalog.row(kind, name))]
        if catalog.faults:
            raise ValueError(catalog.faults)
        self._folder = TemporaryDirectory()  # removed at the end of the build
        path = Path(self._folder.name, FILE)
        path.write_text("".join(line(row.kind, row.name, row.data) for row in rows), encoding="ascii")
        build_data["force_include"][str(path)] = f"gitgpu/_data/{FILE}"
