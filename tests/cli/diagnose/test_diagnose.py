"""`gitgpu diagnose`: formats, selections, exit status, and dumps that cannot be read."""

import html
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import write
from tests.diagnose.states import ROOT, items, state_file
from tests.helping.cases import for_each

SICK, HEALTHY = "plugin-without-toleration", "healthy"
PLUGIN = ROOT / "gitgpu/cli/diagnose/kubectl-gitgpu"
KUBECTL = """\
#!/bin/sh
case "$*" in
  *api-resources*) printf 'nodes\\npods\\nevents\\nsecrets\\n' ;;
  *"get events"*) echo 'Error from server (Forbidden)' >&2; exit 1 ;;
  *"get nodes"*) cat "$STATE" ;;
  *"get daemonsets.apps"*jsonpath*)
    echo 'gpu-operator nvcr.io/nvidia/k8s-device-plugin:v0.18.0 |  device-plugin-config'
    echo 'gpu-operator nvcr.io/nvidia/cloud-native/k8s-mig-manager@sha256:1 | custom-mig-config'
    echo 'ml contoso/app:1 | app-settings' ;;
  *"get configmap custom-mig-config"*) exit 1 ;;
  *) echo '{"apiVersion": "v1", "kind": "List", "items": []}' ;;
esac
"""


def sample(name: str) -> str:
    """The path of a recorded state."""
    return str(state_file(name))


def test_the_exit_status_says_whether_something_is_wrong(run: Run) -> None:
    assert run("diagnose", sample(SICK)).code == 1
    healthy = run("diagnose", sample(HEALTHY))
    assert (healthy.code, healthy.out.splitlines()[0]) == (
        0,
        "Nothing waits, and nothing is wrong, as far as the dump says.",
    )
    assert run("diagnose", sample("gated-by-kueue")).code == 0
    missing = run("diagnose", "missing.json")
    assert (missing.code, missing.out.count("error[")) == (2, 1)


def test_json_matches_its_schema(run: Run) -> None:
    schema = json.loads((ROOT / "schemas/report.schema.json").read_text())
    for name in (SICK, HEALTHY, "sku-not-available", "keda-query-empty"):
        report = json.loads(run("diagnose", sample(name), "-o", "json").out)
        jsonschema.validate(report, schema)
        assert report["kind"] == "Diagnosis"
    Path("cut.json").write_text('{"apiVersion": "v1", "kind": "List", "items": [')
    done = run("diagnose", "cut.json", "-o", "json")
    report = json.loads(done.out)
    jsonschema.validate(report, schema)
    assert (done.code, report["kind"], [each["code"] for each in report["results"]]) == (2, "Findings", ["IMP002"])


ABOUT = {
    "pod": ("many-pods-one-cause", "--pod", "ml/chat-0"),
    "node": ("plugin-without-toleration", "--node", "aks-gpu-a"),
    "kept": ("idle-node-kept-by-budget", "--node", "aks-gpu-00001"),
}


@pytest.mark.parametrize("about", ABOUT)
def test_one_pod_or_node_is_the_same_in_every_format(run: Run, about: str) -> None:
    name, option, value = ABOUT[about]
    causes, shown = json.loads(run("diagnose", sample(name), option, value, "-o", "json").out)["causes"], {}
    assert causes
    for form in ("text", "markdown", "html"):
        done = run("diagnose", sample(name), option, value, "-o", form)
        assert done.code == int(any(not cause["normal"] for cause in causes))
        shown[form] = html.unescape(done.out).replace("\\", "")
    for cause in causes:
        for form, page in shown.items():
            assert f"{cause['verdict']}: {cause['message']}" in page, form
            assert cause["help"] in page, form
    everything = json.loads(run("diagnose", sample(name), "-o", "json").out)["causes"]
    others = {cause["message"] for cause in everything} - {cause["message"] for cause in causes}
    assert not [message for message in others for page in shown.values() if message in page]
    if option == "--pod":
        assert {subject["name"] for cause in causes for subject in cause["subjects"]} == {"chat-0"}


def test_markdown_and_html_have_the_causes(run: Run) -> None:
    assert "### stuck-node: " in run("diagnose", sample(SICK), "-o", "markdown").out
    page = run("diagnose", sample(SICK), "-o", "html").out
    assert "<h3>stuck-node: " in page
    assert "<script" not in page


def test_one_pod_or_one_node(run: Run) -> None:
    done = run("diagnose", sample(SICK), "--pod", "ml/chat-0", "-o", "json")
    assert [entry["name"] for entry in json.loads(done.out)["causes"][0]["subjects"]] == ["chat-0"]
    node = json.loads(run("diagnose", sample(SICK), "--node", "aks-gpu-b", "-o", "json").out)
    assert len(node["causes"]) == 1
    assert "'ml/other' is not a pod of the dump" in run("diagnose", sample(SICK), "--pod", "ml/other").err
    unqualified = run("diagnose", sample(SICK), "--pod", "chat-0").err
    assert "'chat-0' is not a pod of the dump; did you mean ml/chat-0?" in unqualified
    assert "did you mean aks-gpu-b?" in run("diagnose", sample(SICK), "--node", "aks-gpu-bb").err
    assert "'other' is not a node of the dump" in run("diagnose", sample(SICK), "--node", "other").err


