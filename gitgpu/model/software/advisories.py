"""Combinations of versions that are known not to work: catalog/advisories.

A match has three answers. What was not read (such as the node image, in a fleet) is neither a match nor none.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.version_range import allows

_IMAGE = re.compile(
    r"AKS(?P<system>AzureLinux|Ubuntu|Windows|CBLMariner)?.*-(?P<version>\d{6}\.\d{2}\.\d+)", re.IGNORECASE
)
_EXACT = re.compile(r"v?\d+\.\d+\.\d+(?:[-+.]\S*)?", re.ASCII)  # one version, not a range such as 25.10.x
_SYSTEMS = {"azurelinux": "AzureLinux", "cblmariner": "AzureLinux", "ubuntu": "Ubuntu", "windows": "Windows"}
NO_KARPENTER = "none"  # instead of the version of Karpenter: something else made the node


class Verdict(StrEnum):
    """Whether a combination is affected."""

    YES = "affected"
    NO = "not affected"
    UNKNOWN = "unknown"


class Match(NamedTuple):
    """The verdict. If it is unknown, `unread` are the keys of `match` that depend on facts that were not read."""

    verdict: Verdict
    unread: tuple[str, ...] = ()


_NO_MATCH = Match(Verdict.NO)


class Combination(NamedTuple):
    """What is known about nodes of one size, and one chart or image ("" for the other). None is what was not read.

    `driver` is what installs the GPU driver. `system` is AzureLinux, Ubuntu or Windows, and `node_image` a version
    such as 202607.02.0. `karpenter` is NO_KARPENTER for other nodes.
    """

    sku: Sku | None = None
    system: str | None = None
    driver: str | None = None
    node_image: str | None = None
    kubernetes: str | None = None
    containerd: str | None = None
    karpenter: str | None = None
    chart: str | None = None
    image: str | None = None
    version: str | None = None


class Advisory(NamedTuple):
    """A row. `begins` and `until` are days or ""; with `rules`, these report it. `facts` is the row itself.

    `no_gpus` says that affected nodes advertise no GPUs.
    """

    id: str
    title: str
    severity: Severity
    match: Mapping[str, Any]
    begins: str
    until: str
    effect: str
    remedy: str
    rules: tuple[str, ...]
    sources: tuple[str, ...]
    facts: Facts
    no_gpus: bool = False

    @property
    def software(self) -> tuple[str, ...]:
        """The names of the charts or images that it is about."""
        return (*self.match.get("chart", ()), *self.match.get("image", ()))

    @property
    def of_software(self) -> bool:
        """Whether it is about a chart or an image."""
        return bool(self.software)

    def is_about(self, chart: str, image: str) -> bool:
        """Whether it names this chart or this image ("" for the other)."""
        return chart in self.match.get("chart", ()) or _is_named(image, self.match.get("image", ()))

    @property
    def of_nodes(self) -> bool:
        """Whether it is about the size, the image or the software of nodes."""
        return not {"chart", "image", "version", "kubernetes"}.issuperset(self.match)


def advisories(catalog: Catalog) -> Iterator[Advisory]:
    """All advisories, in order of their codes."""
    for name, row in catalog.rows("advisories").items():
        yield Advisory(
            id=name,
            title=row["title"],
            severity=Severity(row["severity"]),
            match=row["match"],
            begins=row["from"] or "",
            until=row["until"] or "",
            effect=row["effect"],
            remedy=row["remedy"],
            rules=tuple(row.get("rules") or ()),
            sources=tuple(row["source"]),
            facts=row,
            no_gpus=row.get("noGpus", False),
        )


def match(advisory: Advisory, combination: Combination, today: str = "") -> Match:
    """Whether an advisory applies to a combination on a day. Without a day, one that begins later has begun."""
    if (today and today < advisory.begins) or _is_over(advisory, combination, today):
        return _NO_MATCH
    unread: list[str] = []
    for key, wanted in advisory.match.items():
        answer = _ANSWERS[key](wanted, combination)
        if answer is False:
            return _NO_MATCH
        if answer is None:
            unread.append(key)
    return Match(Verdict.UNKNOWN, tuple(unread)) if unread else Match(Verdict.YES)


def node_image_parts(image: str) -> tuple[str | None, str | None]:
    """The operating system and the version in the name of an image, AKSUbuntu-2204gen2containerd-202607.02.0."""
    found = _IMAGE.fullmatch(image.strip())
    if not found:
        return None, None
    return _SYSTEMS.get((found["system"] or "").lower()), found["version"]


def exact_version(text: str) -> str | None:
    """A version of a chart or in a tag; None for a range, a branch or a tag such as latest."""
    return text if _EXACT.fullmatch(text.strip()) else None


def _is_over(advisory: Advisory, combination: Combination, today: str) -> bool:
    """Whether the node image is of a later day than the effect. Without any version, the day of the run counts."""
    if not advisory.until:
        return False
    if combination.node_image:
        year, day = combination.node_image[:4], combination.node_image[4:6] + "-" + combination.node_image[7:9]
        return f"{year}-{day}" > advisory.until
    versioned = ("nodeImage", "kubernetes", "containerd", "version")
    return bool(today) and today > advisory.until and not any(key in advisory.match for key in versioned)


def _size(wanted: Sequence[str], combination: Combination, value: Callable[[Sku], str | None]) -> bool | None:
    if combination.sku is None:
        return None
    name = value(combination.sku)
    return None if name is None else name in wanted


def _inside(wanted: str, text: str | None) -> bool | None:
    """Whether a version is in a range. A minor version without a patch is, only if all of its patches are."""
    if text is None:
        return None
    numbers = text.removeprefix("v")
    if re.fullmatch(r"\d+\.\d+", numbers):
        first, last = allows(wanted, f"{numbers}.0"), allows(wanted, f"{numbers}.999")
        return first if first is last else None
    return allows(wanted, numbers)


def _karpenter(wanted: str, combination: Combination) -> bool | None:
    if combination.karpenter == NO_KARPENTER:
        return False
    return _inside(wanted, combination.karpenter)


def _named(wanted: Sequence[str], text: str | None) -> bool | None:
    return None if text is None else text in wanted


def _image(wanted: Sequence[str], combination: Combination) -> bool | None:
    return None if combination.image is None else _is_named(combination.image, wanted)


def _is_named(image: str, names: Iterable[str]) -> bool:
    return any(f"/{image}".endswith(f"/{name}") for name in names)


_ANSWERS: Mapping[str, Callable[[Any, Combination], bool | None]] = {
    "sizes": lambda wanted, combination: _size(wanted, combination, lambda sku: sku.name),
    "families": lambda wanted, combination: _size(wanted, combination, lambda sku: sku.row.get("quotaFamily")),
    "gpus": lambda wanted, combination: _size(wanted, combination, lambda sku: sku.gpu.name if sku.gpu else ""),
    "rdma": lambda _, combination: combination.sku and combination.sku.rdma,
    "imageFamily": lambda wanted, combination: _named(wanted, combination.system),
    "driver": lambda wanted, combination: None if combination.driver is None else combination.driver == wanted,
    "nodeImage": lambda wanted, combination: _inside(wanted, combination.node_image),
    "kubernetes": lambda wanted, combination: _inside(wanted, combination.kubernetes),
    "containerd": lambda wanted, combination: _inside(wanted, combination.containerd),
    "karpenter": _karpenter,
    "chart": lambda wanted, combination: _named(wanted, combination.chart),
    "image": _image,
    "version": lambda wanted, combination: _inside(wanted, combination.version),
}
