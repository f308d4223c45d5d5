"""Software in the model, with invented facts where needed, otherwise with the catalog."""

import json
from itertools import product
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Model, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.compatibility import conflicts, contains
from gitgpu.model.software.digests import version_of_digest
from gitgpu.model.software.drivers import driver_of_pool, operator_driver, operator_drivers
from gitgpu.model.software.installed import installed_software
from gitgpu.model.software.kaito import gpus_needed, needs, on_add_on, takes, tuning_gpus, used_images, weights_tag
from gitgpu.model.software.karpenter import Release, first_with, releases, running
from gitgpu.model.software.node_images import family, life, release, within
from gitgpu.model.software.operator_limits import operator_conflicts
from gitgpu.model.software.preview import preview, title
from gitgpu.model.software.registries import azure_name, public_hosts
from gitgpu.model.software.transitions import Form, Installation, transition
from gitgpu.model.syntax.version import minor
from tests.helping.cases import for_each
from tests.model.test_recorded_fleets import RECORDED, inputs_of

CATALOG = Catalog(CatalogFiles())
ROW: dict[str, Any] = {
    "presets": {"Phi-4": {"weightsGiB": 27.0, "tokenBytes": 204800, "tuningGiB": 50, "weightsTag": "0.1"}, "tiny": {}},
    "models": {"org/Big": {"weightsGiB": 130.0, "tokenBytes": 327680}},
    "estimate": {"tokens": 2048, "utilization": 0.84, "baseGiB": 2.3, "share": 0.01, "growth": 1.02},
}


@pytest.fixture(scope="module")
def stacks() -> Inputs:
    """Clusters with all kinds of pools."""
    return inputs_of(RECORDED / "stacks.yaml")


def test_what_a_model_needs() -> None:
    assert needs("phi-4", ROW) == ROW["presets"]["Phi-4"]
    assert needs("ORG/big", ROW) == ROW["models"]["org/Big"]
    assert needs("other", ROW) is None
    assert needs("org/big", {"presets": {}}) is None
    assert [takes(name, ROW) for name in ("phi-4", "other", "org/other")] == [True, False, True]
    assert not takes("org/other", {"presets": {}})
    assert tuning_gpus(ROW["presets"]["Phi-4"], 24) == 3
    assert tuning_gpus(ROW["presets"]["Phi-4"], 25) == 2
    assert tuning_gpus({}, 80) is None


@pytest.mark.parametrize("name", ["Phi-4", "org/Big"])
def test_how_many_gpus_serve_a_model(name: str, snapshot: SnapshotAssertion) -> None:
    needed = needs(name, ROW)
    assert needed is not None
    counts = {
        (gpus, memory): gpus_needed(needed, ROW, gpus, memory) for gpus in (1, 2, 8) for memory in (3, 16, 24, 80, 192)
    }
    assert counts == snapshot


@for_each(
    ("needed", "memory", "gpus"),
    [
        ({"totalGiB": 50}, 25, 2),
        ({"totalGiB": 50}, 24, 3),
        ({"totalGiB": 50, "gpus": 4}, 25, 4),
        ({"totalGiB": 50, "gpuGiB": 25}, 25, 2),
        ({"totalGiB": 50, "gpuGiB": 26}, 25, None),
    ],
)
def test_how_many_gpus_serve_a_model_that_names_its_memory(needed: Any, memory: int, gpus: int | None) -> None:
    assert gpus_needed(needed, ROW, 8, memory) == gpus


def model(task: str, **settings: Any) -> Model:
    """A model."""
    return Model("m", "n", ("p",), task, settings, None)  # type: ignore[arg-type]


@for_each(
    ("given", "images", "tag"),
    [
        (model("inference", preset="phi-4"), {"model"}, ""),
        (model("rag"), set(), ""),
        (model("tuning", preset="phi-4"), {"model", "weights"}, "0.1"),
        (model("tuning", preset="tiny"), {"model"}, ""),
        (model("tuning", preset="other"), {"model"}, ""),
        (model("tuning"), {"model"}, ""),
        (model("inference", adapters=[{"name": "a"}]), {"model"}, ""),
        (model("inference", adapters=[{"name": "a"}, {"image": "i"}]), {"model", "image-source"}, ""),
        (model("tuning", input={"image": "i"}, output={"image": "o"}), {"model", "image-source", "image-output"}, ""),
        (model("tuning", input={"urls": []}, output={"claim": "o"}), {"model"}, ""),
    ],
)
def test_the_images_of_a_model(given: Model, images: set[str], tag: str) -> None:
    assert used_images(given, ROW) == images
    assert weights_tag(given, ROW) == tag
    assert used_images(given, None) == images - {"weights"}