def test_standard_input_and_a_directory(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(json.dumps(item) for item in items(SICK))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    piped = run("diagnose", "-")
    Path("dump").mkdir()
    for number, item in enumerate(items(SICK)):
        Path(f"dump/{number}.json").write_text(json.dumps(item))
    assert run("diagnose", "dump") == piped
    assert piped.code == 1


def test_a_file_that_is_named_after_a_kind_says_that_it_was_asked_for(run: Run) -> None:
    Path("dump").mkdir()
    Path("dump/all.json").write_text("".join(json.dumps(item) for item in items(SICK)))
    assert "  Event: " in run("diagnose", "dump").out
    Path("dump/events.json").write_text('{"apiVersion": "v1", "kind": "List", "items": []}')
    assert "  Event: " not in run("diagnose", "dump").out


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "IMP001"),
        ("NAME     READY   STATUS\nchat-0   0/1     Pending\n", "IMP003"),
        ('{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"', "IMP002"),
        ("[" * 100_000, "IMP002"),
    ],
    ids=("empty", "table", "cut", "deep"),
)
def test_what_is_no_dump_is_a_fault(run: Run, content: str, code: str) -> None:
    Path("dump.json").write_text(content)
    done = run("diagnose", "dump.json")
    assert done.code == 2
    assert f"[{code}]" in done.out


def test_objects_of_no_shape_are_notes(run: Run) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "ml"}, "spec": {"nodeSelector": 5}}
    broken = [pod, {"apiVersion": "v1", "kind": "Event", "reason": "x"}, {"apiVersion": "v1", "kind": "Node"}]
    Path("dump.json").write_text("".join(json.dumps(item) for item in [*items(SICK), *broken]))
    done = run("diagnose", "dump.json")
    assert done.code == 1
    assert "Pod a is not read" in done.err


def test_the_plugin_reads_what_is_served_and_allowed(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "kubectl").write_text(KUBECTL)
    (folder / "kubectl").chmod(0o755)
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items(SICK)}))
    path = f"{folder}:{Path(sys.executable).parent}:/usr/bin:/bin"
    done = subprocess.run(
        ["sh", str(PLUGIN), "diagnose", "--context=prod", f"--dump={tmp_path / 'dump'}", "-o", "json"],
        env={"PATH": path, "STATE": str(state)}, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert [cause["verdict"] for cause in json.loads(done.stdout)["causes"]] == ["stuck-node"]
    assert sorted(file.name for file in (tmp_path / "dump").iterdir()) == [
        "configmap-gpu-operator-device-plugin-config.json",
        "nodes.json",
        "pods.json",
    ]
    assert subprocess.run(["sh", str(PLUGIN)], check=False, capture_output=True).returncode == 2


@pytest.fixture
def plugin(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts the plugin with a kubectl that is this script."""

    def start(kubectl: str, *words: str) -> subprocess.Popen[str]:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin/kubectl").write_text(kubectl)
        (tmp_path / "bin/kubectl").chmod(0o755)
        path = f"{tmp_path / 'bin'}:{Path(sys.executable).parent}:/usr/bin:/bin"
        variables = {"PATH": path, "STATE": sample(SICK), "TMPDIR": str(tmp_path), "LOG": str(tmp_path / "log")}
        command = ["sh", str(PLUGIN), "diagnose", *words]
        return subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    return start


def test_the_plugin_reads_what_other_groups_serve_if_one_does_not_answer(
    plugin: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    partial = KUBECTL.replace("secrets\\n' ;;", "secrets\\n'; exit 1 ;;").replace(
        "case", 'printf "%s\\\\n" "$1" >>"$LOG"\ncase', 1
    )
    running = plugin(partial, "--pod", "ml/chat-0", "--context", "prod", "-o", "json")
    shown, said = running.communicate()
    assert (running.returncode, json.loads(shown)["causes"][0]["verdict"]) == (1, "stuck-node"), said
    assert all(line == "--context=prod" for line in (tmp_path / "log").read_text().splitlines())
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("tmp.")] == []


@for_each(
    ("kubectl", "words", "says"),
    [
        (KUBECTL, ("--pod", "ml/a", "--context"), "--context needs a value"),
        ("#!/bin/sh\nexit 1\n", (), "lists nothing"),
    ],
)
def test_the_plugin_says_what_it_lacks(kubectl: str, words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    (tmp_path / "kubectl").write_text(kubectl)
    (tmp_path / "kubectl").chmod(0o755)
    done = subprocess.run(
        ["sh", str(PLUGIN), "diagnose", *words],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, says in done.stderr) == (2, True)


def test_the_plugin_removes_what_it_read_if_it_is_stopped(
    plugin: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    running = plugin(KUBECTL.replace('cat "$STATE"', "echo waits >&2; sleep 1"))
    assert running.stderr is not None
    assert running.stderr.readline() == "waits\n"
    running.terminate()
    running.communicate()
    assert running.returncode == 130
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("tmp.")] == []


NO_GPUS_LATER = """\
name: ADV900
title: "Nodes of an image lose their GPUs"
severity: warning
match: {nodeImage: ">=202501.01.0"}
noGpus: true
from: "2027-01-01"
until: null
effect: "their driver licence has expired"
remedy: "upgrade the node image"
source: [https://wiki.example.com/1]
verified: "2026-11-30"
"""


def test_advisories_are_judged_on_the_day_of_today(run: Run) -> None:
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [mine]\n", ".gitgpu.yaml")
    write(NO_GPUS_LATER, "mine/advisories/ADV900.yaml")
    effect = "their driver licence has expired"
    dump = "dump.yaml"
    write(Path(sample("plugin-sees-no-gpu")).read_text(), dump)
    assert effect not in run("diagnose", dump, "--today", "2026-12-31").out
    assert effect in run("diagnose", dump, "--today", "2027-01-01").out
    assert effect in run("diagnose", dump).out
    assert run("diagnose", dump, "--today", "1.1.2027").code == 2
