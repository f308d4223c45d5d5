"""Shell completion."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import many, write

Complete = Callable[..., list[str]]


@pytest.fixture
def complete(run: Run, monkeypatch: pytest.MonkeyPatch) -> Complete:
    """The completions that the shell offers for the last of these words."""

    def go(*words: str) -> list[str]:
        monkeypatch.setenv("_GITGPU_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(("gitgpu", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        done = run()
        assert done.err == ""
        return [word for line in done.out.splitlines() if (word := line.partition(",")[2])]

    return go


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("sku", "show", "Standard_NC16as"), ["Standard_NC16as_T4_v3"]),
        (("sku", "show", "standard_nc16as"), ["Standard_NC16as_T4_v3"]),
        (("sku", "show", "nc16as"), ["Standard_NC16as_T4_v3"]),
        (("explain", "--effective", "pool/"), ["pool/t4"]),
        (("explain", "--effective", "pool/t4", "--cluster", "prod-s"), ["prod-swc"]),
        (("sku", "list", "--model", "A10"), ["A10", "A100"]),
        (("simulate", "--region", "swedenc"), ["swedencentral"]),
        (("sku", "list", "--region", "swedenc"), ["swedencentral"]),
        (("sku", "compare", "Standard_NC24ads_A100_v4", "Standard_NC40ads"), ["Standard_NC40ads_H100_v5"]),
        (("simulate", "--spot-price", "Standard_NC16as"), ["Standard_NC16as_T4_v3="]),
        (("lint", "--select", "KED00"), [f"KED00{number}" for number in range(1, 10)]),
        (("build", "-", "--cluster", ""), []),
        (("validate", "--ignore", "SKU001,CFG00"), [f"SKU001,CFG00{number}" for number in range(1, 4)]),
        (("catalog", "refresh", "--versions", "swedenc"), ["swedencentral="]),
        (("rule", "show", "QTA00"), [f"QTA00{number}" for number in range(1, 6)]),
        (("rule", "show", "CFG00"), ["CFG001", "CFG002", "CFG003"]),
        (("validate", "--select", "SKU001,LNK00"), [f"SKU001,LNK00{number}" for number in range(1, 9)]),
        (("build", "--cluster", ""), ["prod-eus", "prod-swc"]),
        (("build", "--cluster", "prod-s"), ["prod-swc"]),
        (("images", "--cluster", "prod-e"), ["prod-eus"]),
        (("images", "-o", "s"), ["skopeo"]),
        (("validate", "--fail-on", ""), ["error", "warning", "info", "never"]),
        (("plan", "--protect", ""), ["t4"]),
        (("build", "--allow-removal", "t"), ["t4"]),
        (("catalog", "refresh", "--usage", "swedenc"), ["swedencentral="]),
        (("catalog", "diff", "--cluster", "prod-e"), ["prod-eus"]),
    ],
)
def test_names_are_completed(complete: Complete, words: tuple[str, ...], offered: list[str]) -> None:
    write(many("prod-swc", "prod-eus"))
    completed = complete(*words)
    if words[:2] == ("validate", "--select"):
        assert set(offered) <= {f"SKU001,{name.rpartition(',')[2]}" for name in completed}
    else:
        assert completed == offered


RINGS = "rings: [{name: canary, clusters: [prod-eus]}, {name: prod, clusters: [prod-swc]}]"


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("promote", ""), ["canary", "prod"]),
        (("promote", "canary", "p"), ["prod"]),
        (("promote", "canary", "prod", "--also", "met"), ["metrics"]),
        (("upgrade", "--ring", "c"), ["canary"]),
        (("upgrade", "nvidia-dev"), ["nvidia-device-plugin"]),
        (("upgrade", "rdma"), ["rdma-shared-device-plugin"]),  # an image that no chart has
        (("upgrade", "--cluster", "prod-e"), ["prod-eus"]),
        (("outdated", "-o", "m"), ["markdown"]),
    ],
)
def test_rings_are_completed(complete: Complete, words: tuple[str, ...], offered: list[str]) -> None:
    write(many("prod-swc", "prod-eus"))
    assert complete("promote", "") == []
    write(many("prod-swc", "prod-eus").replace("{delivery: ", f"{{{RINGS}, delivery: ", 1))
    assert complete(*words) == offered


def test_rings_of_the_fleet_that_is_named_are_completed(complete: Complete) -> None:
    write(many("prod-swc", "prod-eus").replace("{delivery: ", f"{{{RINGS}, delivery: ", 1), "infra/fleet.yaml")
    assert complete("upgrade", "--fleet", "infra", "--ring", "") == ["canary", "prod"]


def test_pools_and_workloads_are_completed_for_their_effective_settings(complete: Complete) -> None:
    workload = (
        "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuWorkload\nmetadata: {name: chat, namespace: serving}\nspec: {}\n"
    )
    write(f"{many('prod-swc')}---\n{workload}")
    assert complete("explain", "--effective", "") == ["pool/t4", "workload/chat"]


KEDA = ["2.18.3", "2.19.0", "2.20.2"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("upgrade", "ked"), ["keda", "keda-kaito-scaler"]),
        (("upgrade", "keda="), [f"keda={version}" for version in KEDA]),
        (("upgrade", "dcgm-exporter", "keda=2.1"), ["keda=2.18.3", "keda=2.19.0"]),
        (("upgrade", "kedda="), []),
        # bash treats = and the text after it as separate words, and replaces only the last one
        (("upgrade", "keda", "="), KEDA),
        (("upgrade", "dcgm-exporter", "keda", "=", "2.2"), ["2.20.2"]),
        (("upgrade", "keda", "=", "2.20.2", "dcgm-exp"), ["dcgm-exporter"]),
        (("upgrade", "keda", "=", "2.20.2", "gpu-operator", "=", "v26.3.3"), ["v26.3.3"]),
        (("upgrade", "kedda", "="), []),
    ],
)
def test_versions_are_completed_after_a_name(complete: Complete, words: tuple[str, ...], offered: list[str]) -> None:
    assert complete(*words) == offered


def test_versions_of_an_own_catalog_are_completed(complete: Complete) -> None:
    release = 'name: keda-2.21.0\nsoftware: keda\nversion: "2.21.0"\n'
    row = f'{release}chart: {{version: "2.21.0", appVersion: "2.21.0"}}\nimage: null\n'
    write(f'{row}source: [https://wiki.contoso.com/keda]\nverified: "2026-11-23"\n', "own/releases/keda-2.21.0.yaml")
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [own]\n", ".gitgpu.yaml")
    assert complete("upgrade", "keda=2.21") == ["keda=2.21.0"]


def test_the_fleet_that_is_named_is_read(complete: Complete) -> None:
    write(many("a", "b"), "infra/gpu/fleet.yaml")
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet.yaml]\n", "infra/gpu/.gitgpu.yaml")
    here = Path.cwd()
    assert complete("build", "--cluster", "") == []
    assert complete("build", "infra/gpu", "--cluster", "") == ["a", "b"]
    assert complete("-C", "infra/gpu", "build", "--cluster", "") == ["a", "b"]
    assert complete("-C", "nowhere", "build", "--cluster", "") == []
    assert Path.cwd() == here


@pytest.mark.parametrize("content", ["kind: [", "\0", "- a\n", "kind: Cluster\nmetadata: 3\n", "kind: Cluster\n"])
def test_a_broken_spec_completes_nothing_and_prints_nothing(complete: Complete, content: str) -> None:
    write(content)
    assert complete("build", "--cluster", "") == []


def test_the_readable_part_of_a_spec_completes(complete: Complete) -> None:
    write(f"{many('a', 'b')}---\nkind: Cluster\nmetadata: {{name: c}}\nspecc: 3\n---\n- a\n---\n5\n")
    assert complete("build", "--cluster", "") == ["a", "b", "c"]


def test_documents_without_a_name_are_skipped(complete: Complete) -> None:
    nameless = "---\nkind: Cluster\nmetadata: {labels: {a: b}}\n---\nkind: Cluster\nmetadata: prod-weu\n"
    write(many("prod-swc") + nameless + "---\nkind: Cluster\nmetadata: {name: 5}\n")
    assert complete("build", "--cluster", "") == ["prod-swc"]


def test_a_word_is_completed_before_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_GITGPU_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "gitgpu upgrade keda = dcgm-exporter")
    monkeypatch.setenv("COMP_CWORD", "3")
    assert run().out.split() == [f"plain,{version}" for version in KEDA]


def test_fish_passes_the_word_and_no_number(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_GITGPU_COMPLETE", "fish_complete")
    monkeypatch.setenv("COMP_WORDS", "gitgpu upgrade keda dcgm-exp")
    monkeypatch.setenv("COMP_CWORD", "dcgm-exp")
    assert "dcgm-exporter" in run().out