def test_the_release_of_the_add_on() -> None:
    rows = {name: row["kaito"] for name, row in CATALOG.rows("kubernetes").items()}
    known = {name: release for name, release in rows.items() if release}
    assert known
    assert {name: on_add_on(name, CATALOG) for name in known} == known
    newest = max(known.values(), key=lambda text: [int(part) for part in text.split(".")])
    assert {on_add_on(name, CATALOG) for name in ("", "1.99", *(rows.keys() - known.keys()))} == {newest}


def test_the_release_of_karpenter_on_a_day() -> None:
    known = releases(CATALOG)
    assert [each.since for each in known] == sorted(each.since for each in known)
    assert running(CATALOG, "") == known[-1]
    assert running(CATALOG, "2000-01-01") is None
    assert running(CATALOG, known[0].since) == known[0]
    second = next(each for each in known if each.since > known[0].since)
    before = [each for each in known if each.since < second.since]
    assert running(CATALOG, f"{second.since[:-1]}") == before[-1]
    assert first_with(CATALOG, "0.1") == known[0]
    assert first_with(CATALOG, known[-1].name) == known[-1]
    assert first_with(CATALOG, "99.0") is None
    assert (str(Release("1.2.3")), str(Release("1.2.3", "2026-01-02"))) == ("1.2.3", "1.2.3 (2026-01-02)")
    assert [Release("1.9.0").older(than) for than in ("1.10.0", "1.9.0", "1.8.9")] == [True, False, False]


@pytest.mark.parametrize("provisioner", ["nap", "cluster-autoscaler"])
def test_images_of_nodes(provisioner: str, stacks: Inputs, snapshot: SnapshotAssertion) -> None:
    lines = []
    for name in ("", "Ubuntu", "Ubuntu2204", "Ubuntu2404", "AzureLinux", "Windows2022", "Nothing"):
        image = {"family": name} if name else {}
        pool = stacks.pools[0]._replace(image=image, provisioner=provisioner)
        for kubernetes in ("1.24", "1.30", "1.33", "1.34", "1.36", "1.99"):
            node_image, kept = release(pool, kubernetes, CATALOG), life(pool, kubernetes, CATALOG)
            system = node_image["os"] if node_image else None
            last = kept[1]["os"] if kept else None
            lines.append(f"{name} {kubernetes}: {family(pool, CATALOG)} {system} kept {last}")
        assert life(pool._replace(image={**image, "fips": True}), "1.34", CATALOG) is None
    for os_, image in (("windows", {}), ("windows", {"family": "Windows2022"})):
        lines.append(f"{os_} {image}: {family(stacks.pools[0]._replace(os=os_, image=image), CATALOG)}")
    assert "\n".join(lines) == snapshot
    assert [within("1.34.2-aks", each) for each in (">=1.34", "<1.34", ">=1.25 <1.35")] == [True, False, True]


def test_drivers_of_pools(stacks: Inputs) -> None:
    owners: dict[tuple[str, str], str] = {}
    for pool in stacks.pools:
        for driver in ("aks", "aks-only", "managed", "operator", "none"):
            made = driver_of_pool(driver, pool, pool.skus[0], CATALOG)
            owners[pool.name, driver] = made.owner.split()[0] if made else ""
    nvidia = {"aks": "AKS", "aks-only": "AKS", "managed": "AKS", "operator": "GPU", "none": ""}
    for pool in stacks.pools:
        wanted = dict.fromkeys(nvidia, "") if pool.manufacturer == "amd" else nvidia
        if pool.image.get("family") == "AzureLinux":
            wanted = {**wanted, "aks": "", "aks-only": "", "managed": ""}
        assert {driver: owners[pool.name, driver] for driver in nvidia} == wanted, pool.name


