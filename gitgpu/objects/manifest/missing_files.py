"""Files that a kustomization names and that do not exist: an error, unless something makes them before a build."""

import posixpath
import re
from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.git import ignored_paths
from gitgpu.objects.manifest.template_sets import is_template_name

_TEMPLATE = r"(?:tftpl|tpl|tmpl|gotmpl|template|j2|jinja2?|envsubst|in|example|sample|dist|sops|enc|age)"
_FLUX = "flux-system"  # the folder that `flux bootstrap` writes, and commits later


def explain_missing(missing: Mapping[Diagnostic, str], names: frozenset[str]) -> Iterator[Diagnostic]:
    """The faults about missing files, by path; a note for each file that is made later. `names` are all files."""
    made = {fault: _maker(path, fault.span.file, names) for fault, path in missing.items()}
    unknown = [path for fault, path in missing.items() if not made[fault]]
    by_git = ignored_paths(unknown) if unknown else frozenset()
    for fault, path in missing.items():
        why = made[fault] or ("Git ignores it" if path in by_git else "")
        if not why:
            yield fault
            continue
        remedy = "make it first, and lint the directory again"
        yield fault._replace(severity=Severity.INFO, message=f"{path} is not checked: {why}", help=remedy)


def _maker(path: str, kustomization: str, names: frozenset[str]) -> str:
    """Why a missing file is made later; "" if there is no sign of it in the names of files."""
    if posixpath.basename(path) == _FLUX or f"/{_FLUX}/gotk-" in f"/{path}":
        return "`flux bootstrap` makes it"
    if is_template_name(kustomization):
        return "its kustomization is a template"
    folder, name = posixpath.split(path)
    stem, ending = posixpath.splitext(name)
    made = re.compile(rf"{re.escape(stem)}(?:\.{_TEMPLATE}{re.escape(ending)}|{re.escape(ending)}\.{_TEMPLATE})\Z")
    inside = f"{folder}/" if folder else ""
    templates = (other for other in names if other.startswith(inside) and made.match(posixpath.basename(other)))
    nearest = min(templates, key=lambda other: (other.count("/"), other), default="")
    return f"it is made from {nearest}" if nearest else ""
