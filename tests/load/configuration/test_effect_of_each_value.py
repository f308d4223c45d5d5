"""Each value of a configuration has an effect; which other configurations apply to the same fleet."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.configuration.ambiguity import other_claims
from gitgpu.load.configuration.content import Config, config_of
from gitgpu.load.configuration.files import by_config, nearest_configs, read_config
from gitgpu.load.configuration.out_directory import out_directory
from tests.helping.single_changes import unread

HEAD = {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "Config"}
WHOLE: dict[str, Any] = {
    **HEAD,
    "fleet": ["fleet.yaml", "more"],
    "out": "out",
    "catalog": ["mine"],
    "select": ["NPL"],
    "ignore": ["MON004"],
    "failOn": "warning",
    "allow": [{"code": "NPL010", "reason": "quota", "file": "a.yaml", "object": "GpuPool/t4", "until": "2027-06-30"}],
    "lint": {
        "paths": ["overlays"], "crds": ["crds"], "values": {"keda": ["b.yaml", "a.yaml"], "gpu-operator": ["c.yaml"]},
        "kubernetesVersion": "1.36", "skip": ["*.md"], "strict": True, "ignoreMissingSchemas": True,
        "wholeCluster": True,
    },
}  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def lines(data: Any) -> Iterator[str]:
    """A configuration in the directory `sub`, as lines."""
    Path("sub").mkdir(exist_ok=True)
    Path("sub/.gitgpu.yaml").write_text(json.dumps(data, indent=1), encoding="utf-8")
    config, faults = config_of("sub/.gitgpu.yaml")
    if not faults:
        yield from (f"{key}: {value}" for key, value in {**config._asdict(), **config.lint._asdict()}.items())
    yield from (f"{fault.code} {fault.span.line}:{fault.span.column} {fault.message}; {fault.help}" for fault in faults)


def test_a_configuration(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(lines(WHOLE)) == snapshot


def test_each_value_has_an_effect() -> None:
    assert unread(WHOLE, lines) == []


@pytest.mark.parametrize(
    ("key", "path"),
    [("fleet", ["../../x"]), ("lint", {"paths": ["/etc"]}), ("lint", {"crds": ["../../x"]}),
     ("lint", {"values": {"keda": ["a.yaml", "../../b.yaml"]}}), ("fleet", [".git/config"])],
)  # fmt: skip
def test_paths_that_lead_out(key: str, path: Any, snapshot: SnapshotAssertion) -> None:
    assert [line for line in lines({**HEAD, key: path}) if line.startswith("CFG")] == snapshot


@pytest.mark.parametrize(
    "text",
    ["[tool.gitgpu]\nout = 'o'\n", "[tool.other]\n# tool.gitgpu\n", "[tool]\ngitgpu = 5\n", "tool.gitgpu = \n",
     "\n[tool.gitgpu]\nout = 5\n", "[[tool.gitgpu]]\n"],
)  # fmt: skip
def test_a_table_of_a_project(text: str, snapshot: SnapshotAssertion) -> None:
    Path("pyproject.toml").write_text(text, encoding="utf-8")
    config, faults = config_of("pyproject.toml")
    assert (config.out, config.file) == snapshot(name="config")
    assert {fault.span.column for fault in faults} <= {1}
    assert [(fault.code, fault.message, fault.help, fault.span.line) for fault in faults] == snapshot(name="faults")


def write(path: str, text: str = "") -> str:
    """Writes a file and its parent directories."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")
    return path


def test_the_nearest_configuration_applies() -> None:
    write("a/.gitgpu.yaml")
    write("a/b/pyproject.toml", "[tool.gitgpu]\n")
    write("a/b/c/pyproject.toml", "[tool.other]\n")
    write("a/b/c/fleet.yaml")
    write("a/other.yaml")
    write("fleet.yaml")
    assert nearest_configs(["a/b/c/fleet.yaml", "a/b", "a/other.yaml", "fleet.yaml", "a"]) == [
        "a/b/pyproject.toml",
        "a/.gitgpu.yaml",
    ]
    paths = ["a/b/c/fleet.yaml", "fleet.yaml", "a", "a/b", "-"]
    assert by_config(paths) == [("a/b/c/fleet.yaml", "a/b"), ("fleet.yaml", "-"), ("a",)]
    write("a/b/.gitgpu.yaml")
    assert nearest_configs(["a/b/c"]) == ["a/b/.gitgpu.yaml"], "of two in one directory"


def test_a_configuration_that_links_out_of_its_repository_is_not_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "x.yaml"
    outside.write_text("", encoding="utf-8")
    Path(".gitgpu.yaml").symlink_to(outside)
    config, [fault] = read_config()
    assert (config, fault.code, fault.span.file) == (Config(), "INP001", ".gitgpu.yaml")
    assert fault.message == "is not read: it points outside through a symbolic link"
    assert fault.help == "replace the link with a copy, or use the path of its target"
    assert read_config(file=".gitgpu.yaml")[1][0].code == "CFG001", "a named one is read"
    Path(".gitgpu.yaml").unlink()
    Path("fleet.yaml").symlink_to(outside)
    config, [fault] = read_config()
    assert (config, fault.code, fault.span.file) == (Config(), "INP001", "fleet.yaml")


def test_a_file_with_the_other_ending_is_reported() -> None:
    write("fleet.yaml")
    write(".gitgpu.yml", "kind: Config\n")
    config, [fault] = read_config()
    assert (config.fleet, fault.code, fault.span.file) == (("fleet.yaml",), "CFG001", ".gitgpu.yml")
    assert fault.message == "is not read: a configuration has the name .gitgpu.yaml"
    assert fault.help == "rename it"
    assert [fault.span.file for fault in read_config(["a/fleet.yaml"])[1]] == [".gitgpu.yml"], "also from below"
    assert read_config(file=".gitgpu.yml")[0].file == ".gitgpu.yml", "a named one is read"
    write("a/pyproject.toml", "[tool.gitgpu]\n")
    assert read_config(["a/fleet.yaml"])[1] == [], "a nearer configuration applies"
    write(".gitgpu.yaml", "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n")
    assert read_config()[1] == [], "as it does in the same directory"