def test_drivers_of_the_operator(stacks: Inputs) -> None:
    known = operator_drivers(CATALOG)
    assert all(row["version"].startswith(f"{branch}.") for branch, row in known.items())
    assert operator_driver(None, CATALOG) == operator_driver("", CATALOG) == next(iter(known.values()))
    assert {branch: operator_driver(branch, CATALOG) for branch in known} == known
    assert operator_driver("1", CATALOG) is None
    pool = _pool(stacks, "two")
    [last] = list(known)[-1:]
    made = driver_of_pool("operator", pool._replace(branch=last), pool.skus[0], CATALOG)
    assert made is not None
    row = known[last]
    assert (made.version, made.cuda) == (row["version"], row["cuda"])
    assert made.architectures == (tuple(row["architectures"]) if row["architectures"] else None)
    assert driver_of_pool("operator", pool._replace(branch="1"), pool.skus[0], CATALOG) is None


def _pool(inputs: Inputs, name: str) -> Pool:
    return next(pool for pool in inputs.pools if pool.name == name)


def test_what_an_operator_release_leaves_without_driver(stacks: Inputs, snapshot: SnapshotAssertion) -> None:
    lines: list[str] = []
    clusters = [cluster for cluster in stacks.clusters if cluster.name in ("operator", "pinned", "none", "usual")]
    charts = [
        (name, version) for name in ("gpu-operator", "amd-gpu-operator", "keda") for version in CATALOG.versions(name)
    ]
    for cluster, (chart, version), kubernetes in product(clusters, charts, ("1.30", "1.36")):
        excluded = operator_conflicts(stacks, cluster._replace(kubernetes=kubernetes), chart, version)
        lines += [f"{cluster.name} {kubernetes}: {' | '.join(map(str, each))}" for each in excluded]
    assert "\n".join(dict.fromkeys(lines)) == snapshot


def test_which_combinations_are_excluded_or_untested() -> None:
    installed_versions = {"kubernetes": "1.31.2", "dra-driver-nvidia-gpu": "v0.4.0", "dcgm-exporter": "4.4.1-x"}
    excluded = [
        (each.software, each.other, each.other_version, each.excluded)
        for each in conflicts(installed_versions, CATALOG)
    ]
    assert excluded == [("dra-driver-nvidia-gpu", "kubernetes", "1.31.2", True)]
    untested = [*conflicts({**installed_versions, "kubernetes": "1.33"}, CATALOG)]
    assert [(each.version, each.excluded) for each in untested] == [("v0.4.0", False)]
    assert [*conflicts({**installed_versions, "kubernetes": "1.33", "dra-driver-nvidia-gpu": "main"}, CATALOG)] == []
    old = [*conflicts({"dcgm-exporter": "4.4.1-x", "driver": "440.1"}, CATALOG)]
    assert [(each.other, each.other_version, each.source.startswith("https://docs.nvidia")) for each in old] == [
        ("driver", "440.1", True)
    ]
    assert [contains(">=1 <2", version) for version in ("1.5", "x-1.5-y", "2", "none")] == [True, True, False, False]


@pytest.mark.parametrize("software", ["gpu-operator", "keda", "nvidia-device-plugin", "kaito-workspace"])
def test_changes_of_versions(software: str, snapshot: SnapshotAssertion) -> None:
    by_line: dict[str, list[str]] = {}
    image = Installation(Form.IMAGE, pods=("own",))
    forms = {"": None, "chart": Installation(Form.CHART), "values": Installation(Form.CHART, {}), "image": image}
    for step, (form, given) in product(CATALOG.must("transitions", software)["steps"], forms.items()):
        made = transition(software, (step["from"], step["to"]), CATALOG, given)
        numbers = len(made.restarts), len(made.crds), len(made.breaking), len(made.actions), len(made.source)
        line = f"{made.old} -> {made.new}: {made.verdict} {numbers} {bool(made.evicts)} {made.why[:60]}"
        by_line.setdefault(line, []).append(form)
    assert "\n".join(f"{line}: {', '.join(forms)}" for line, forms in by_line.items()) == snapshot


def test_changes_without_a_record() -> None:
    known = transition("keda", ("1.0", "2.0"), CATALOG)
    assert (str(known.verdict), known.why, known.source) == ("unknown", "the catalog has no record of this change", ())
    for versions in (("latest", "2.0"), ("1.0", "main")):
        assert str(transition("keda", versions, CATALOG).verdict) == "unversioned"
    assert str(transition("nothing", ("1", "2"), CATALOG).verdict) == "unknown"


