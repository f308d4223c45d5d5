"""`sku`: its JSON for scripts, and how the text shows known and unknown facts."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from gitgpu.load.read import data_text
from tests.cli.conftest import Run
from tests.cli.fleets import SOUND, write

CATALOG = Path(__file__).parents[3] / "catalog"
NAMES = sorted(path.stem for path in (CATALOG / "skus").iterdir())
T4 = "Standard_NC16as_T4_v3"


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """An object with exactly these keys."""
    return {"type": "object", "required": [*properties], "additionalProperties": False, "properties": properties}


def maybe(kind: str, **more: Any) -> dict[str, Any]:
    """A value that may be unknown."""
    return {"type": [kind, "null"], **more}


STATUS = ["active", "announced", "retired", "never-offered", "unknown"]
SIZE = closed(
    {
        "name": {"type": "string", "pattern": "^Standard_N"},
        "family": maybe("string"),
        "series": maybe("string"),
        "version": maybe("string", pattern="^[0-9]+$"),
        "vcpus": maybe("integer", minimum=1),
        "memoryGiB": maybe("number", minimum=0),
        "arch": {"enum": ["amd64", "arm64", None]},
        "gpu": closed(
            {
                "manufacturer": {"enum": ["nvidia", "amd", None]},
                "model": maybe("string"),
                "count": maybe("integer", minimum=0),
                "share": maybe("string", pattern="^(1|1/[1-9][0-9]*)$"),
                "memoryGiB": maybe("number", minimum=1),
            }
        ),
        "driver": closed({"type": maybe("string"), "version": maybe("string"), "imageSuffix": maybe("string")}),
        "windowsDriver": {"enum": ["CUDA", "GRID", None]},
        "os": {
            "type": "array",
            "items": {"enum": ["ubuntu", "azurelinux", "azurelinux3", "windows"]},
            "uniqueItems": True,
        },
        "mig": maybe("boolean"),
        "rdma": maybe("boolean"),
        "nvlink": maybe("boolean"),
        "acceleratedNetworking": maybe("boolean"),
        "lifecycle": closed({"status": {"enum": STATUS}, "date": maybe("string", pattern=r"^\d{4}-\d\d-\d\d$")}),
        "pricePerHour": maybe("number", exclusiveMinimum=0),
        "priceDate": maybe("string", pattern=r"^20\d\d-\d\d-\d\d$"),
        "prices": {"type": "object", "additionalProperties": {"type": "number", "exclusiveMinimum": 0}},
        "priceDates": {"type": "object", "additionalProperties": {"pattern": "^20\\d\\d-\\d\\d-\\d\\d$"}},
        "regions": {"type": "array", "items": {"type": "string", "pattern": "^[a-z0-9]+$"}, "uniqueItems": True},
        "zones": {"type": "object", "additionalProperties": {"type": "array", "items": {"pattern": "^[1-9]$"}}},
    }
)
LIST = closed(
    {
        "apiVersion": {"const": "report.gitgpu.dev/v1"},
        "kind": {"const": "SkuList"},
        "skus": {"type": "array", "items": SIZE},
    }
)
ONE = closed(
    {
        "apiVersion": {"const": "report.gitgpu.dev/v1"},
        "kind": {"const": "Sku"},
        "sku": SIZE,
        "row": {"type": "object", "required": ["name", "source", "verified"]},
        "driver": {"type": ["object", "null"]},
    }
)


def listed(run: Run, *arguments: str) -> list[dict[str, Any]]:
    """The sizes that `sku list` prints as JSON."""
    ran = run("sku", "list", "-o", "json", *arguments)
    assert (ran.code, ran.err) == (0, "")
    report = json.loads(ran.out)
    assert [error.message for error in Draft7Validator(LIST).iter_errors(report)] == []
    return list(report["skus"])


def test_the_list_matches_its_contract(run: Run) -> None:
    sizes = listed(run)
    assert [size["name"] for size in sizes] == NAMES
    assert list(sizes[0]) == list(SIZE["properties"])  # in the same order


def test_a_size_is_shown_as_it_is_known(run: Run) -> None:
    sizes = {size["name"]: size for size in listed(run)}
    t4 = sizes[T4]
    assert t4["gpu"] == {"manufacturer": "nvidia", "model": "T4", "count": 1, "share": "1", "memoryGiB": 16}
    assert (t4["vcpus"], t4["memoryGiB"], t4["series"], t4["version"], t4["nvlink"]) == (16, 110, "NCas_v3", "3", None)
    assert t4["driver"]["type"].startswith("cuda")
    assert t4["driver"]["version"]
    assert t4["lifecycle"] == {"status": "active", "date": None}
    part = sizes["Standard_NV6ads_A10_v5"]
    assert (part["gpu"]["share"], part["gpu"]["memoryGiB"]) == ("1/6", 24)
    amd = sizes["Standard_ND96isr_MI300X_v5"]
    assert amd["driver"] == {"type": None, "version": None, "imageSuffix": None}
    assert amd["gpu"]["manufacturer"] == "amd"


@pytest.mark.parametrize(("model", "wanted"), [("A100", "A100"), ("a100", "A100"), ("rtx-pro 6000", "RTX PRO 6000")])
def test_a_model_can_be_written_in_several_ways(run: Run, model: str, wanted: str) -> None:
    sizes = listed(run, "--model", model)
    assert sizes
    assert {size["gpu"]["model"] for size in sizes} == {wanted}


def test_a_status_is_chosen(run: Run) -> None:
    together = [size["name"] for status in STATUS for size in listed(run, "--status", status)]
    assert sorted(together) == NAMES
    for status in ("retired", "announced"):
        assert {size["lifecycle"]["status"] for size in listed(run, "--status", status)} == {status}
    assert run("sku", "list", "--status", "odd").code == 2


def test_the_text_report_has_a_line_for_each_size(run: Run) -> None:
    ran = run("sku", "list", "--all")
    head, *lines = ran.out.splitlines()
    assert head.split()[0] == "NAME"
    assert [line.split()[0] for line in lines] == NAMES
    unknown = next(line for line in lines if line.startswith("Standard_NC128mds_xl"))
    assert unknown.split()[1:7] == ["-"] * 6


def test_a_gpu_that_no_size_has_is_reported(run: Run) -> None:
    ran = run("sku", "list", "--model", "nonesuch")
    assert (ran.code, ran.out) == (1, "")
    assert "no size has the GPU 'nonesuch'; known GPUs: " in ran.err
    assert run("sku", "list", "--model", "nonesuch", "-o", "json").code == 1


@pytest.mark.parametrize("name", [T4, T4.lower(), "nc16as_t4_v3"])
def test_a_size_is_shown_by_any_spelling(run: Run, name: str) -> None:
    ran = run("sku", "show", name, "-o", "json")
    assert (ran.code, ran.err) == (0, "")
    report = json.loads(ran.out)
    assert [error.message for error in Draft7Validator(ONE).iter_errors(report)] == []
    assert report["sku"]["name"] == T4
    assert report["row"]["source"]
    assert report["driver"]["version"] == report["sku"]["driver"]["version"]
    text = run("sku", "show", name).out
    assert f"name: {T4}" in text
    assert "nvlink: unknown" in text
    assert "\ndriver that AKS installs:\n  name: " in text
    assert text.endswith("driver that AKS installs on Windows: CUDA\n")
    assert "https://" in text


@pytest.mark.parametrize("name", NAMES[::10])
def test_show_and_list_agree(run: Run, name: str) -> None:
    shown = json.loads(run("sku", "show", name, "-o", "json").out)["sku"]
    assert shown == next(size for size in listed(run) if size["name"] == name)


@pytest.mark.parametrize(
    "name", ["", "nope", "../gpus/T4", "Standard_NC16as_T4_v3\n", "x" * 5000, "\x1b[31m", "Standard_"]
)
def test_an_unknown_size_is_reported_as_unknown(run: Run, name: str) -> None:
    ran = run("sku", "show", name)
    assert (ran.code, ran.out) == (1, "")
    assert "is not a known Azure GPU size" in ran.err


def test_a_typo_gets_a_suggestion(run: Run) -> None:
    assert f"did you mean {T4}?" in run("sku", "show", "standard_nc16as_t4v3").err


CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [mine]\n"
ROW = data_text(f"catalog/skus/{T4}.yaml").replace("NC16as", "NC17as").replace("vcpus: 16", "vcpus: 17")


def test_own_sizes_are_shown_with_where_they_come_from(run: Run) -> None:
    write(CONFIG, ".gitgpu.yaml")
    write(ROW, "mine/skus/Standard_NC17as_T4_v3.yaml")
    sizes = json.loads(run("sku", "list", "-o", "json").out)["skus"]
    assert len(sizes) == len(NAMES) + 1
    assert [(size["name"], size["vcpus"]) for size in sizes if size.get("catalog")] == [("Standard_NC17as_T4_v3", 17)]
    lines = run("sku", "list", "--model", "T4").out.splitlines()
    assert lines[0].split()[-1] == "FROM"
    assert {line.split()[0]: line.split()[-1] for line in lines[1:]}["Standard_NC17as_T4_v3"] == "mine"
    assert {line.split()[-1] for line in lines[1:]} == {"mine", "gitgpu"}
    assert run("sku", "show", "NC17as_T4_v3").out.startswith("from: mine\n")
    write(SOUND.replace("NC16as", "NC17as"))
    assert run("build").code == 0


def test_files_that_depend_on_your_own_rows_say_so_in_any_directory(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write(CONFIG, ".gitgpu.yaml")
    write(ROW, "mine/skus/Standard_NC17as_T4_v3.yaml")
    mirror = data_text("catalog/containers/nvidia-device-plugin.yaml").replace("nvcr.io/nvidia", "contoso.azurecr.io")
    write(mirror, "mine/containers/nvidia-device-plugin.yaml")
    write(SOUND.replace("NC16as", "NC17as"))
    assert run("build").code == 0
    made = {path.name: path.read_text("utf-8") for path in Path("overlays").rglob("*.yaml")}
    heads = {name: text.splitlines()[0] for name, text in made.items() if "mine/" in text}
    assert [name for name in heads if name.startswith("nodepool-")]
    for name, head in heads.items():
        row = "containers/nvidia-device-plugin" if name.startswith("daemonset-") else "skus/Standard_NC17as_T4_v3"
        assert head.endswith(f", mine/{row}.yaml.")
    assert "image: contoso.azurecr.io/k8s-device-plugin:" in made["daemonset-nvidia-device-plugin.yaml"]
    Path("below").mkdir()
    monkeypatch.chdir("below")
    assert run("build", "--check").code == 0


@pytest.mark.parametrize(
    ("path", "content", "code"),
    [
        ("skus/Standard_NC17as_T4_v3.yaml", ROW.replace("name: T4\n", "name: T99\n"), "CAT005"),
        ("skus/Standard_NC17as_T4_v3.yaml", ROW.replace("driver: cuda-lts", "driver: nope"), "CAT005"),
        ("skus/Standard_NC17as_T4_v3.yaml", ROW.replace("vcpus: 17", "vcpus: many"), "CAT004"),
        ("skus/other.yaml", ROW, "CAT002"),
        ("skus/empty.yaml", "", "CAT001"),
        ("gpus/T4.yaml", "name: T4\n", "CAT004"),
        ("gpus/T4.yaml", "name: [\n", "YML001"),
        ("labels/karpenter.yaml", "name: karpenter\n", "CAT004"),
        ("drivers/cuda-lts.yaml", "name: cuda-lts\n", "CAT004"),
        ("charts/gpu-operator.yaml", "- a\n", "CAT001"),
        ("sizes/x.yaml", "name: x\n", "CAT003"),
    ],
)
def test_a_wrong_row_of_your_own_is_reported_and_nothing_is_built(run: Run, path: str, content: str, code: str) -> None:
    write(CONFIG, ".gitgpu.yaml")
    write(content, f"mine/{path}")
    write(SOUND)
    for command in ("build", "validate"):
        ran = run(command, "-o", "json")
        assert ran.code == 1
        places = [(result["code"], result["file"], result["line"] > 0) for result in json.loads(ran.out)["results"]]
        assert (code, f"mine/{path}", True) in places
    assert not Path("overlays").exists()
    ran = run("sku", "list", "--all")
    assert ran.code == 1
    assert f"mine/{path}:" in ran.err
    assert len(ran.out.splitlines()) > 100


@pytest.mark.parametrize(
    ("named", "path", "reported"),
    [
        ("mien", "mine/skus/Standard_NC17as_T4_v3.yaml", "mien"),
        ("fleet.yaml", "mine/skus/Standard_NC17as_T4_v3.yaml", "fleet.yaml"),
        ("mine/skus", "mine/skus/Standard_NC17as_T4_v3.yaml", "mine/skus"),
        ("mine", "mine/skus/Standard_NC17as_T4_v3.yml", "mine"),
        ("mine", "mine/Standard_NC17as_T4_v3.yaml", "mine"),
    ],
)
def test_a_catalog_that_nothing_is_read_from_is_reported(run: Run, named: str, path: str, reported: str) -> None:
    write(CONFIG.replace("mine", named), ".gitgpu.yaml")
    write(ROW, path)
    write(SOUND)
    ran = run("build", "-o", "json")
    assert ran.code == 1
    assert ("CAT006", reported) in [(result["code"], result["file"]) for result in json.loads(ran.out)["results"]]
    assert not Path("overlays").exists()


def test_a_missing_catalog_is_reported_as_missing(run: Run) -> None:
    write(CONFIG, ".gitgpu.yaml")
    write(SOUND)
    reported = "mine: error[CAT006] is not a catalog: there is no such directory, or it is empty\n"
    assert reported in run("validate").out
    Path("mine").mkdir()
    assert reported in run("validate").out
    write(SOUND, "mine/notes/fleet.yaml")
    assert "mine: error[CAT006] is not a catalog: no folder in it contains a row\n" in run("validate").out


def test_an_invalid_row_beside_valid_ones_is_reported(run: Run) -> None:
    write(CONFIG, ".gitgpu.yaml")
    write(ROW, "mine/skus/Standard_NC17as_T4_v3.yaml")
    write("name: x\n", "mine/skus/x.yml")
    write("name: y\n", "mine/y.yaml")
    write(SOUND)
    results = json.loads(run("validate", "-o", "json").out)["results"]
    assert [(result["code"], result["file"]) for result in results] == [
        ("CAT006", "mine/skus/x.yml"),
        ("CAT006", "mine/y.yaml"),
    ]


def test_a_size_whose_row_is_broken_is_not_called_unknown(run: Run) -> None:
    write(CONFIG, ".gitgpu.yaml")
    write(ROW.replace("vcpus: 17", "vcpus: many"), "mine/skus/Standard_NC17as_T4_v3.yaml")
    write(SOUND.replace("NC16as", "NC17as"))
    assert [result["code"] for result in json.loads(run("validate", "-o", "json").out)["results"]] == ["CAT004"]


def test_own_counters_can_be_exported(run: Run) -> None:
    write(CONFIG, ".gitgpu.yaml")
    row = data_text("catalog/counters/extra.yaml").replace("name: extra", "name: mine")
    write(row.replace("DCGM_FI_DEV_POWER_VIOLATION", "DCGM_FI_DEV_MINE"), "mine/counters/mine.yaml")
    write(SOUND.replace("kubernetesVersion:", "stack: {metrics: {counters: [DCGM_FI_DEV_MINE]}}, kubernetesVersion:"))
    assert run("build").code == 0
    [made] = Path("overlays").rglob("configmap-dcgm-exporter-*.yaml")
    assert "DCGM_FI_DEV_MINE, counter" in made.read_text()


def test_a_broken_configuration_is_reported(run: Run) -> None:
    write("catalog: [", ".gitgpu.yaml")
    for arguments in (("list",), ("show", T4)):
        ran = run("sku", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert ".gitgpu.yaml:1:" in ran.err


@pytest.mark.parametrize(
    ("size", "driver"),
    [("Standard_NV36ads_A10_v5", "GRID"), (T4, "CUDA"), ("Standard_ND96isr_MI300X_v5", None)],
)
def test_the_driver_on_windows(run: Run, size: str, driver: str | None) -> None:
    """AKS installs a default driver by the series of the size; AMD GPUs get none."""
    reported = run("sku", "show", size, "-o", "json")
    assert json.loads(reported.out)["sku"]["windowsDriver"] == driver
    assert ("on Windows:" in run("sku", "show", size).out) is (driver is not None)


def test_sizes_are_compared_though_another_row_is_broken(run: Run) -> None:
    write(CONFIG, ".gitgpu.yaml")
    write(ROW.replace("vcpus: 17", "vcpus: many"), "mine/skus/Standard_NC17as_T4_v3.yaml")
    for words in (("list",), ("show", T4), ("compare", T4, "Standard_NC8as_T4_v3")):
        ran = run("sku", *words)
        assert (ran.code, T4 in ran.out, "error[CAT004]" in ran.err) == (1, True, True)
        report = json.loads(run("sku", *words, "-o", "json").out)
        assert [result["code"] for result in report["results"]] == ["CAT004"]


def test_sizes_that_nobody_can_use_are_hidden_unless_asked_for(run: Run) -> None:
    short, every = run("sku", "list"), run("sku", "list", "--all")
    hidden = len(every.out.splitlines()) - len(short.out.splitlines())
    assert hidden > 10
    assert f"{hidden} sizes that Azure retired or never offered: --all lists them too\n" in short.err
    assert "--all" not in every.err
    assert {line.split()[-1] for line in short.out.splitlines()} & {"retired", "never-offered"} == set()
    assert len(run("sku", "list", "--status", "retired").out.splitlines()) > 5
