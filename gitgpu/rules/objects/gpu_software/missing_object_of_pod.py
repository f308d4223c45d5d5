"""A ConfigMap or Secret that GPU pods mount or read, and that does not exist or does not have the key."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.daemons import daemons
from gitgpu.objects.workload.devices import gpu_devices
from gitgpu.objects.workload.named_objects import keys, missing
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer
from gitgpu.spelling import nearest

_DAEMONS = ("amd-device-plugin", "dcgm-exporter", "device-plugin")


class _Named(NamedTuple):
    """A ConfigMap or Secret that a pod names: the place of the name, and the keys that it needs with their places."""

    place: Pointer
    kind: str
    name: str
    needed: tuple[tuple[Pointer, str], ...] = ()


def _check(objects: Objects) -> Iterator[Finding]:
    if not objects.closed:
        return
    serving = {id(daemon.item) for daemon in daemons(objects, *_DAEMONS)}
    for pod in pods(objects):
        is_daemon = id(pod.item) in serving
        if not is_daemon and not gpu_devices(pod, objects):
            continue
        for named in _every_name(pod):
            yield from _faults(pod, named, objects, is_daemon=is_daemon)


def _faults(pod: Pod, named: _Named, objects: Objects, *, is_daemon: bool) -> Iterator[Finding]:
    namespace = pod.item.identity.namespace
    # Operators and people create many ConfigMaps of workloads outside of files.
    if fault := missing(named.kind, named.name, namespace, objects, only_slips=not is_daemon):
        yield Finding(pod.item, named.place, fault.message, fault.remedy)
        return
    known = keys(named.kind, named.name, namespace, objects)
    if known is None:
        return
    for place, key in named.needed:
        if key not in known:
            near = nearest(key, sorted(known))
            hint = f"; did you mean '{near}'?" if near else ""
            message = f"{named.kind} {named.name} has no key {key}{hint}"
            yield Finding(pod.item, place, message, f"use {near}" if near else "add the key, or correct it")


def _every_name(pod: Pod) -> Iterator[_Named]:
    for index, volume in enumerate(list_at(pod.spec, "volumes")):
        place = (*pod.pointer, "volumes", index)
        yield from _volume_objects(place, mapping_at(volume))
        for at, source in enumerate(list_at(volume, "projected", "sources")):
            yield from _volume_objects((*place, "projected", "sources", at), mapping_at(source), name="name")
    for place, container in pod.containers():
        yield from _environment_objects(place, container)


def _volume_objects(place: Pointer, volume: Mapping[str, Any], name: str = "secretName") -> Iterator[_Named]:
    """The object that a volume, or a source of a projected one, mounts. Only a volume calls a Secret secretName."""
    for field, kind, name_key in (("configMap", "ConfigMap", "name"), ("secret", "Secret", name)):
        source = mapping_at(volume, field)
        if isinstance(source.get(name_key), str) and source.get("optional") is not True:
            at: Pointer = (*place, field, "items")
            entries = enumerate(list_at(source, "items"))
            needed = tuple(((*at, index, "key"), str(reach(entry, "key"))) for index, entry in entries)
            yield _Named((*place, field, name_key), kind, source[name_key], needed)


def _environment_objects(place: Pointer, container: Mapping[str, Any]) -> Iterator[_Named]:
    for index, source in enumerate(list_at(container, "envFrom")):
        for field, kind in (("configMapRef", "ConfigMap"), ("secretRef", "Secret")):
            reference = mapping_at(source, field)
            if isinstance(reference.get("name"), str) and reference.get("optional") is not True:
                yield _Named((*place, "envFrom", index, field, "name"), kind, reference["name"])
    for index, variable in enumerate(list_at(container, "env")):
        for field, kind in (("configMapKeyRef", "ConfigMap"), ("secretKeyRef", "Secret")):
            reference = mapping_at(variable, "valueFrom", field)
            if isinstance(reference.get("name"), str) and reference.get("optional") is not True:
                at: Pointer = (*place, "env", index, "valueFrom", field)
                yield _Named((*at, "name"), kind, reference["name"], (((*at, "key"), str(reference.get("key"))),))


RULE = Rule(
    code="POD102",
    name="missing-object-of-pod",
    severity=Severity.ERROR,
    summary="A GPU daemon or GPU pod uses a ConfigMap, a Secret or a key that does not exist.",
    help="A container waits for the ConfigMaps and Secrets that it mounts or reads, and never starts without them or "
    "without a key that it names. Reported only if the input is the whole cluster. Of a GPU workload, and "
    "of Secrets, one is reported only if another has nearly the same name: many are created outside of files.",
    sources=(
        "https://kubernetes.io/docs/concepts/configuration/configmap/",
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/#restrictions",
    ),
    check=_check,
)
