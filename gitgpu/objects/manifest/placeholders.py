"""Texts in an object that have to be replaced before it is applied: `$NAME`, `${NAME}`, `<your-name>`, `{{ name }}`.

Such text is often intended: a shell in a container expands it, or Kyverno, Argo Workflows or Grafana. So objects are
searched completely only if the fields of their kind are known, and free text is skipped. In other kinds, only names,
namespaces, and the fields of pods in which no controller expands anything are checked.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.access import children, mapping_at, reach
from gitgpu.model.names.groups import (
    AMD_GROUP,
    ARGO_GROUP,
    CONTAINER_SERVICE_GROUP,
    FLUX_HELM_GROUP,
    FLUX_KUSTOMIZE_GROUP,
    FLUX_SOURCE_GROUP,
    KAITO_GROUP,
    KARPENTER_AZURE_GROUP,
    KARPENTER_GROUP,
    KEDA_GROUP,
    KUEUE_GROUP,
    MELLANOX_GROUP,
    NVIDIA_GROUP,
    NVIDIA_RESOURCE_GROUP,
    RBAC_GROUP,
)
from gitgpu.model.names.kinds import APPLICATION
from gitgpu.objects.manifest.object_names import FILES, OPENSHIFT
from gitgpu.source import Pointer

# `$NAME` only as the whole text: inside a text, the shell of a container expands it.
_SHELL = re.compile(r"\$[A-Za-z_]\w*\Z|\$\{[A-Za-z_][^}]*\}", re.ASCII)
# `<name>`, `<<name>>` and `__NAME__`, if they are the whole text.
_WORDS = re.compile(r"<<?[A-Za-z][^<>]*>>?\Z|__[A-Z][A-Z0-9_]*__\Z", re.ASCII)
# <your name> as a part of an image, such as `<registry>.azurecr.io/chat:1.4`, or of the ID of an Azure resource.
_PART = re.compile(r"<[A-Za-z][\w -]*>", re.ASCII)
_AZURE_ID = "/subscriptions/"
# ${NAME}, <your name>, __NAME__ and words such as REPLACE_ME, which stand for a value to fill in.
_IN_NAME = re.compile(
    r"\$\{[A-Za-z_]|\$\$\w+\$\$|<[A-Za-z][\w -]*>|__[A-Z][A-Z0-9_]*__|(?:FILLED|REPLACE|CHANGE|YOUR|INSERT)[ _]",
    re.ASCII,
)
# The last one is a reference that a plugin of Argo CD replaces, such as `<path:kv/data/app#key>`.
_ACTION = re.compile(r"\{\{.*\}\}|\{%.*%\}|<%.*%>|#\{[A-Za-z]|<(?:path|secret|vault):[^<>]+>", re.DOTALL)
# What stands for a name: `...`, SET_AT_RUNTIME, @NAME@, [name], %(name)s. Names of most kinds have no such signs.
_WHOLE_NAME = re.compile(
    r"\.\.\.|…|(?:\A|[-.])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:\Z|[-.])"
    r"|\A(?:X{3,}|NAME|NAMESPACE|PLACEHOLDER|CHANGEME|REPLACEME|TODO|TBD)\Z"
    r"|\A@\w+@\Z|\A\[[\w -]+\]\Z|%\(\w+\)s|\Ayour[_ ]",
    re.ASCII,
)
# What Python and printf replace. No name has such signs.
_VERB = r"\{\w*\}|%(?:\[\d+\])?[sdvq]"
_FORMAT = re.compile(rf"{_VERB}(?!\w)", re.ASCII)
# Keys with code, queries or messages, in which such signs belong to the language.
_FREE = frozenset({
    "additionalPrinterColumns", "annotations", "args", "binaryData", "command", "data", "description", "env",
    "expression", "fileParameters", "formula", "jsonnet", "kustomize", "message", "messageExpression",
    "openAPIV3Schema", "parameters", "patch", "patches", "plugin", "query", "releaseName", "stringData", "substitute",
    "valueFiles", "values", "valuesObject",
})  # fmt: skip
# Keys whose value is a mapping or a list, never a text.
_MAPPED = frozenset({"annotations", "args", "command", "data", "env", "stringData", "valuesObject"})
_KEYED = frozenset({"data", "stringData"})  # a key of these with an action is not valid
# The kubelet expands nothing in these two, and such signs are not valid in an image or a name.
_POD = frozenset({"image", "serviceAccountName"})
# Groups with fields that are known well enough to tell placeholders from other languages.
_GROUPS = frozenset({
    "", AMD_GROUP, "apps", "autoscaling", "batch", CONTAINER_SERVICE_GROUP, "extensions", FLUX_HELM_GROUP,
    KAITO_GROUP, KARPENTER_AZURE_GROUP, KARPENTER_GROUP, KEDA_GROUP, KUEUE_GROUP, FLUX_KUSTOMIZE_GROUP,
    MELLANOX_GROUP, NVIDIA_GROUP, "policy", NVIDIA_RESOURCE_GROUP, FLUX_SOURCE_GROUP,
})  # fmt: skip
# The controllers of these groups replace `{{ }}` and `$()` themselves.
_FILLED = (ARGO_GROUP, "crossplane.io", "kro.run", "openshift.io", "oam.dev", "controlplane.io", "kyverno.io")

VAULT = "avp.kubernetes.io/path"  # with this annotation, Argo CD's Vault plugin replaces `<key>`

# A name is shorter than 300 characters. Without this limit, each name in JSON without line breaks is searched up to the
# end of the file.
_REST = r"[^\n]{0,300}"
_FORMATTED = rf"name(?:space)?[\"']?:[ \t]+[^\s{{]{_REST}(?:{_VERB})"  # possibly a name with such a sign
_WORDED = re.compile(  # possibly a name of words
    rf"name(?:space)?[\"']?:[ \t]+[\"']?(?:[^\s#\"']{{0,300}}[A-Z][A-Z0-9_]|{_REST}(?:\.\.\.|…)|[@\[%]|your[_ ])",
    re.ASCII,
)
_SIGN = re.compile(rf"[$<]|#\{{|\{{\{{|\{{%|{_IN_NAME.pattern}|{_FORMATTED}", re.ASCII)
# Every match of the expression contains one of them. Searching for all of them takes a tenth of the time.
_BEGINNINGS = ("$", "<", "__", "FILLED", "REPLACE", "CHANGE", "YOUR", "INSERT")
_BRACES = ("#{", "{{", "{%", "{}", "}-", "}'", '}"', "%")  # searched one by one, which is faster than the expression


class Placeholder(NamedTuple):
    """A text that must be replaced, its place, and whether it is an action of a template."""

    pointer: Pointer
    text: str
    action: bool


def may_have_placeholder(content: str) -> bool:
    """Whether a text has a sign that every placeholder contains."""
    likely = any(map(content.__contains__, _BEGINNINGS)) or any(map(content.__contains__, _BRACES))
    return (likely and _SIGN.search(content) is not None) or _WORDED.search(content) is not None


def first_placeholder(body: dict[str, Any]) -> Placeholder | None:
    """The first placeholder in an object, or None."""
    found = _first(body)
    if found and found.text.startswith("<") and VAULT in (reach(body, "metadata", "annotations") or ()):
        return found._replace(action=True)
    return found


def _first(body: dict[str, Any]) -> Placeholder | None:
    group = str(body["apiVersion"]).rpartition("/")[0]
    if group in _GROUPS or group.endswith(".k8s.io") or (group, body["kind"]) == APPLICATION:
        return _placeholder_in_name(body) or _placeholder_in_field(body, ())
    return _placeholder_in_name(body) or (None if group.endswith(_FILLED) else _placeholder_in_pod(body, ()))


def _placeholder_in_name(body: dict[str, Any]) -> Placeholder | None:
    """A name or namespace that contains a placeholder: no such name is valid."""
    names, group = mapping_at(body, "metadata"), str(body["apiVersion"]).rpartition("/")[0]
    for key in ("name", "namespace", "generateName"):
        text = names.get(key)
        if isinstance(text, str) and (is_unfilled(text) or _FORMAT.search(text) or _is_word(text, group)):
            is_action = bool(_ACTION.search(text) or (_FORMAT.search(text) and "$" not in text))
            return Placeholder(("metadata", key), text, is_action)
    return None


def _is_word(name: str, group: str) -> bool:
    """Whether a name is a word for a name, which Kubernetes does not allow as a name."""
    return bool(_WHOLE_NAME.search(name)) and group not in (RBAC_GROUP, *OPENSHIFT, *FILES)


def is_unfilled(name: str) -> bool:
    """Whether a name contains a placeholder."""
    return bool(_ACTION.search(name) or _IN_NAME.search(name) or _is_hole(name))


def unfilled_names(kustomization: Mapping[str, Any]) -> Placeholder | None:
    """The first placeholder in what a kustomization adds to the names of its objects, or None."""
    for key in ("namespace", "namePrefix", "nameSuffix"):
        text = kustomization.get(key)
        if isinstance(text, str) and is_unfilled(text):
            return Placeholder((key,), text, bool(_ACTION.search(text)))
    return None


def _placeholder_in_field(value: Any, pointer: Pointer) -> Placeholder | None:
    """The first placeholder in fields where such text cannot be intended."""
    if isinstance(value, str):
        return _as_hole(value, pointer)
    for key, item in children(value):
        names = item if key in _KEYED and isinstance(item, dict) else ()
        if named := next((name for name in names if _ACTION.search(name)), None):
            return Placeholder((*pointer, key, named), named, action=True)
        text = item if isinstance(item, str) and key in _MAPPED else None
        hole = _as_hole(text, (*pointer, key)) if text else None
        is_requirement = key == "values" and isinstance(item, list)  # and not the values of a chart
        free = key in _FREE and not is_requirement
        if hole or (not free and (hole := _placeholder_in_field(item, (*pointer, key)))):
            return hole
    return None


def _placeholder_in_pod(value: Any, pointer: Pointer) -> Placeholder | None:
    """The first image or service account with a placeholder."""
    for key, item in children(value):
        if key in _POD and isinstance(item, str) and (_is_hole(item) or _PART.search(item)):
            return Placeholder((*pointer, key), item, action=False)
        if hole := _placeholder_in_pod(item, (*pointer, key)):
            return hole
    return None


def _as_hole(text: str, pointer: Pointer) -> Placeholder | None:
    if "<" in text and (pointer[-1] in _POD or text.startswith(_AZURE_ID)) and _PART.search(text):
        return Placeholder(pointer, text, action=False)
    if not text.startswith(("$", "<", "{", "_")):  # most texts: this saves two searches
        return None
    if _ACTION.match(text):
        return Placeholder(pointer, text, action=True)
    return Placeholder(pointer, text, action=False) if _is_hole(text) else None


def _is_hole(text: str) -> bool:
    return bool(_SHELL.match(text) or _WORDS.match(text))
