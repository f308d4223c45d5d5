"""An image in the values of a chart that starts with a URL scheme."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_SCHEMES = ("docker://", "http://", "https://", "oci://")
_PARTS = ("image", "registry", "repository")  # keys of charts for an image or a part of its reference
_Path = tuple[str, ...]


def _check(objects: Objects) -> Iterator[Finding]:
    charts = objects.catalog.names("values")
    for release in releases(objects):
        if release.chart not in charts:
            continue
        for path, text in _images(release.values, ()):
            scheme = next((prefix for prefix in _SCHEMES if text.lower().startswith(prefix)), "")
            if scheme and not is_template(text):
                message = f"{'.'.join(path)} starts with {scheme}, but an image reference has no scheme"
                yield Finding(*release.locate(*path), message, f"use {text[len(scheme) :]}")


def _images(values: Mapping[str, Any], above: _Path) -> Iterator[tuple[_Path, str]]:
    """The parts of image references: keys with these names in a map named image, or next to a tag or version."""
    named = bool(above) and "image" in above[-1].lower()
    about = named or not {"image", "tag", "version"}.isdisjoint(values)
    for key, value in values.items():
        path = (*above, str(key))
        if isinstance(value, dict):
            yield from _images(value, path)
        elif isinstance(value, str) and key in _PARTS and about:
            yield path, value


RULE = Rule(
    code="STK039",
    name="image-value-with-scheme",
    severity=Severity.ERROR,
    summary="An image reference in the values of a chart starts with a URL scheme.",
    help="The chart uses the text as the start of an image reference. The kubelet rejects it, and the pods stay in "
    "InvalidImageName. gitgpu checks the charts that the catalog lists under values.",
    sources=(
        "https://github.com/distribution/reference/blob/0965666a6ade2e06035fe352e38344be1e68951a/regexp.go",
        "https://kubernetes.io/docs/concepts/containers/images/",
    ),
    check=_check,
)
