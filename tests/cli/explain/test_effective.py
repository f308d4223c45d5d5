"""`gitgpu explain --effective`: the spec of a pool or workload on one cluster."""

import json
import re
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Run

HEAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: "
FLEET = f"""\
{HEAD}Fleet
metadata: {{name: f}}
spec:
  delivery: {{repository: https://example.com/x}}
  defaults:
    pool:
      tags: {{a: fleet, b: fleet}}
---
{HEAD}Cluster
metadata: {{name: prod, labels: {{env: prod}}}}
spec: {{region: swedencentral, kubernetesVersion: "1.36"}}
---
{HEAD}Cluster
metadata: {{name: staging}}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  pool:
    tags: {{b: staging}}
---
"""
POOL = f"""\
{HEAD}GpuPool
metadata: {{name: t4, labels: {{team: research}}}}
spec:
  clusters: [prod, staging]
  sku: Standard_NC16as_T4_v3
  limits: {{gpus: 8, nodes: 2}}
  overrides:
  - clusters: [staging]
    set:
      limits: {{gpus: 4, nodes: null}}
---
"""
WORKLOAD = f"""\
{HEAD}GpuWorkload
metadata: {{name: chat, namespace: serving}}
spec:
  pools: [t4]
  target: {{kind: Deployment, name: chat}}
  overrides:
  - clusters: {{matchLabels: {{env: prod}}}}
    set: {{cuda: "12.8"}}
"""
TEXT = """\
# GpuPool t4 on staging
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata:
  name: t4                                              # fleet.yaml:26
  labels:
    team: research                                      # fleet.yaml:26
spec:
  clusters: [prod, staging]                             # fleet.yaml:28
  sku: [Standard_NC16as_T4_v3]                          # fleet.yaml:29
  os: linux                                             # default
  capacity: [on-demand]                                 # default
  limits:
    gpus: 4                                             # fleet.yaml:34
  operatorOptOut: true                                  # default
  devicePlugin: false                                   # default
  disruption:
    consolidationPolicy: WhenEmpty                      # default
    consolidateAfter: 10m                               # default
  taints: [{key: sku, value: gpu, effect: NoSchedule}]  # default
  spotTaint: true                                       # default
  tags:
    a: fleet                                            # fleet.yaml:8
    b: staging                                          # fleet.yaml:22
"""


@pytest.fixture(autouse=True)
def _fleet(run: Run) -> None:
    Path("fleet.yaml").write_text(FLEET + POOL + WORKLOAD)


def shown(run: Run, name: str, cluster: str) -> str:
    """The effective document on a cluster."""
    ran = run("explain", "--effective", name, "--cluster", cluster)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def test_each_value_is_shown_with_its_line_in_the_spec(run: Run) -> None:
    assert re.sub(" +#", " #", shown(run, "pool/t4", "staging")) == re.sub(" +#", " #", TEXT)
    assert "cuda: " not in shown(run, "workload/chat", "staging")
    assert re.search(r'cuda: "12.8" +# fleet.yaml:44\n', shown(run, "GpuWorkload/serving/chat", "prod"))


def test_json_has_the_same_values_with_their_places(run: Run) -> None:
    ran = run("explain", "--effective", "pool/t4", "--cluster", "staging", "-o", "json")
    reported = json.loads(ran.out)
    assert (reported["kind"], reported["cluster"]) == ("EffectiveObject", "staging")
    assert reported["document"] == yaml.load(shown(run, "pool/t4", "staging"), yaml.CSafeLoader)
    places = {value["pointer"]: value["place"] for value in reported["values"]}
    assert places["/spec/limits/gpus"] == "fleet.yaml:34:22"
    assert places["/spec/tags/b"] == "fleet.yaml:22:15"
    assert places["/spec/os"] is None
    assert "/spec/limits/nodes" not in places


def test_a_kind_can_be_written_as_in_documents(run: Run) -> None:
    assert shown(run, "GpuPool/t4", "prod") == shown(run, "pool/t4", "prod")
    assert shown(run, "Cluster/prod", "prod") == run("explain", "--effective", "cluster/prod").out


@pytest.mark.parametrize("cluster", ["prod", "staging"])
def test_what_is_shown_builds_to_the_same_files(run: Run, cluster: str) -> None:
    documents = [shown(run, "pool/t4", cluster), shown(run, "workload/chat", cluster)]
    assert run("build", "--cluster", cluster).code == 0
    before = files(cluster)
    Path("fleet.yaml").write_text(FLEET + "---\n".join(documents))
    assert run("build", "--cluster", cluster).code == 0
    assert before == files(cluster)
    assert any("nodepool-t4" in path for path in before)


