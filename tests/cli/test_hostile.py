"""Hostile input is rejected with a place and a reason, without a traceback or a hang."""

import io
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitgpu.diagnostic import Severity, in_order
from gitgpu.load.spec.shape import KINDS
from gitgpu.runs.validate import validate
from gitgpu.write.render import render
from tests.cli.conftest import Run
from tests.cli.fleets import CLUSTER, FLEET, HEAD, POOL, SOUND, tree, write
from tests.load.documents import documents
from tests.load.test_yaml import chain, laughs, merges, nested

LONG = "9" * 5000
HUGE_BOUND = f"requirements: {{vcpus: '>{LONG}'}}"
WORK = (
    f"---\n{HEAD}GpuWorkload\nmetadata: {{name: w, namespace: s}}\n"
    "spec: {pools: [t4], target: {kind: Deployment, name: w}, scaling: {metric: query, query: x, target: 1, max: 2}}\n"
)


def pool(spec: str) -> str:
    """A sound fleet with a further field in the spec of its pool, on line 14."""
    return SOUND.replace("limits: {gpus: 2}", spec)


def named(name: str) -> str:
    """A fleet with another cluster name, on line 9."""
    return SOUND.replace("name: c1", f"name: {name}").replace("[c1]", f"[{name}]")


TEXTS: dict[str, tuple[str | bytes, int, str]] = {
    "empty": ("", 1, "fleet.yaml:1:1: error[SHP001]"),
    "only comments": ("# x\n", 1, "fleet.yaml:1:1: error[SHP001]"),
    "bad UTF-8": (SOUND.encode() + b"# \xff\n", 2, "fleet.yaml:15:1: error[INP002]"),
    "UTF-16 without a mark": (SOUND.encode("utf-16-le"), 2, "fleet.yaml:1:1: error[INP002]"),
    "NUL": (SOUND + "# \0\n", 2, "fleet.yaml:15:1: error[INP002]"),
    "control character": (SOUND + "# \x07\n", 1, "fleet.yaml:15:3: error[YML001]"),
    "escape sequence": (SOUND + "x: \x1b[2J\n", 1, "fleet.yaml:15:4: error[YML001]"),
    "tab": (SOUND.replace("spec:", "\tspec:", 1), 1, "fleet.yaml:4:1: error[YML001]"),
    "open bracket": (SOUND + "---\na: [\n", 1, "fleet.yaml:16:5: error[YML001]"),
    "open quote": (SOUND + "---\na: 'x\n", 1, "fleet.yaml:16:4: error[YML001]"),
    "duplicate key": (SOUND + "kind: GpuPool\n", 1, "fleet.yaml:15:1: error[YML002]"),
    "key on": (pool("on: 1"), 1, "error[YML003]"),
    "key of a number": (pool("1: 1"), 1, "error[YML003]"),
    "key of a list": (pool("[a]: 1"), 1, "error[YML003]"),
    "billion laughs": (laughs(), 1, "error[YML004]"),
    "billion merges": (merges(), 1, "error[YML004]"),
    "chain of aliases": (chain(), 1, "error[YML005]"),
    "anchors around anchors": (nested("&a{n}"), 1, "error[SHP001]"),
    "alias into itself": ("&a [*a]\n", 1, "fleet.yaml:1:5: error[YML004]"),
    "3,000 brackets": ("[" * 3000, 1, "fleet.yaml:1:101: error[YML005]"),
    "1,500 mappings": ("".join(f"{' ' * n}a:\n" for n in range(1500)), 1, "fleet.yaml:101:101: error[YML005]"),
    "unknown tag": (pool("limits: !!python/object:os.system {gpus: 2}"), 1, "error[YML006]"),
    "merge of a number": (pool("<<: 1"), 1, "error[YML007]"),
    "infinity": (SOUND + WORK.replace("target: 1", "target: .inf"), 1, "fleet.yaml:19:101: error[SHP003]"),
    "not a number": (SOUND + WORK.replace("target: 1", "target: .nan"), 1, "fleet.yaml:19:101: error[SHP003]"),
    "1e999": (SOUND + WORK.replace("target: 1", "target: 1e999"), 1, "fleet.yaml:19:101: error[SHP003]"),
    "huge number of GPUs": (pool(f"limits: {{gpus: {LONG}}}"), 1, "fleet.yaml:14:"),
    "huge bound": (SOUND.replace("sku: Standard_NC16as_T4_v3", HUGE_BOUND), 1, "fleet.yaml:14:46: error[SHP003]"),
    "list": ("- a\n", 1, "fleet.yaml:1:1: error[SHP001]"),
    "text": ("hello\n", 1, "fleet.yaml:1:1: error[SHP001]"),
    "foreign kind": ("apiVersion: v1\nkind: Pod\n", 1, "fleet.yaml:2:7: error[SHP002]"),
    "kind of a list": (f"{HEAD}[Fleet]\n", 1, "fleet.yaml:2:7: error[SHP002]"),
    "kind of a mapping": (f"{HEAD}{{a: b}}\n", 1, "fleet.yaml:2:7: error[SHP002]"),
    "metadata of a list": (SOUND.replace("{name: c1}", "[c1]"), 1, "fleet.yaml:8:11: error[SHP003]"),
    "name of a mapping": (SOUND.replace("name: c1", "name: {a: b}"), 1, "fleet.yaml:8:18: error[SHP003]"),
    "spec of nothing": (SOUND.replace("spec: {clusters", "spec: # {clusters"), 1, "error[SHP003]"),
    "name with ../": (named("../../etc"), 1, "fleet.yaml:8:18: error[SHP003]"),
    "name with newline": (named('"c\\n1"'), 1, "fleet.yaml:8:18: error[SHP003]"),
    "name with escape": (named('"c\\e[31m"'), 1, "fleet.yaml:8:18: error[SHP003]"),
    "name that is not a label": (named("Not_a_label"), 1, "fleet.yaml:8:18: error[SHP003]"),
    "name too long": (named("c" * 64), 1, "fleet.yaml:8:18: error[SHP003]"),
    "two fleets": (f"{FLEET}---\n{SOUND}", 1, "fleet.yaml:7:7: error[LNK002]"),
    "20,000 unknown keys": (f"{HEAD}Fleet\n" + "".join(f"k{n}: 1\n" for n in range(20_000)), 1, "error[SHP003]"),
    "20,000 duplicate keys": (f"{HEAD}Fleet\n" + "k: 1\n" * 20_000, 1, "error[YML002]"),
    "20,000 documents": ("---\na: 1\n" * 20_000, 1, "error[SHP001]"),
    "50 kB on a line": (named("x" * 50_000), 1, "fleet.yaml:8:18: error[SHP003]"),
    "long message": (f"{HEAD}{'x' * 200_000}\n", 1, "fleet.yaml:2:7: error[SHP002]"),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_is_a_finding_and_writes_nothing(run: Run, name: str) -> None:
    content, code, place = TEXTS[name]
    write(content)
    ran = run("build")
    assert ran.code == code
    assert place in ran.out
    assert "\x1b" not in ran.out + ran.err
    assert not Path("overlays").exists()


@pytest.mark.parametrize(
    "content",
    [
        pool(f'limits: {{gpus: 2}}, disruption: {{budgets: [{{nodes: "{LONG}"}}]}}'),
        SOUND.replace('"1.36"', f'"1.36", stack: {{metrics: {{interval: {LONG}s}}}}'),
        pool(f"limits: {{gpus: 2}}, disruption: {{consolidateAfter: {LONG}h}}"),
    ],
    ids=["budget", "interval", "consolidateAfter"],
)
def test_absurd_numbers_are_findings(run: Run, content: str) -> None:
    write(content)
    assert run("build").code == 1


def test_many_faults_on_one_long_line(run: Run) -> None:
    labels = ", ".join(f"k{number}: {number}" for number in range(900))
    write(SOUND.replace("name: c1", f"name: c1, labels: {{{labels}}}"))
    reported = run("validate")
    assert reported.code == 1
    assert reported.out.count("error[SHP003]") == 900


def test_a_byte_order_mark_is_accepted(run: Run) -> None:
    write(b"\xef\xbb\xbf" + SOUND.encode())
    assert run("build").code == 0


def test_crlf_changes_nothing(run: Run) -> None:
    write(SOUND)
    run("build")
    before = tree()
    write(SOUND.replace("\n", "\r\n"))
    run("build")
    assert tree() == before


@pytest.mark.parametrize(
    "path",
    ["nope.yaml", "no/where", "x" * 5000, "a\0b", "", "é\x1b[31m", os.fsdecode(b"\xff"), "\n", "/dev/null/x"],
)
def test_a_hostile_path_is_a_finding_without_control_characters(run: Run, path: str) -> None:
    for command in ("validate", "build"):
        ran = run(command, "--", path)
        assert ran.code == 2
        assert "INP001" in ran.out
        assert "\x1b" not in ran.out


def test_hostile_files_and_directories(run: Run) -> None:
    Path("empty").mkdir()
    Path("loops").mkdir()
    Path("loops/a.yaml").symlink_to("b.yaml")
    Path("loops/b.yaml").symlink_to("a.yaml")
    Path("loops/self").symlink_to("../loops")
    os.mkfifo("loops/pipe.yaml")
    with open("huge.yaml", "wb") as file:
        file.truncate(100 * 2**20)
    ran = run("build", "empty", "loops", "huge.yaml", "loops/a.yaml", "missing.yaml")
    assert ran.code == 2
    for place in ("empty: error[INP004]", "loops/a.yaml: error[INP001]", "loops/b.yaml: error[INP001]",
                  "huge.yaml: error[INP003]", "missing.yaml: error[INP001]"):  # fmt: skip
        assert place in ran.out
    assert ran.out.count("error[") == 5


def test_all_faults_of_a_run_are_reported(run: Run) -> None:
    """A single run reports faults of syntax, shape and linking in all files."""
    write(FLEET, "fleet/a.yaml")
    write(CLUSTER.replace("region", "regoin"), "fleet/b.yaml")
    write(POOL.replace("[c1]", "[c1, c7]").replace("NC16as", "NC17as"), "fleet/c.yaml")
    write("a: 1\na: [\n", "fleet/d.yaml")
    write(b"\xff", "fleet/e.yaml")
    ran = run("build")
    assert ran.code == 2
    reported = {line.split("]")[0].partition(": error[")[::2] for line in ran.out.splitlines() if ": error[" in line}
    assert reported == {
        ("fleet/b.yaml:4:8", "SHP003"),
        ("fleet/c.yaml:4:23", "LNK004"),
        ("fleet/c.yaml:4:33", "LNK007"),
        ("fleet/d.yaml:2:5", "YML001"),
        ("fleet/e.yaml:1:1", "INP002"),
    }
    assert {place.split(":")[0] for place, _ in reported} == {f"fleet/{name}.yaml" for name in "bcde"}


LIKE_A_FLEET = st.lists(st.one_of([documents(kind) for kind in KINDS]), min_size=1, max_size=5)


@given(LIKE_A_FLEET)
@settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.function_scoped_fixture],
)
def test_valid_input_never_causes_a_crash(tmp_path: Path, parts: list[dict[str, object]]) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text("".join(f"---\n{render(part)}" for part in parts), "utf-8")
    checked = validate([str(path)])
    for diagnostic in in_order(checked.diagnostics):
        assert diagnostic.message
        assert diagnostic.help
        assert diagnostic.severity in Severity
        assert diagnostic.span.line >= 0


