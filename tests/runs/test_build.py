"""The compiler as a whole: it returns files or errors, never both; and when a build can be skipped."""

import os
import pickle
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import fleet
from gitgpu.cli.main import main
from gitgpu.diagnostic import Severity
from gitgpu.jobs import processes
from gitgpu.runs.build import MIN_PARALLEL, Build, BuildOptions, Division, build, division
from gitgpu.runs.validate import read_fleet
from gitgpu.write.cache_file import read_stamp
from tests.helping.cases import for_each
from tests.jobs.test_jobs import answer, forks

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "fleet.yaml"
LINES = SPEC.read_text("utf-8").splitlines()


def built(path: Path, *, proven: bool = False) -> Build:
    """A build of every cluster."""
    return build(read_fleet([str(path)]), options=BuildOptions(proven))


@settings(max_examples=10)  # each builds the whole example fleet
@given(line=st.integers(0, len(LINES) - 1), text=st.sampled_from(["", "x: y", "  sku: Standard_NC6", "---", "{", "a"]))
def test_files_or_errors_never_both(tmp_path_factory: pytest.TempPathFactory, line: int, text: str) -> None:
    path = tmp_path_factory.mktemp("spec") / "fleet.yaml"
    path.write_text("\n".join([*LINES[:line], text, *LINES[line + 1 :]]), "utf-8")
    result = built(path)
    errors = [
        diagnostic
        for diagnostic in (*result.checked.diagnostics, *result.faults)
        if diagnostic.severity is Severity.ERROR
    ]
    assert bool(result.files) is not bool(errors)


def test_a_fault_of_a_job_is_reported_where_its_author_wrote_it(tmp_path: Path) -> None:
    image = "          image: contoso.azurecr.io/transcribe:2.1\n"
    text = SPEC.read_text("utf-8").replace(image, f"{image}          volumeMounts: [{{name: none, mountPath: /a}}]\n")
    path = tmp_path / "fleet.yaml"
    path.write_text(text, "utf-8")
    line = text[: text.index("{name: none")].count("\n") + 1
    [fault] = build(read_fleet([str(path)])).faults
    assert built(path, proven=True).faults == ()
    assert (fault.code, fault.span.line, fault.span.column) == ("NAM005", line, 33)


def test_files_are_in_order_of_clusters_for_any_number_of_jobs(tmp_path: Path) -> None:
    """Clusters are compiled in order of their Kubernetes versions, which is the reverse order here."""
    spec = (
        "apiVersion: gitgpu.dev/v1alpha1\nkind: Fleet\nmetadata: {name: ml}\n"
        "spec: {delivery: {engine: flux, repository: https://example.com/fleet}}\n---\n"
        "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata: {name: t4}\n"
        "spec: {clusters: [a, b, c], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}}\n"
    )
    cluster = (
        "---\napiVersion: gitgpu.dev/v1alpha1\nkind: Cluster\nmetadata: {{name: {}}}\n"
        'spec: {{region: swedencentral, kubernetesVersion: "{}"}}\n'
    )
    path = tmp_path / "fleet.yaml"
    versions = {"a": "1.36", "b": "1.35", "c": "1.34"}
    path.write_text(spec + "".join(cluster.format(*item) for item in versions.items()), "utf-8")
    alone, together = (build(read_fleet([str(path)]), options=BuildOptions(jobs=jobs)) for jobs in (1, 2))
    assert alone.errors == ()
    assert list(dict.fromkeys(name.partition("/")[0] for name in alone.files)) == ["a", "b", "c"]
    assert list(together.files.items()) == list(alone.files.items())


@for_each(
    ("picked", "jobs", "sound", "expected"),
    [
        (MIN_PARALLEL, 2, True, Division(2, checks_in_background=True)),
        (1, 2, True, Division(2, checks_in_background=True)),  # one cluster of many: checking takes longest
        (MIN_PARALLEL, 1, True, Division(1, checks_in_background=False)),
        (MIN_PARALLEL, 2, False, Division(2, checks_in_background=False)),
        (MIN_PARALLEL - 1, None, True, Division(1, checks_in_background=False)),
    ],
)
def test_another_process_checks_a_fleet_while_its_first_clusters_are_compiled(
    picked: int, jobs: int | None, *, sound: bool, expected: Division
) -> None:
    assert division(picked, jobs, sound=sound) == expected


def test_a_build_uses_as_many_processes_as_its_picked_clusters_are_worth() -> None:
    numbers = [division(picked, None, sound=True).jobs for picked in (MIN_PARALLEL - 1, MIN_PARALLEL)]
    assert numbers == [processes(None, amount, 10) for amount in (9, 10)]


def test_a_build_starts_no_process_unless_it_is_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process with threads, which may be any that calls `build`, should not fork."""

    def fork() -> int:
        raise AssertionError("a process was started")

    monkeypatch.setattr(os, "fork", fork, raising=False)
    assert build(read_fleet([str(SPEC)])).files


@forks
@pytest.mark.parametrize(
    ("written", "instead", "expected"),
    [
        ("", "", "True []"),
        (
            "transcribe:2.1\n",
            f"transcribe:2.1\n{' ' * 10}volumeMounts: [{{name: none, mountPath: /a}}]\n",
            "False ['NAM005']",
        ),
        ("sku: Standard_NC4as_T4_v3\n", "sku: Standard_NC6\n", "False []"),  # an error in the spec itself
    ],
)
def test_another_process_finds_the_same_in_the_output(
    tmp_path: Path, written: str, instead: str, expected: str
) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text(SPEC.read_text("utf-8").replace(written, instead), "utf-8")
    program = f"""