@for_each(
    ("reference", "name"),
    [
        ("contoso.azurecr.io/a/b:1", "contoso"),
        ("contoso-a1b2.azurecr.io/a", "contoso"),
        ("contoso.azurecr.io", "contoso"),
        ("nvcr.io/azurecr.io/a", ""),
        ("azurecr/a", ""),
    ],
)
def test_the_name_of_a_registry_of_azure(reference: str, name: str) -> None:
    assert azure_name(reference, CATALOG) == name
    assert {"nvcr.io", "docker.io", "mcr.microsoft.com"} <= public_hosts(CATALOG)
    assert {each for row in CATALOG.rows("registries").values() for each in row["also"]} <= public_hosts(CATALOG)


def test_digests_and_previews() -> None:
    versions = CATALOG.versions("dcgm-exporter")
    for name, version in versions.items():
        digest = version.facts["containers"]["digest"] if "containers" in version.facts else None
        if digest:
            assert version_of_digest("dcgm-exporter", digest, CATALOG) == name
    assert version_of_digest("dcgm-exporter", "sha256:0", CATALOG) == ""
    assert version_of_digest("nothing", "sha256:0", CATALOG) == ""
    assert version_of_digest("gpu-operator", "sha256:0", CATALOG) == ""  # a chart alone
    for name, row in CATALOG.rows("prerequisites").items():
        shown = preview(name, CATALOG)
        assert (shown is not None) == ("preview" in row)
        assert shown is None or shown.certain == bool(row["preview"])  # null: whether it is one is not known
        assert title(row) == row["what"] + (" (preview)" if shown else "")


def test_a_change_as_the_values_of_a_release_have_it() -> None:
    steps = CATALOG.must("transitions", "gpu-operator")["steps"]
    versions = next((step["from"], step["to"]) for step in steps if "cases" in step)
    verdicts = {
        str(values): str(transition("gpu-operator", versions, CATALOG, Installation(Form.CHART, values)).verdict)
        for values in ({}, {"driver": {"enabled": False}}, {"driver": {"enabled": True}}, {"driver": {"enabled": None}})
    }
    usual = str(transition("gpu-operator", versions, CATALOG).verdict)
    assert usual != "safe"
    assert list(verdicts.values()) == [usual, "safe", usual, usual]
    assert str(transition("gpu-operator", versions, CATALOG, Installation(Form.CHART)).verdict) == usual


def test_nodes_are_paused_for_a_model_only_where_the_pool_grows_and_stays(stacks: Inputs) -> None:
    cluster = next(cluster for cluster in stacks.clusters if cluster.name == "operator")
    model = next(model for model in stacks.models if model.name == "old")
    pool = _pool(stacks, "leaving")
    for retire, least, paused in ((True, 0, False), (False, 0, True), (False, 1, False)):
        here = pool._replace(retire=retire, nodes=pool.nodes._replace(minimum=least))
        inputs = stacks._replace(on={"operator": (here,)}, models=(model,))
        assert ("pause" in installed_software(inputs, cluster)) is paused


def test_pools_whose_images_or_gpus_are_not_known_say_nothing_against_a_release(stacks: Inputs) -> None:
    """On Kubernetes 1.30, no system of these pools is among those that the newest release is tested on."""
    cluster = next(each for each in stacks.clusters if each.name == "operator")._replace(kubernetes="1.30")
    newest = list(CATALOG.versions("gpu-operator"))[-1]
    pool = _pool(stacks, "t4")

    def excluded(image: dict[str, Any]) -> list[str]:
        here = stacks._replace(on={"operator": (pool._replace(image=image),)})
        return [each.other for each in operator_conflicts(here, cluster, "gpu-operator", newest)]

    assert excluded({}) == ["kubernetes"]
    assert excluded({"fips": True}) == []
    assert excluded({"family": "Nothing"}) == []