@given(st.data())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_fleet_with_a_missing_piece_causes_no_crash(tmp_path: Path, data: st.DataObject) -> None:
    text = SOUND + WORK
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    noise = data.draw(st.text("{}[]:-,&*!#'\"\n\t aA1", max_size=4))
    path = tmp_path / "fleet.yaml"
    path.write_text(text[:start] + noise + text[end:], "utf-8")
    checked = validate([str(path)])
    lines = path.read_text("utf-8").count("\n") + 1
    assert all(
        0 <= diagnostic.span.line <= lines and diagnostic.message and diagnostic.help
        for diagnostic in checked.diagnostics
    )


def test_only_validate_reads_a_fleet_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def piped() -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SOUND.replace("limits", "limts").encode())))

    piped()
    ran = run("validate", "-")
    assert (ran.code, ran.out.startswith("stdin:")) == (1, True)
    piped()
    assert "+++ stdin" in run("validate", "--diff", "-").out
    assert "cannot write to standard input" in run("validate", "--fix", "-").err
    assert "= help: pass a file: only validate, lint and import read `-`\n" in run("build", "-").out


@pytest.mark.parametrize("key", ["--query", "-x", "--"])
def test_no_tag_reaches_az_as_an_option(run: Run, key: str) -> None:
    write(SOUND.replace("limits: {gpus: 2}", f"limits: {{gpus: 2}}, tags: {{'{key}': b}}"))
    ran = run("build")
    assert ran.code == 1
    assert "not beginning with -" in ran.out


def test_a_selection_in_the_configuration_that_leaves_no_rule_is_refused(run: Run) -> None:
    write(SOUND)
    config = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"
    write(f"{config}select: [NPL010]\n", ".gitgpu.yaml")
    ran = run("build")
    assert ran.code == 1
    assert ".gitgpu.yaml:3:" in ran.out
    assert "this command does not report the codes in select: NPL010" in ran.out
    write(f"{config}select: [SKU, NPL010]\n", ".gitgpu.yaml")
    assert run("build").code == 0