import sys
from gitgpu.jobs import prepared
from gitgpu.runs import check_output
from gitgpu.runs.build import BuildOptions, build
from gitgpu.runs.validate import read_fleet

fleet = read_fleet([{str(path)!r}])
prepared.is_useful = lambda jobs: True
with check_output.output_checker((), None, at_once=True) as checker:
    helped = build(fleet, options=BuildOptions(checker=checker))
assert "gitgpu.rules.object_findings" not in sys.modules
alone = build(fleet)
assert (helped.faults, helped.checked.diagnostics) == (alone.faults, alone.checked.diagnostics)
assert list(helped.files.items()) == list(alone.files.items())
print(bool(alone.files), [fault.code for fault in alone.faults])
"""
    assert answer(program) == expected


@forks
@pytest.mark.parametrize(
    ("error", "expected"), [("KeyError('x')", "KeyError 'x'"), ("SystemExit(1)", "ChildProcessError a worker process")]
)
def test_what_fails_in_the_checker_fails_the_build(error: str, expected: str) -> None:
    program = f"""
from gitgpu.jobs import prepared
from gitgpu.runs import check_output
from gitgpu.runs.build import BuildOptions, build
from gitgpu.runs.validate import read_fleet

def fail(_):
    raise {error}

prepared.is_useful = lambda jobs: True
check_output.output_check = lambda facts: fail
with check_output.output_checker((), None, at_once=True) as checker:
    try:
        build(read_fleet([{str(SPEC)!r}]), options=BuildOptions(checker=checker))
    except Exception as error:
        print(type(error).__name__, error)
"""
    assert answer(program).startswith(expected)


def test_equal_clusters_share_their_texts_whichever_process_compiled_them(tmp_path: Path) -> None:
    clusters = [fleet.CLUSTER % (number, "small", "swedencentral", "1.35") for number in range(20)]
    pool = fleet.POOL % ("small", "small", "Standard_NC4as_T4_v3")
    spec = fleet.save(tmp_path / "equal", [fleet.FLEET, *clusters, pool])
    result = build(read_fleet([str(spec)]), options=BuildOptions(jobs=2))
    whole = sum(map(len, result.files.values()))
    assert len(pickle.dumps(result.texts)) < 2 * whole / len(clusters)


def test_a_valid_proof_changes_no_byte() -> None:
    files = built(SPEC).files
    assert built(SPEC, proven=True).files == files
    assert any("/runbook/" in path for path in files)


def test_files_are_written_despite_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text(SPEC.read_text("utf-8").replace("limits: {gpus: 2}", "limits: {cpu: 8}"), "utf-8")
    result = built(path)
    assert {finding.severity for finding in result.checked.diagnostics} == {Severity.WARNING}
    assert (result.errors, bool(result.files)) == ((), True)


def test_only_a_build_without_findings_writes_a_stamp_with_inputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(SPEC, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["build"]) == 0
    silent = read_stamp("overlays")
    assert silent is not None
    assert silent.inputs
    spec = Path("fleet.yaml")
    spec.write_text(spec.read_text("utf-8").replace("limits: {gpus: 2}", "limits: {cpu: 8}"), "utf-8")  # a warning
    assert main(["build"]) == 0
    reported = read_stamp("overlays")
    assert reported is not None
    assert not reported.inputs


def test_the_compiler_is_not_imported_before_the_process_that_checks_its_output_starts() -> None:
    program = (
        "import sys; import gitgpu.cli.build_.fleet; "
        "print([name for name in ('emit', 'patch', 'plan') if f'gitgpu.{name}' in sys.modules])"
    )
    assert answer(program) == "[]"


def test_a_build_without_findings_loads_no_library_that_only_findings_need() -> None:
    program = (
        "import sys; from gitgpu.runs.build import build; from gitgpu.runs.validate import read_fleet; "
        f"assert build(read_fleet([{str(SPEC)!r}])).files; "
        "print(sorted({'jsonschema', 'pkgutil', 'yaml'} & sys.modules.keys()))"
    )
    assert answer(program) == "[]"


@pytest.mark.parametrize(
    ("pool", "jobs", "is_compiled"),
    [
        ("clusters: [one], sku: Standard_NC16as_T4_v3", 1, True),
        ("clusters: [one], sku: Standard_NC6", 1, False),  # an error from a rule
        ("clusters: [two], sku: Standard_NC16as_T4_v3", 1, False),
        ("clusters: [two], sku: Standard_NC16as_T4_v3", 2, False),  # found before another process runs the rules
    ],
)
def test_a_fleet_with_an_error_is_not_compiled(tmp_path: Path, pool: str, jobs: int, *, is_compiled: bool) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text(
        "apiVersion: gitgpu.dev/v1alpha1\nkind: Fleet\nmetadata: {name: ml}\n"
        "spec: {delivery: {engine: flux, repository: https://example.com/fleet}}\n---\n"
        "apiVersion: gitgpu.dev/v1alpha1\nkind: Cluster\nmetadata: {name: one}\n"
        'spec: {region: swedencentral, kubernetesVersion: "1.36"}\n---\n'
        "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata: {name: t4}\n"
        f"spec: {{{pool}, limits: {{gpus: 8}}}}\n",
        "utf-8",
    )
    program = (
        "import sys; from gitgpu.runs.build import BuildOptions, build; from gitgpu.runs.validate import read_fleet; "
        f"build(read_fleet([{str(path)!r}]), options=BuildOptions(jobs={jobs})); "
        "print('gitgpu.runs.compile' in sys.modules)"
    )
    assert answer(program) == str(is_compiled)
