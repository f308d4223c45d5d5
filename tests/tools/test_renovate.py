"""The preset for Renovate finds every pinned version of a fleet, and nothing else."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

import pytest
import re2
import yaml
from hypothesis import given
from hypothesis import strategies as some

from tests.helping.cases import for_each
from tests.helping.nested import entries
from tools.renovate import FILES, PRESET, preset

MANAGERS = json.loads(preset())["customManagers"]
NAMES = sorted(manager["description"].removeprefix("stack.versions.") for manager in MANAGERS)


def pins(text: str) -> list[tuple[str, str]]:
    """The pins that Renovate finds, with its engine: each pattern is searched in the matches of the one before."""
    return sorted((name, version) for name, version, _ in ring_pins(text))


def ring_pins(text: str) -> list[tuple[str, str, str]]:
    """The same with the type of each dependency, or "": Renovate merges the groups of all patterns."""
    return sorted(pin for manager in MANAGERS for pin in _search(text, manager["matchStrings"], ""))


def _search(text: str, patterns: list[str], ring: str) -> Iterator[tuple[str, str, str]]:
    for match in re2.compile(patterns[0]).finditer(text):
        groups = match.groupdict()
        if patterns[1:]:
            yield from _search(match.group(), patterns[1:], groups.get("depType") or ring)
        else:
            yield groups["depName"], groups["currentValue"], ring


def meant(text: str) -> list[tuple[str, str]]:
    """The pins in the documents."""
    return sorted(pin for document in yaml.load_all(text, yaml.CSafeLoader) for pin in _meant(document))


def _meant(node: Any) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict) and isinstance(node.get("versions"), dict):
        yield from node["versions"].items()
    for _, inner in entries(node):
        yield from _meant(inner)


FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso, labels: {keda: "2.1.0"}}
spec:
  defaults:
    stack:
      keda: helm
      versions: # keda: 2.1.0 was broken
        gpu-operator: v26.3.3 # not {gpu-operator: v26.7.0}
        # keda: 2.18.3
        "keda": "2.19.0"

        'nvidia-device-plugin':   'v0.19.3'
        dcgm-exporter: 4.5.3-4.8.2-distroless
      driver: operator
      values:
        gpu-operator: {driver: {version: "580.126.20"}}
  rings:
    - name: canary
      clusters: {matchLabels: {ring: canary}}
      stack: {versions: {gpu-operator: v26.7.0, keda: 2.20.2}}
    - name: prod
      clusters: [prod-swc]
      stack:
        versions:
          doca-driver: doca3.3.0-26.01-1.0.0.0-0
---
# versions: {keda: 2.18.3}
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.34"
  stack:
    keda: helm
    metrics: {exporter: managed}
    versions: {
      network-operator: 26.1.2, # of March
      rdma-shared-device-plugin: network-operator-v26.1.2,
    }
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_it_finds_the_pins_of_fleets_rings_and_clusters(end: str) -> None:
    listed = pins(FLEET.replace("\n", end))
    assert listed == meant(FLEET)
    assert len(listed) == 9


def meant_rings(text: str) -> list[tuple[str, str, str]]:
    """The pins in the documents, with their rings."""
    expected: list[tuple[str, str, str]] = []
    for document in yaml.load_all(text, yaml.CSafeLoader):
        rings = document["spec"].pop("rings", [])
        expected += [(name, version, ring["name"]) for ring in rings for name, version in _meant(ring)]
        expected += [(name, version, "") for name, version in _meant(document)]
    return sorted(expected)


RINGS = """\
kind: Fleet
metadata: {name: contoso}
spec:
  rings:
  - name: canary
    # versions: {keda: 2.0.0}
    clusters:
    - name-1
    - nord
    stack:
      metrics:
        counters:
        - DCGM_FI_DEV_GPU_UTIL
      versions:
        keda: 2.19.0  # in the canary ring
        gpu-operator: v26.3.3

      driver: operator
  - {name: early, clusters: [a], stack: {driver: aks, versions: {keda: 2.18.3}}}
  - name: "prod"
    stack:
      versions: {keda: 2.17.1}
    clusters: {matchLabels: {ring: prod}}
  defaults:
    stack:
      versions: {network-operator: 26.1.2}
---
kind: Cluster
spec:
  quota:
  - name: cores
    limit: 200
  stack:
    versions: {keda: 2.16.1}
