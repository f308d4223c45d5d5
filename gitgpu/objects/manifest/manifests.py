"""The files of a lint run: the named files, and the files that their kustomizations name.

Relative paths in a kustomization are followed inside the named directories and the Git work trees around them. Other
files, and files with names of neither YAML nor JSON, are reported as warnings and never opened.
"""

import posixpath
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.allowed_paths import allowed_roots, outside_reason
from gitgpu.load.parse.parallel import Parsing
from gitgpu.load.parse.quick import QuickParsed
from gitgpu.load.parse.yaml import parse
from gitgpu.load.read import exists, is_file, read_text
from gitgpu.load.text import Text
from gitgpu.load.walk import SUFFIXES
from gitgpu.objects.delivery.flux import is_flux
from gitgpu.objects.delivery.kustomization_cycles import cycles
from gitgpu.objects.delivery.kustomization_names import FILES, is_kustomization
from gitgpu.objects.delivery.kustomize import Kustomization, Use, below, kustomization
from gitgpu.objects.delivery.patch_files import with_patch_files
from gitgpu.objects.loaded import ManifestFile
from gitgpu.objects.manifest.assert_files import without_asserts
from gitgpu.objects.manifest.chart_folders import chart_of, charts_of, unrendered_notes
from gitgpu.objects.manifest.manifest_file import manifest_file, placeholder_fault
from gitgpu.objects.manifest.missing_files import explain_missing
from gitgpu.objects.manifest.parsing import begin_parsing
from gitgpu.objects.manifest.placeholder_names import with_noted_names
from gitgpu.objects.manifest.placeholders import unfilled_names
from gitgpu.objects.manifest.template_sets import without_template_files
from gitgpu.objects.manifest.templates import first_action

_TWICE = "YML002"


class Manifests(NamedTuple):
    """Everything that was read, by file name. `faults` are about files that could not be read."""

    texts: Mapping[str, Text]
    files: Mapping[str, ManifestFile]
    kustomizations: Mapping[str, Kustomization]
    faults: tuple[Diagnostic, ...]


NO_MANIFESTS = Manifests({}, {}, {}, ())


class _Read(NamedTuple):
    """Texts by name, the kustomizations among them, faults of files that these name, and the paths of missing files."""

    texts: dict[str, Text]
    kustomizations: dict[str, Kustomization]
    faults: list[Diagnostic]
    missing: dict[Diagnostic, str]


def read_manifests(
    texts: Iterable[Text], named: Container[str] | None = None, parsing: Parsing | None = None
) -> Manifests:
    """The manifest files of these texts and of the files that kustomizations among them name.

    `named` are the files that the user names; None means all. In other files, from directories, anything but Kubernetes
    objects is ignored, and templates give one note for each chart or folder. `parsing` has the documents of `texts`.
    """
    all_texts = list(texts)
    parsed = (parsing or begin_parsing(all_texts, 1)).documents()
    read = _with_named_files(all_texts)
    charts = charts_of({text.name for text in all_texts})
    files: dict[str, ManifestFile] = {}
    for name, text in read.texts.items():
        if name not in read.kustomizations:
            files[name] = _manifest_file(text, charts, named, parsed.get(name))
    files = without_template_files(files, read.texts, named)
    missing = explain_missing(read.missing, frozenset(read.texts))
    faults = (*read.faults, *missing, *unrendered_notes(files, charts))
    kustomizations = with_patch_files(read.kustomizations, read.texts)
    settled_read = settle_waiting(Manifests(read.texts, without_asserts(files, named), kustomizations, faults))
    return settled_read._replace(files=with_noted_names(settled_read.files, named))


def _with_named_files(texts: Sequence[Text]) -> _Read:
    """The texts, and the files that kustomizations among them name, directly or through others."""
    read, waiting = _Read({}, {}, [], {}), list(texts)
    names = {text.name for text in texts}  # these texts have priority over the files on disk
    allowed = allowed_roots(_folder(text) for text in texts if is_kustomization(text.name))
    while waiting:
        text = waiting.pop()
        if text.name in read.texts:
            continue
        read.texts[text.name] = text
        current, repeated = _kustomization(text)
        if current is None:
            continue
        read.kustomizations[text.name] = current
        read.faults.extend(repeated)
        for use in current.uses:
            if use.path in read.texts or below(use.path, read.kustomizations) or _is_given(use, names):
                continue
            result = _follow(use, current, allowed)
            if isinstance(result, Text):
                waiting.append(result)
            elif result.code == "LNT004":
                read.missing[result] = use.path
            else:
                read.faults.append(result)
    return read


def _is_given(use: Use, names: Collection[str]) -> bool:
    """Whether the target of a kustomization's entry is among the texts, as a file or a directory's kustomization."""
    return use.path in names or any(posixpath.join(use.path, file) in names for file in FILES)


