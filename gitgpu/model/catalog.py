"""The catalog as values: sizes, GPUs, drivers and other facts by name. Each is built once, when it is first used."""

from collections.abc import Collection, Iterator, Mapping
from copy import copy
from functools import cache, cached_property
from typing import Any

from gitgpu.diagnostic import Problem
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.releases import PARTS, Version, release_faults, versions
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.sku import Gpu, Sku, gpu_of, sku_of
from gitgpu.model.syntax.region_names import meant_region
from gitgpu.model.syntax.size_names import family, same_machine, similar_sizes
from gitgpu.spelling import nearest

Facts = Mapping[str, Any]
_CUTOFF = 0.7  # region names share most of their letters: us-east-1, of another cloud, is similar to usdodeast by 0.67


class Catalog:
    """Facts by name. Most rows are returned as plain mappings. Azure's lists for `unlisted` regions are not used."""

    def __init__(self, files: CatalogFiles, unlisted: Collection[str] = ()) -> None:
        self.files = files
        self._skus: dict[str, Sku | None] = {}
        self._gpus: dict[str, Gpu | None] = {}
        self._tables: dict[str, Mapping[str, Facts]] = {}
        self._versions: dict[str, Mapping[str, Version]] = {}
        self._pinned: dict[frozenset[tuple[str, str]], Catalog] = {}
        self._pins: dict[tuple[str, str], Version] = {}
        self._unlisted = unlisted

    def facts(self, kind: str, name: str) -> Facts | None:
        """The row of a kind, such as facts("regions", "eastus"); None if there is none."""
        if (kind, name) in self._pins:
            return self._pins[kind, name].facts[kind]
        row = self.files.row(kind, name)
        return row.data if row else None

    def must(self, kind: str, name: str) -> Facts:
        """A row that gitgpu itself needs. Raises KeyError if our catalog is broken."""
        facts = self.facts(kind, name)
        if facts is None:
            raise KeyError(f"catalog/{kind}/{name}.yaml")
        return facts

    def rows(self, kind: str) -> Mapping[str, Facts]:
        """Every row of a kind by its name, in order of name. Raises KeyError like `must`."""
        if kind not in self._tables:
            self._tables[kind] = {name: self.must(kind, name) for name in self.names(kind)}
        return self._tables[kind]

    def own(self, kind: str, name: str) -> tuple[str, ...]:
        """The file of a row, as generated files name it, if the row belongs to the user; else ()."""
        if (kind, name) in self._pins:
            return self._pins[kind, name].files
        row = self.files.row(kind, name)
        return (f"{row.origin}/{kind}/{name}.yaml",) if row and row.origin else ()

    def names(self, kind: str) -> tuple[str, ...]:
        """The names of all rows of a kind, sorted."""
        return self.files.names(kind)

    def versions(self, software: str) -> Mapping[str, Version]:
        """Every version of a chart or image that can be pinned, oldest first; {} if the catalog has none."""
        if software not in self._versions:
            self._versions[software] = versions(self.files, software)
        return self._versions[software]

    def version(self, software: str) -> str:
        """The pinned version of a chart or image, or the newest one. Raises KeyError like `must`."""
        return str((self.facts("containers", software) or self.must("charts", software))["version"])

    def has_pin(self, kind: str, name: str) -> bool:
        """Whether the row belongs to a pinned version."""
        return (kind, name) in self._pins

    def with_pins(self, pins: Mapping[str, str]) -> "Catalog":
        """The same catalog with charts and images in these versions. Unknown pins change nothing.

        It is cached by pins, because most clusters of a fleet have the same ones.
        """
        key = frozenset(pins.items())
        if key not in self._pinned:
            pinned = {name: self.versions(name)[pin] for name, pin in pins.items() if pin in self.versions(name)}
            self._pinned[key] = self._with(pinned) if pinned else self
        return self._pinned[key]

    def _with(self, pins: Mapping[str, Version]) -> "Catalog":
        view = copy(self)  # it shares what does not depend on pins: sizes, GPUs, and all versions
        view._pins = {}  # noqa: SLF001
        for kind in PARTS:
            view._pins |= {(kind, name): version for name, version in pins.items() if kind in version.facts}  # noqa: SLF001
        view._tables = {kind: rows for kind, rows in self._tables.items() if kind not in PARTS}  # noqa: SLF001
        view._pinned = {}  # noqa: SLF001
        return view

    @cached_property
    def sku_names(self) -> Mapping[str, str]:
        """Lower-case name to the name in Azure's casing."""
        return {name.lower(): name for name in self.names("skus")}

    def sku(self, name: str) -> Sku | None:
        """A size by its name in any case, with or without Standard_, or None if the catalog does not have it."""
        exact = self._size_name(name)
        if exact is None:
            return None
        if exact not in self._skus:
            row = self.files.row("skus", exact)
            gpu_name = (row.data["gpu"] or {}).get("name") if row else None
            gpu = self.gpu(gpu_name) if gpu_name else None
            listed = {region: sizes[exact] for region, sizes in self._lists.items() if exact in sizes}
            self._skus[exact] = row and sku_of(row.data, gpu, row.origin, listed)
        return self._skus[exact]

    @cached_property
    def _lists(self) -> Mapping[str, Facts]:
        """The sizes that Azure lists for the subscription, by region."""
        lists: dict[str, Facts] = {}
        for region in self.names("availability"):
            row = self.facts("availability", region)
            if row and "sizes" in row and region not in self._unlisted:
                lists[region] = row["sizes"]["listed"]
        return lists

    def is_broken(self, name: str) -> bool:
        """Whether there is a row for this size that cannot be read."""
        return self._size_name(name) is not None and self.sku(name) is None

    def _size_name(self, name: str) -> str | None:
        lower = name.lower()
        return self.sku_names.get(lower) or self.sku_names.get(f"standard_{lower}")

    def gpu(self, name: str) -> Gpu | None:
        """A GPU by its name; None if the catalog does not have it, or if its row cannot be read."""
        if name not in self._gpus:
            facts = self.facts("gpus", name)
            self._gpus[name] = gpu_of(facts) if facts else None
        return self._gpus[name]

    @cached_property
    def gpus(self) -> tuple[Gpu, ...]:
        """Every GPU, in order of name."""
        return tuple(filter(None, map(self.gpu, self.names("gpus"))))

    def skus_with(self, gpus: Collection[str]) -> Iterator[Sku]:
        """The sizes with one of the named GPUs, in order of name. Only rows that mention one of them are read."""
        candidates = (self.sku(name) for name in self.files.mentioning("skus", gpus))
        return (sku for sku in candidates if sku and sku.gpu and sku.gpu.name in gpus)

    @cached_property
    def skus(self) -> tuple[Sku, ...]:
        """Every size, in order of name."""
        return tuple(filter(None, map(self.sku, self.names("skus"))))

    @cached_property
    def _models(self) -> Mapping[str, str]:
        """The GPU model of each size."""
        return {sku.name: sku.model for sku in self.skus}

    def size_remedy(self, name: str) -> str:
        """What to write instead of an unknown size: the same machine, or similar sizes; "" if there are none."""
        if similar := self.similar_name("skus", name):
            return f"did you mean {similar}?"
        return similar_sizes(name, self._models)

    def unknown_size(self, name: str) -> Problem:
        """What is wrong with the name of an unknown size, as a predicate, and what to do."""
        hint = "`gitgpu sku list` shows every size"
        without, named = self.must("families", "azure"), family(name, self._models.values())
        if named in without["withoutGpu"]:
            return Problem(f"has no GPU: Azure's {named} family has none", hint)
        if named in without["fpga"]:
            return Problem(f"has no GPU: Azure's {named} family has FPGAs", hint)
        remedy = self.size_remedy(name)
        if remedy:
            remedy += " " if remedy.endswith("?") else "; "
        return Problem("is not a known Azure GPU size", f"{remedy}{hint}")

    @cached_property
    def _restricted(self) -> frozenset[str]:
        return frozenset(name for name, row in self.rows("regions").items() if row["access"] == "restricted")

    def similar_name(self, kind: str, name: str) -> str | None:
        """The name of a row that is similar to this one, for "did you mean"; for a size, one of the same machine."""
        if kind == "skus":
            return same_machine(name, self._models) or None
        if kind == "regions" and (meant := meant_region(name, self.names(kind), self._restricted)):
            return meant
        return nearest(name, self.names(kind), _CUTOFF) or None


def catalog(directories: tuple[Folder, ...]) -> Catalog:
    """The catalog with the user's directories. All rows in them are read; `files.faults` says what is wrong."""
    return _read(directories) if directories else _shipped()


@cache
def _shipped() -> Catalog:
    """The catalog that gitgpu comes with, which does not change while it runs: a process may read several fleets."""
    return _read(())


def _read(directories: tuple[Folder, ...]) -> Catalog:
    files = CatalogFiles(directories)
    files.read_own()
    files.faults.extend(release_faults(files))
    return Catalog(files)