def files(cluster: str) -> dict[str, str]:
    """The files of a cluster, without the line numbers in their headers."""
    paths = [path for path in Path("overlays", cluster).rglob("*") if path.is_file()]
    return {str(path): re.sub(r"fleet\.yaml:\d+", "fleet.yaml", path.read_text()) for path in paths}


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (("pool/t5", "--cluster", "prod"), 1, "no GpuPool is named 't5'; use t4"),
        (("pool/t4", "--cluster", "prd"), 1, "no Cluster is named 'prd'; did you mean 'prod'?"),
        (("workload/other/chat", "--cluster", "prod"), 1, "no GpuWorkload is named 'chat'"),
        (
            ("pol/t4", "--cluster", "prod"),
            2,
            "'pol/t4' is not a pool, workload, team or cluster; did you mean pool/t4?",
        ),
        (("workloads/chat", "--cluster", "prod"), 2, "did you mean workload/chat?"),
        (("clusters/prod",), 2, "did you mean cluster/prod?"),
        (("pool/a/b/c", "--cluster", "prod"), 2, "use pool/NAME"),
        (("pol/", "--cluster", "prod"), 2, "use pool/NAME"),
        (("cluster/prod", "--cluster", "staging"), 2, "--cluster is not needed with --effective cluster/NAME"),
        (
            ("t4", "--cluster", "prod"),
            2,
            "use pool/NAME, workload/NAME, workload/NAMESPACE/NAME, team/NAME or cluster/NAME",
        ),
        (("pool/t4",), 2, "--effective needs --cluster NAME"),
    ],
)
def test_an_unknown_name_is_an_error_with_a_suggestion(run: Run, words: tuple[str, ...], code: int, error: str) -> None:
    ran = run("explain", "--effective", *words)
    assert (ran.code, ran.out) == (code, "")
    assert error in ran.err


def test_a_pool_of_another_cluster_is_an_error(run: Run) -> None:
    Path("fleet.yaml").write_text(FLEET + POOL.replace("[prod, staging]", "[staging]"))
    ran = run("explain", "--effective", "pool/t4", "--cluster", "prod")
    assert (ran.code, ran.out) == (1, "")
    assert "GpuPool t4 is not on prod; it is on: staging" in ran.err


def test_pools_of_one_name_are_distinguished_by_their_cluster(run: Run) -> None:
    other = POOL.replace("[prod, staging]", "[prod]").partition("  overrides")[0].replace("NC16as", "NC4as")
    Path("fleet.yaml").write_text(FLEET + POOL.replace("[prod, staging]", "[staging]") + other)
    assert "[Standard_NC16as_T4_v3]" in shown(run, "pool/t4", "staging")
    assert "[Standard_NC4as_T4_v3]" in shown(run, "pool/t4", "prod")


def test_an_override_that_makes_the_pool_invalid_is_reported(run: Run) -> None:
    Path("fleet.yaml").write_text(FLEET + POOL.replace("gpus: 4,", "gpus: few,"))
    ran = run("explain", "--effective", "pool/t4", "--cluster", "staging")
    assert ran.code == 1
    assert "fleet.yaml:34:22: error[SHP003]" in ran.out
    assert run("explain", "--effective", "pool/t4", "--cluster", "prod").code == 0


def test_the_path_of_the_fleet_may_be_named(run: Run) -> None:
    Path("fleet.yaml").rename("other.yaml")
    ran = run("explain", "--effective", "pool/t4", "--cluster", "prod", "--fleet", "other.yaml")
    assert (ran.code, "other.yaml:29" in ran.out) == (0, True)
    assert run("explain", "--cluster", "prod").code == 2
    assert "--fleet needs --effective KIND/NAME" in run("explain", "--fleet", "other.yaml").err
    positional = run("explain", "--effective", "pool/t4", "--cluster", "prod", "other.yaml")
    assert (positional.code, "name the fleet with --fleet PATH" in positional.err) == (2, True)


def test_without_a_fleet_document_nothing_is_shown(run: Run) -> None:
    fleet, rest = FLEET.split("---\n", 1)
    Path("fleet.yaml").write_text(rest + POOL)
    ran = run("explain", "--effective", "pool/t4", "--cluster", "prod")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "gitgpu: no Fleet document; create one document of kind: Fleet\n"
    Path("fleet.yaml").write_text(fleet.replace("{repository: https://example.com/x}", "5") + "---\n" + rest + POOL)
    ran = run("explain", "--effective", "pool/t4", "--cluster", "prod")
    assert (ran.code, "error[SHP003]" in ran.out) == (1, True)
    Path("fleet.yaml").unlink()
    assert run("explain", "--effective", "pool/t4", "--cluster", "prod", "--fleet", "none.yaml").code == 2


def test_nothing_is_shown_of_a_fleet_that_is_only_partly_readable(run: Run) -> None:
    Path("fleet").mkdir()
    Path("fleet.yaml").rename("fleet/fleet.yaml")
    Path("fleet/broken.yaml").write_bytes(b"\xff")
    ran = run("explain", "--effective", "pool/t4", "--cluster", "prod", "--fleet", "fleet")
    assert (ran.code, "fleet/broken.yaml:1:1: error[INP002]" in ran.out) == (2, True)
