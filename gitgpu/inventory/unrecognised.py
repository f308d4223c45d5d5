"""Documents in a format that import does not read: what they seem to be, and what to pass instead."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gitgpu.access import text_at

_UNKNOWN = "not a format that import reads"
_FORMATS = "Kubernetes objects, the JSON of `az aks`, `terraform show -json` or `helm list`, or an ARM template"
_SHOW = "run `terraform show -json` in its directory, and pass its output"
_RUNNING = "pass the running state instead: the output of `az aks show -o json`"


class _Form(NamedTuple):
    """A format that is not read: how it is recognised, what it is, and what to do."""

    fits: Callable[[Mapping[str, Any]], bool]
    message: str
    remedy: str


def unrecognised_document(data: Any) -> tuple[str, str]:
    """What is wrong with a document, and the remedy."""
    if not isinstance(data, Mapping):
        return _UNKNOWN, f"pass {_FORMATS}"
    for form in _FORMS:
        if form.fits(data):
            return form.message, form.remedy
    missing_keys = [key for key in ("apiVersion", "kind") if not text_at(data, key)]
    if len(missing_keys) == 1:
        return f"not a Kubernetes object: it has no {missing_keys[0]}", f"add {missing_keys[0]}"
    return _UNKNOWN, f"pass {_FORMATS}; Helm values with `--values CHART=FILE`"


def _is_parameters(data: Mapping[str, Any]) -> bool:
    return "deploymentparameters.json" in text_at(data, "$schema").lower()


def _is_pulumi(data: Mapping[str, Any]) -> bool:
    return isinstance(data.get("deployment"), dict) and "version" in data


def _is_chart(data: Mapping[str, Any]) -> bool:
    return {"apiVersion", "name", "version"} <= data.keys() and "kind" not in data


def _is_terraform(data: Mapping[str, Any]) -> bool:
    """Whether it is Terraform's JSON syntax: resources by type, or modules with their sources."""
    types, modules = data.get("resource"), data.get("module")
    if isinstance(types, dict) and any("_" in name for name in types):
        return True
    return isinstance(modules, dict) and any(text_at(module, "source") for module in modules.values())


_FORMS = (
    _Form(_is_parameters, "deployment parameters without their template", _RUNNING),
    _Form(_is_pulumi, "a Pulumi export, which import does not read", _RUNNING),
    _Form(_is_terraform, "Terraform configuration", _SHOW),
    _Form(_is_chart, "Chart.yaml of a Helm chart", "run `helm template CHART`, and pass its output"),
)
