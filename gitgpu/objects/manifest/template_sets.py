"""Files with placeholders that are templates, not manifests to fill in by hand: nothing else is reported about them.

Their names, their folder, their number or a file that renders them says so.
"""

import posixpath
import re
from collections.abc import Container, Iterator, Mapping
from typing import Any

from gitgpu.access import children, reach
from gitgpu.load.text import Text
from gitgpu.objects.delivery.flux import is_flux
from gitgpu.objects.loaded import ManifestFile
from gitgpu.objects.manifest.renderers import rendered_texts
from gitgpu.source import Span

# A token that a script replaces, such as <CLUSTER_NAME>.
_TOKEN = re.compile(r"<[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+>", re.ASCII)
_CAUSED = ("YML001", "YML003")  # faults that a token causes
_MAX_FILES = 10  # files: people do not fill in more by hand
# namespace.tftpl.yaml and deployment-template.yaml; and folders such as templates and _namespace_template.
_FILE = re.compile(
    r"\.(?:tftpl|tpl|tmpl|gotmpl|template|ftl|j2|jinja2?|envsubst|in)\.\w+\Z|(?:\A|[-_.])(?:tpl|tmpl|template)\.\w+\Z"
    r"|\Atemplate[-_.]"
)
_FOLDER = re.compile(r"(?:\A|[-_.])(?:templates?|tmpl|tpl)\Z")
_TERRAFORM = re.compile(r"\$\{[a-z][a-z0-9_]*\}", re.ASCII)  # shells and Flux have capitals
# Words for a value, such as CLUSTER_NAME and vllm-V_ACCELERATOR: names and images have no capitals.
_CAPITALS = re.compile(r"(?:\A|[-/.:])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:\Z|[-/.:])|\A[A-Z]{3,}\Z", re.ASCII)
_MAY_HAVE_CAPITALS = re.compile(r"(?m)(?:name|namespace|image)[\"']?:[ \t]+[\"']?[^\s#\"']*[A-Z]{2}", re.ASCII)


def without_template_files(
    files: Mapping[str, ManifestFile], texts: Mapping[str, Text], named: Container[str] | None
) -> dict[str, ManifestFile]:
    """The manifest files; those with placeholders that are templates have only a place, except those that are named."""
    if named is None:
        return dict(files)
    is_filled = is_flux(_objects(files))
    marks: dict[str, Span] = {}
    for name, read in files.items():
        mark = None if name in named else _first_mark(read, texts[name], is_filled=is_filled)
        if mark:
            marks[name] = mark
    words: dict[str, Span] = {}
    for name, read in files.items():
        word = None if name in named or name in marks else _first_capitals(read, texts[name])
        if word:
            words[name] = word
    are_many = len(words) + len(marks) >= _MAX_FILES
    templates = {**words, **marks} if are_many else _alone(files, texts, marks, words)
    return {**files, **{name: ManifestFile((), (), (), (), span) for name, span in templates.items()}}


def is_template_name(file: str) -> bool:
    """Whether the name of a file, or of a folder that it is in, says that it is a template."""
    *folders, name = file.split("/")
    return bool(_FILE.search(name)) or any(map(_FOLDER.search, folders))


def _alone(
    files: Mapping[str, ManifestFile], texts: Mapping[str, Text], marks: Mapping[str, Span], words: Mapping[str, Span]
) -> dict[str, Span]:
    """The templates among few files with placeholders."""
    folders: dict[str, set[str]] = {}
    for name, read in files.items():
        if read.objects or read.waiting or read.faults:
            folders.setdefault(posixpath.dirname(name), set()).add(name)
    terraform = {name for name in marks if _TERRAFORM.search(texts[name].content)}
    by_name = {name: span for name, span in {**words, **marks}.items() if is_template_name(name)}
    by_folder = {name: marks[name] for name in terraform if folders.get(posixpath.dirname(name), set()) <= terraform}
    others = [texts[name] for name in marks if name not in by_name and name not in by_folder]
    by_tool = {text.name: marks[text.name] for text in rendered_texts(others)}
    return {**by_name, **by_folder, **by_tool}


def _objects(files: Mapping[str, ManifestFile]) -> dict[str, tuple[Any, ...]]:
    return {name: (*file.objects, *(loaded for loaded, _ in file.waiting)) for name, file in files.items()}


def _first_mark(read: ManifestFile, text: Text, *, is_filled: bool) -> Span | None:
    """The place of the first placeholder. Of `${NAME}` only if Flux fills none of them in."""
    places = [fault.span for fault in read.faults if fault.code == "LNT002"]
    places += [] if is_filled else [fault.span for _, fault in read.waiting]
    wrong = [fault.span for fault in read.faults if fault.code in _CAUSED]
    lines = text.content.splitlines() if wrong else []
    for span in wrong:
        # Also the line before: a fault is reported at the end of the value, which may be on the next line.
        if any(_TOKEN.search(line) for line in lines[max(span.line - 2, 0) : span.line]):
            places.append(span)
    return min(places, default=None)


def _first_capitals(read: ManifestFile, text: Text) -> Span | None:
    """The place of the first name or image with a word in capitals that stands for a value."""
    if not _MAY_HAVE_CAPITALS.search(text.content):
        return None
    for loaded in read.objects:
        for key in ("name", "namespace"):
            value = reach(loaded.body, "metadata", key)
            if isinstance(value, str) and _CAPITALS.search(value):
                return loaded.places.span(("metadata", key))
        if any(_CAPITALS.search(image) for image in _images(loaded.body)):
            return loaded.places.span(("kind",))
    return None


def _images(value: Any) -> Iterator[str]:
    for key, item in children(value):
        if key == "image" and isinstance(item, str):
            yield item
        yield from _images(item)
