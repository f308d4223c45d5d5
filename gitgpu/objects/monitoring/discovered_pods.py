"""Pods that a ScrapeConfig finds in the Kubernetes API and scrapes, as far as it is certain."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.load.validate.linear_regex import longest
from gitgpu.model.names.kinds import SCRAPE_CONFIG
from gitgpu.objects.objects import Item, Objects

_META = "__meta_kubernetes_"
_OTHER_CHARACTER = re.compile(r"[^a-zA-Z0-9_]")
# The roles that find pods, and those whose label selectors count for them: labels of a Service are on its endpoints.
_POD, _ENDPOINTS = "Pod", ("Endpoints", "EndpointSlice")
_SELECTED = (_POD, "Service", *_ENDPOINTS)


class ScrapedPort(NamedTuple):
    """A port of a container: its pod's namespace and labels, which its Service has too, its names and its number."""

    namespace: str
    labels: Mapping[str, str]
    container_port: str
    service_port: str
    number: int


def scrapers(objects: Objects, port: ScrapedPort) -> Iterator[Item]:
    """The ScrapeConfigs that certainly scrape the port."""
    for item in objects.of(*SCRAPE_CONFIG):
        spec = mapping_at(reach(item.body, "spec"))
        is_plain = spec.get("metricsPath") in (None, "/metrics") and str(spec.get("scheme") or "HTTP").upper() == "HTTP"
        if is_plain and any(_finds(config, port, spec) for config in list_at(spec.get("kubernetesSDConfigs"))):
            yield item


def _finds(config: Mapping[str, Any], port: ScrapedPort, spec: Mapping[str, Any]) -> bool:
    """Whether a discovery of this cluster finds the port, and the relabelings keep it."""
    role = config.get("role")
    names, own = (mapping_at(config.get("namespaces")).get(key) for key in ("names", "ownNamespace"))
    sees = port.namespace in names if names else not own
    if role not in (_POD, *_ENDPOINTS) or config.get("apiServer") or not sees:
        return False
    selected = all(_selects(selector, port) for selector in list_at(config.get("selectors")))
    return selected and _kept(_meta_labels(role, port), list_at(spec.get("relabelings")))


def _selects(selector: Mapping[str, Any], port: ScrapedPort) -> bool:
    """Whether a selector certainly selects: only equalities of known labels do."""
    if selector.get("field") or selector.get("role") not in _SELECTED:
        return False
    terms = [term for term in str(selector.get("label") or "").split(",") if term.strip()]
    pairs = [re.fullmatch(r"\s*([^\s=!]+)\s*==?\s*([^\s=]+)\s*", term) for term in terms]
    return all(pair and port.labels.get(pair[1]) == pair[2] for pair in pairs)


def _meta_labels(role: str, port: ScrapedPort) -> dict[str, str]:
    """The labels of the target that are known before its relabelings."""
    known = {
        f"{_META}namespace": port.namespace,
        f"{_META}pod_container_port_name": port.container_port,
        f"{_META}pod_container_port_number": str(port.number),
    }
    owners = ["pod"]
    if role in _ENDPOINTS:
        owners.append("service")
        known[f"{_META}{'endpoint' if role == 'Endpoints' else 'endpointslice'}_port_name"] = port.service_port
    for owner in owners:
        for key, value in port.labels.items():
            name = _OTHER_CHARACTER.sub("_", key)
            known |= {f"{_META}{owner}_label_{name}": value, f"{_META}{owner}_labelpresent_{name}": "true"}
    return known


def _kept(known: dict[str, str], rules: list[Mapping[str, Any]]) -> bool:
    """Whether the relabelings certainly keep the target, with its address."""
    for rule in rules:
        action = str(rule.get("action") or "replace").lower()
        target = str(rule.get("targetLabel") or "")
        if action in ("keep", "drop"):
            if _matches(rule, known) is not (action == "keep"):
                return False
        elif target.startswith("__") and not target.startswith("__tmp"):
            return False  # another address, path or scheme
        elif not target and action != "labelmap":
            return False  # labels are compared or removed
        else:
            known.pop(target, None)
    return True


def _matches(rule: Mapping[str, Any], known: Mapping[str, str]) -> bool | None:
    """Whether the regular expression of a rule matches all of its source labels; None if that is not known."""
    names = rule.get("sourceLabels") or ()
    pattern = str(rule.get("regex", "(.*)"))
    value = str(rule.get("separator", ";")).join(known.get(name, "") for name in names)
    limit = longest(pattern)
    if not known.keys() >= set(names) or (limit is not None and len(value) > limit):
        return None
    try:
        return re.fullmatch(pattern, value) is not None
    except re.error:
        return None