"""


@for_each("end", ["\n", "\r\n"])
@for_each("text", [RINGS, FLEET])
def test_the_ring_of_a_pin_is_the_type_of_its_dependency(text: str, end: str) -> None:
    assert ring_pins(text.replace("\n", end)) == meant_rings(text)


@for_each("indent", [2, 4])
@for_each("flow", [None, False])
def test_rings_in_the_styles_of_a_writer(indent: int, flow: bool | None) -> None:
    text = yaml.safe_dump_all(
        yaml.load_all(RINGS, yaml.CSafeLoader), sort_keys=False, indent=indent, default_flow_style=flow
    )
    assert ring_pins(text) == meant_rings(text)


SHUFFLED = """\
kind: Fleet
spec:
  rings:
  - clusters:
    - a
    # the first
    name: canary
    stack: {versions: {keda: 2.19.0}}
  - stack:
      values:
        keda:
          operator:
            name: operator
      versions:
        keda: 2.18.3

    clusters: {matchLabels: {name: b}}
    name: "early"
  - {stack: {values: {keda: {name: c}}, versions: {keda: 2.17.1}}, clusters: [c], name: 'late'}
  - { clusters: [d],
      stack: {versions: {keda: 2.17.0}},
      name: last }
  - clusters:
      matchLabels:
        name: e
    stack:
      versions: {keda: 2.16.1}
      values: {keda: {name: e}}
    name: prod  # the last
  defaults: {stack: {versions: {keda: 2.16.0}}}
---
kind: Cluster
metadata: {name: nord}
spec: {stack: {versions: {keda: 2.15.1}}}
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_ring_whose_name_is_not_first_has_a_type(end: str) -> None:
    text = RINGS.replace('name: "prod"\n    stack:', "stack:").replace("ring: prod}}", "ring: prod}}\n    name: prod")
    assert ring_pins(text.replace("\n", end)) == meant_rings(text) == meant_rings(RINGS)
    assert ring_pins(SHUFFLED.replace("\n", end)) == meant_rings(SHUFFLED)


@pytest.mark.parametrize("indent", [2, 4])
@pytest.mark.parametrize("flow", [None, False])
@pytest.mark.parametrize("order", list(permutations(("name", "clusters", "stack"))))
def test_rings_with_their_keys_in_any_order(order: tuple[str, ...], flow: bool | None, indent: int) -> None:
    data = list(yaml.load_all(SHUFFLED, yaml.CSafeLoader))
    rings = data[0]["spec"]["rings"]
    data[0]["spec"]["rings"] = [{key: ring[key] for key in order} for ring in rings]
    text = yaml.safe_dump_all(data, sort_keys=False, indent=indent, default_flow_style=flow)
    assert ring_pins(text) == meant_rings(SHUFFLED)
    assert ring_pins(yaml.safe_dump_all(data, indent=indent, default_flow_style=flow)) == meant_rings(SHUFFLED)


@for_each(
    "text",
    [
        "spec: {stack: {keda: helm}}\n",
        "spec:\n  stack:\n    values: {keda: {image: {keda: {tag: 2.19.0}}}}\n",
        "metadata: {labels: {keda: 2.19.0}}\n",
        "spec:\n  stack:\n    # versions:\n    #   keda: 2.19.0\n    keda: helm\n",
        "spec:\n  stack:\n    versions: {}\n    keda: helm\n",
        "spec:\n  stack:\n    versions:\n    keda: helm\n  labels: {keda: 2.19.0}\n",
    ],
)
def test_it_finds_nothing_else(text: str) -> None:
    assert pins(text) == []


def test_it_reads_json() -> None:
    assert pins(json.dumps(yaml.load('spec: {stack: {versions: {keda: "2.19.0"}}}', yaml.CSafeLoader), indent=2)) == [
        ("keda", "2.19.0")
    ]


_VALUES = some.from_regex(r"v?[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(-[a-z]{1,5}\.[0-9])?", fullmatch=True)
_FLOWS = some.sampled_from([None, True])
_QUOTES = some.sampled_from(["", '"', "'"])


@given(some.dictionaries(some.sampled_from(NAMES), _VALUES, min_size=1), _FLOWS, _QUOTES, some.integers(1, 6))
def test_it_finds_what_a_parser_finds(versions: Mapping[str, str], flow: bool | None, quote: str, indent: int) -> None:
    dumped = yaml.safe_dump({"kind": "Cluster", "spec": {"stack": {"driver": "aks", "versions": dict(versions)}}})
    assert pins(dumped) == sorted(versions.items())
    pad = " " * indent
    entries = [f"{quote}{name}{quote}: {quote}{value}{quote}" for name, value in versions.items()]
    lines = [f"\n{pad * 2}{entry} # was 1.0" for entry in entries]
    below = "{" + ", ".join(entries) + "}" if flow else "".join(lines)
    text = f"stack:\n{pad}versions: {below}\n{pad}keda: helm\n"
    assert pins(text) == meant(text) == sorted(versions.items())


def test_the_renovate_preset_is_up_to_date() -> None:
    assert PRESET.read_text("utf-8") == preset(), "run `python -m tools.renovate --update` and commit what it writes"


@for_each(
    ("path", "read_by_it"),
    [
        ("fleet.yaml", True),
        ("infra/gpu/fleet-prod.yml", True),
        ("fleet/clusters/prod-swc.yaml", True),
        ("overlays/prod-swc/kustomization.yaml", False),
        ("charts/values.yaml", False),
    ],
)
def test_the_files_of_a_fleet(path: str, read_by_it: bool) -> None:
    assert any(re.search(file.strip("/"), path) for file in FILES) is read_by_it