def settle_waiting(read: Manifests) -> Manifests:
    """The manifest files without waiting objects. They become objects if Flux may replace `${NAME}`, or else faults."""
    objects = {}
    for name, file in read.files.items():
        waiting = (loaded for loaded, _ in file.waiting)
        objects[name] = (*file.objects, *waiting)
    flux = is_flux(objects)
    files: dict[str, ManifestFile] = {}
    for name, file in read.files.items():
        if not file.waiting:
            files[name] = file
        elif flux:
            files[name] = file._replace(objects=objects[name])
        else:
            faults = (*file.faults, *(fault for _, fault in file.waiting))
            files[name] = file._replace(faults=faults, waiting=())
    unfilled = () if flux else _unfilled_kustomizations(read)
    return read._replace(files=files, faults=(*read.faults, *unfilled, *cycles(read.kustomizations)))


def _unfilled_kustomizations(read: Manifests) -> Iterator[Diagnostic]:
    for root in read.kustomizations.values():
        gap = unfilled_names(root.data)
        if gap and not gap.action:
            yield placeholder_fault(gap, root.places)


def _manifest_file(
    text: Text, charts: Collection[str], named: Container[str] | None, parsed: Sequence[QuickParsed] | None
) -> ManifestFile:
    if named is None or text.name in named:
        return manifest_file(text, parsed)
    if is_kustomization(text.name):
        file = manifest_file(text)
        actions = [fault.span for fault in file.faults if fault.code == "LNT001"]
        return ManifestFile((), (), (), (), actions[0]) if actions else file
    if "{{" in text.content and chart_of(text.name, charts) is not None:
        return ManifestFile((), (), (), (), first_action(text.name, text.content))
    return manifest_file(text, parsed, named=False)


def _kustomization(text: Text) -> tuple[Kustomization | None, list[Diagnostic]]:
    """The kustomization in a text, and warnings about keys that are in it twice with equal values."""
    if not is_kustomization(text.name):
        return None, []
    documents, faults = parse(text)
    broken = any(fault.code != _TWICE for fault in faults)
    if broken or len(documents) != 1 or not isinstance(documents[0].data, dict):
        return None, []
    if faults and _last_values(text) != documents[0].data:  # Kustomize uses the last value, and this is the first
        return None, []
    warnings = [fault._replace(severity=Severity.WARNING) for fault in faults]
    return kustomization(text.name, documents[0].data, documents[0].places), warnings


def _last_values(text: Text) -> Any:
    """The mapping with the last value of each key; None if another parser does not read it."""
    import yaml  # noqa: PLC0415  takes longer to load than Python itself

    try:
        return yaml.load(text.content, yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError):
        return None


def _folder(text: Text) -> str:
    """The named directory that contains the text; for a named file, its directory. "" is the current one."""
    return text.name.removesuffix(text.label)


def _follow(use: Use, current: Kustomization, allowed: Collection[str]) -> Text | Diagnostic:
    """The text that a kustomization's entry names: the file, or the kustomization of the directory."""
    why = "is an absolute path" if use.rooted else outside_reason(use.path, allowed)
    if why:
        return _passed_over(use, current, why)
    file = next((path for path in _candidates(use.path) if is_file(path)), "")
    if not file:
        missing = "the directory has no kustomization.yaml" if exists(use.path) else "does not exist"
        remedy = "correct the path, which is relative to the kustomization"
        return Diagnostic("LNT004", Severity.ERROR, f"{use.path}: {missing}", remedy, current.places.span(use.pointer))
    why = outside_reason(file, allowed)  # the kustomization of a directory can be a symbolic link
    if not (is_kustomization(file) or file.endswith(SUFFIXES)):
        why = f"has an unsupported extension; expected {', '.join(SUFFIXES)}"
    return _passed_over(use, current, why) if why else read_text(file, posixpath.basename(file))


def _candidates(path: str) -> tuple[str, ...]:
    return (path, *(posixpath.join(path, file) for file in FILES))


def _passed_over(use: Use, current: Kustomization, why: str) -> Diagnostic:
    """The warning about a file that is not read. It shows the name of the file, but not its content."""
    place = current.places.span(use.pointer)
    remedy = "use a path relative to the kustomization, inside the repository; or pass the file to gitgpu as well"
    return Diagnostic("LNT009", Severity.WARNING, f"{use.path} is not read: it {why}", remedy, place)


def strictly(read: Manifests, *, strict: bool) -> Iterator[Diagnostic]:
    """All faults; with `strict`, a note about templates or placeholders is an error."""
    for fault in chain(read.faults, *(file.faults for file in read.files.values())):
        yield fault._replace(severity=Severity.ERROR) if strict and fault.code in ("LNT001", "LNT002") else fault
