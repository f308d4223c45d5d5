"""What a running node-problem-detector looks for besides errors of GPUs: gitgpu's would not look for that."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, reach, rows, text_at
from gitgpu.adopt.stack.view import View
from gitgpu.inventory.observed import Observed
from gitgpu.load.parse.quick import mapping_in
from gitgpu.objects.workload.pods import words_of

_OPTION = "--config."  # such as --config.system-log-monitor=/config/kernel-monitor.json,/config/xid.json
_OF_GPUS = ("xid", "nvrm", "gpu", "nvidia")


def why_detector_stays(daemon: Observed, container: Mapping[str, Any], view: View) -> str:
    """Why it has to stay; "" if it looks only for errors of GPUs, or for none of them."""
    files = dict(_files(daemon, view))
    named = [path.rpartition("/")[2] for path in _paths(container)] or list(files)
    others = [name for name in named if not all(map(_is_of_gpus, _rules(files.get(name, ""))))]
    if not others or not any(map(_is_of_gpus, files.values())):
        return ""
    return f"it also looks for other problems ({', '.join(others)}), which gitgpu's does not: it stays as it is"


def _paths(container: Mapping[str, Any]) -> Iterator[str]:
    """The files of its monitors, as options name them."""
    for word in words_of(container):
        if word.startswith(_OPTION):
            yield from filter(None, word.partition("=")[2].split(","))


def _files(daemon: Observed, view: View) -> Iterator[tuple[str, str]]:
    """The files of the ConfigMaps that its pods mount: name and text."""
    volumes = rows(daemon.body, "spec", "template", "spec", "volumes")
    names = {reach(volume, "configMap", "name") for volume in volumes} - {None}
    for other in view.cluster.objects:
        meta = mapping_at(other.body, "metadata")
        near = meta.get("namespace") == text_at(daemon.body, "metadata", "namespace")
        if other.body.get("kind") == "ConfigMap" and near and meta.get("name") in names:
            yield from ((name, str(text)) for name, text in mapping_at(other.body, "data").items())


def _rules(text: str) -> list[Any]:
    """The rules of a monitor, or its text if it has none."""
    return list_at(mapping_in(text), "rules") or [text]


def _is_of_gpus(rule: Any) -> bool:
    return any(word in str(rule).lower() for word in _OF_GPUS)