@pytest.mark.parametrize(
    ("bounds", "conflicts"),
    [([">=1.33"], []), (["<1.30"], ["kubernetes"]), (["<1.30", ">=1.33"], []), ([">=9.0", "<1.30"], ["kubernetes"])],
)
def test_one_tested_range_of_kubernetes_is_enough(bounds: list[str], conflicts: list[str], stacks: Inputs) -> None:
    cluster = next(cluster for cluster in stacks.clusters if cluster.name == "operator")
    pool = _pool(stacks, "t4")
    image = release(pool, minor(cluster.kubernetes), CATALOG)
    assert image is not None
    row = {
        "name": "gpu-operator",
        "extends": "gitgpu",
        "validated": [{"os": image["os"], "kubernetes": each} for each in bounds],
        "source": ["https://example.com"],
        "verified": "2026-11-01",
    }
    own = Catalog(CatalogFiles([Folder("mine", "mine", {"charts/gpu-operator.yaml": json.dumps(row)})]))
    here = stacks._replace(on={"operator": (pool,)}, catalog=own)
    version = own.must("charts", "gpu-operator")["version"]
    assert [each.other for each in operator_conflicts(here, cluster, "gpu-operator", version)] == conflicts
    elsewhere = json.dumps({**row, "validated": [{"os": "CoreOS 4", "kubernetes": ">=1.33"}]})
    own = Catalog(CatalogFiles([Folder("mine", "mine", {"charts/gpu-operator.yaml": elsewhere})]))
    [conflict] = operator_conflicts(here._replace(catalog=own), cluster, "gpu-operator", version)
    assert (conflict.other, conflict.other_version, conflict.excluded) == ("OS", image["os"], False)
    assert conflict.why == "the release is tested on CoreOS 4; pool t4 has a different OS."


def test_an_operator_has_no_conflicts_with_pools_of_another_manufacturer(stacks: Inputs) -> None:
    cluster = next(cluster for cluster in stacks.clusters if cluster.name == "operator")
    here = stacks._replace(on={"operator": (_pool(stacks, "t4")._replace(branch="1"),)})
    newest = list(CATALOG.versions("amd-gpu-operator"))[-1]
    assert list(operator_conflicts(here, cluster, "amd-gpu-operator", newest)) == []


@pytest.mark.parametrize("known", [True, False])
def test_gpus_that_a_driver_does_not_support(stacks: Inputs, *, known: bool) -> None:
    cluster = next(cluster for cluster in stacks.clusters if cluster.name == "operator")
    pool = _pool(stacks, "t4")
    row = operator_driver(None, CATALOG)
    assert row is not None
    gpu = pool.skus[0].gpu
    assert gpu is not None
    named = gpu._replace(architecture="Kepler" if known else gpu.architecture)
    here = stacks._replace(on={"operator": (pool._replace(skus=(pool.skus[0]._replace(gpu=named),)),)})
    newest = list(CATALOG.versions("gpu-operator"))[-1]
    conflicts = list(operator_conflicts(here, cluster, "gpu-operator", newest))
    assert [each.other_version for each in conflicts] == (["Kepler"] if known and row["architectures"] else [])
    assert all("driver-and-architecture-matrix" in each.source for each in conflicts)
    why = f"pool t4 would get driver {row['version']}, which does not support these GPUs."
    assert all(each.why == why for each in conflicts)


def test_a_driver_whose_gpus_are_not_known_says_nothing_against_a_release(stacks: Inputs) -> None:
    cluster = next(cluster for cluster in stacks.clusters if cluster.name == "operator")
    row = {
        "name": "gpu-operator",
        "extends": "gitgpu",
        "driver": {"architectures": []},
        "validated": [],
        "source": ["https://example.com"],
        "verified": "2026-11-01",
    }
    own = Catalog(CatalogFiles([Folder("mine", "mine", {"charts/gpu-operator.yaml": json.dumps(row)})]))
    here = stacks._replace(on={"operator": (_pool(stacks, "t4"),)}, catalog=own)
    version = own.must("charts", "gpu-operator")["version"]
    assert list(operator_conflicts(here, cluster, "gpu-operator", version)) == []


def test_a_branch_that_a_release_does_not_have(stacks: Inputs) -> None:
    cluster = next(cluster for cluster in stacks.clusters if cluster.name == "operator")
    here = stacks._replace(on={"operator": (_pool(stacks, "t4")._replace(branch="1"),)})
    newest = list(CATALOG.versions("gpu-operator"))[-1]
    [conflict] = operator_conflicts(here, cluster, "gpu-operator", newest)
    branches = ", ".join(sorted(operator_drivers(CATALOG.with_pins({"gpu-operator": newest}))))
    assert (conflict.other, conflict.other_version, conflict.excluded) == ("driver branch", "1", True)
    assert conflict.why == f"the release supports the branches {branches}; pool t4 sets another one."
    assert "life-cycle-policy" in conflict.source