def reported(named: list[str], fleet: list[str], used: str = "") -> list[str]:
    """The findings about other configurations, if the used one is named explicitly."""
    config, _ = config_of(used) if used else (Config(), [])
    out = out_directory("overlays", used, config.out_at, ())
    return [
        f"{fault.code} {fault.span.file}: {fault.message}; {fault.help}"
        for fault in other_claims(config, named, fleet, out)
    ]


OUT = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nout: other\n"
PLAIN = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nout: ../overlays\n"


def test_configurations_that_claim_one_fleet() -> None:
    first = write(".gitgpu.yaml", "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n")
    write("fleet/pools/t4.yaml")
    assert reported(["fleet"], ["fleet"], first) == []
    write("fleet/.gitgpu.yaml", PLAIN)
    assert reported(["fleet"], ["fleet"], first) == [], "the same content"
    write("fleet/.gitgpu.yaml", OUT)
    message = "this configuration and fleet/.gitgpu.yaml apply to the same fleet and differ in out"
    remedy = "build each fleet separately, or choose one: --config .gitgpu.yaml"
    assert reported([], ["fleet"], first) == [f"CFG002 .gitgpu.yaml: {message}; {remedy}"]
    assert reported([], ["-"], first) == []
    write("fleet/pools/.gitgpu.yaml", OUT.replace("other", "third") + "failOn: never\n")
    assert [line.partition(";")[0].rpartition(" differ in ")[2] for line in reported([], ["fleet"], first)] == [
        "out",
        "out, failOn",
    ]
    assert [line.partition(" apply")[0] for line in reported([], ["fleet/pools/t4.yaml"], first)] == [
        "CFG002 .gitgpu.yaml: this configuration and fleet/.gitgpu.yaml",
        "CFG002 .gitgpu.yaml: this configuration and fleet/pools/.gitgpu.yaml",
    ]
    assert [line.partition(" apply")[0] for line in reported(["fleet/pools"], ["fleet/pools"])] == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("out", "other"), ("catalog", "[mine]"), ("select", "[NPL]"), ("ignore", "[NPL]"), ("failOn", "never"),
        ("allow", "[{code: NPL001, reason: a, until: '2030-01-01'}]"),
    ],
)  # fmt: skip
def test_two_configurations_differ_in_a_key(key: str, value: str) -> None:
    head = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"
    used = write(".gitgpu.yaml", head)
    write("fleet/t4.yaml")
    write("fleet/.gitgpu.yaml", f"{head}{key}: {value}\n" + ("" if key == "out" else "out: ../overlays\n"))
    (line,) = reported(["fleet"], ["fleet"], used)
    assert line.partition(";")[0].rpartition(" differ in ")[2] == key


def test_a_folder_without_a_configuration_does_not_claim_the_fleet() -> None:
    used = write(".gitgpu.yaml", OUT)
    write("fleet/pools/t4.yaml")
    write("fleet/nodes/pyproject.toml", "[project]\nname = 'of-another-program'\n")
    write("fleet/nodes/t4.yaml")
    assert reported(["fleet"], ["fleet"], used) == []


def test_a_configuration_above_that_names_the_fleet() -> None:
    write("apps/fleet/t4.yaml")
    used = write("apps/fleet/.gitgpu.yaml", OUT)
    above = write(".gitgpu.yaml", "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [apps]\n")
    message = "this configuration and .gitgpu.yaml apply to the same fleet and differ in out"
    for fleet in ("[apps]", "[apps/fleet]"):
        Path(above).write_text(f"apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: {fleet}\n", encoding="utf-8")
        assert [line.partition(";")[0] for line in reported(["apps/fleet"], ["apps/fleet"], used)] == [
            f"CFG002 {used}: {message}"
        ]
    for fleet in ("[apps/fleet/t4.yaml]", "[app]", "[other]"):
        Path(above).write_text(f"apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: {fleet}\n", encoding="utf-8")
        assert reported(["apps/fleet"], ["apps/fleet"], used) == []


@pytest.mark.parametrize(
    ("folder", "known"), [("..build", True), ("..build/a", True), ("..", False), ("../a", False), ("a/../../b", False)]
)
def test_without_a_work_tree_the_output_directory_is_below_the_configuration(folder: str, *, known: bool) -> None:
    Path(".git").rmdir()
    directory = out_directory(folder, "", Config().out_at, ())
    assert (directory.known, directory.path) == (known, folder if known else "overlays")


@pytest.mark.parametrize(
    ("folder", "config"),
    [("overlays", ""), ("a/b", ""), ("../outside", ""), ("a", "sub/.gitgpu.yaml"), ("a\udcff", ""), (".", "")],
)
@pytest.mark.parametrize("rooted", [True, False])
def test_the_output_directory(folder: str, config: str, *, rooted: bool, snapshot: SnapshotAssertion) -> None:
    if not rooted:
        Path(".git").rmdir()
    directory = out_directory(folder, config, Config().out_at, ["mine", "/abs"])
    here, above = str(Path.cwd()), str(Path.cwd().parent)
    skipped = sorted(
        path.replace(here, "HERE").replace(above, "ABOVE").encode(errors="replace").decode()
        for path in directory.skipped
    )
    assert (directory.path, directory.rooted, directory.known, skipped) == snapshot
