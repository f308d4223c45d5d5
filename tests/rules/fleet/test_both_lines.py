"""A finding about two conflicting settings is reported at one of them and names the line of the other."""

import re

from gitgpu.diagnostic import Diagnostic, Severity
from tests.helping.cases import for_each
from tests.rules.fleet.examples import RULES, findings, findings_in
from tests.rules.fleet.test_relations import cluster, pool, workload

PLACE = re.compile(r"\(fleet\.yaml:(\d+):(\d+)\)")
KEY = re.compile(r"\w+: ")
BY_CODE = {rule.code: rule for rule in RULES if rule.severity is Severity.ERROR}
LINES = {  # what is on the other line in the bad examples of rules
    "provisioner: nap": "AGP004 NET001 WIN001",
    "provisioner: cluster-autoscaler": "AGP003 AGP005 AGP006 AGP007 KTO020 PRT013",
    "name: t4-a": "AGP010",
    "driverBranch:": "VER003",
    "sku:": "AGP016 AMD003 AMD005 DRV001 DRV004 DRV005 DRV007 DRV011 DRV013 "
    "DRV101 KTO003 KTO006 KTO009 QTA001 SCH008 SCH024 STR001",
    "driver: operator": "AMD002 DRA006 DRV100",
    "kubernetesVersion:": "DRA002 QUE001 SCL071 SDL001",
    "allocation: dra": "DRA003 DRA004 DRA005 DRA008",
    "driver: managed": "DRV006 SCL026",
    "driver: aks": "DRV061",
    "kaito: none": "KTO001",
    "partition:": "KTO007 SCH028",
    "kaito: addon": "KTO008",
    "taints: [": "KTO010",
    "keda: addon": "KTO011",
    "gpus: 4": "KTO015",
    "inference:": "KTO018",
    "scrape: none": "MET005",
    "exporter: false": "MET060",
    "subnet:": "NET003",
    "mig:": "PRT001 PRT005 PRT008",
    "strategy: single": "PRT012",
    "capacity: [spot]": "QTA005",
    "rdma: shared": "RDM002",
    "rdma: managed": "RDM009 RDM010",
    "queues: aks": "QUE002",
    "resourceId:": "CLU008",
    "zones:": "SCH004",
    "sku: automatic": "AUT003 AUT004 AUT005",
    "mps:": "SCH023",
    "keda: none": "SCL004",
    "counters: standard": "SCL005",
    "scaling:": "SCL006",
    "kind: Job": "SCL009",
    "name: gpu": "NCL001",
    "name: ranker": "SCL010",
    "scrape: prometheus-operator": "SCL024",
    "scrape: azure-managed": "SCL028",
    "os: windows": "WIN002 WIN004 WIN006 WIN010",
    "policy: cilium": "WIN005",
    "namespaces:": "TEA001",
}
OTHER = {code: text for text, codes in LINES.items() for code in codes.split()}
SKU, AMD = "sku: Standard_NC24ads_A100_v4", "sku: Standard_ND96isr_MI300X_v5"
SHARED, SCALED = "partition: {timeSlicing: {replicas: 4}}", ", scaling: {target: 70, max: 4}"
MIXED = f"{SKU}, driver: operator, partition: {{mig: {{strategy: mixed, profiles: {{3g.40gb: 2}}}}}}"


def fleet(defaults: str) -> str:
    spec = f"{{delivery: {{repository: https://github.com/contoso/gpu-fleet}}, defaults: {{{defaults}}}}}"
    return f"apiVersion: gitgpu.dev/v1alpha1\nkind: Fleet\nmetadata: {{name: example}}\nspec: {spec}\n"


def named(diagnostic: Diagnostic, text: str) -> list[str]:
    """The key and value at each place that a finding names; none if the finding is about one place."""
    spots = {(int(line), int(column)) for line, column in PLACE.findall(diagnostic.message)}
    assert (diagnostic.span.line, diagnostic.span.column) not in spots
    lines = text.splitlines()
    return [KEY.findall(lines[at - 1][: column - 1])[-1] + lines[at - 1][column - 1 :] for at, column in sorted(spots)]


@for_each("code", OTHER)
def test_the_message_names_the_other_line(code: str) -> None:
    diagnostics = findings_in(BY_CODE[code], BY_CODE[code].bad)
    for diagnostic in diagnostics:
        assert any(text.startswith(OTHER[code]) for text in named(diagnostic, BY_CODE[code].bad)), diagnostic.message


def test_every_rule_that_names_a_line_is_tested() -> None:
    naming = set()
    for code, rule in BY_CODE.items():
        if any(PLACE.search(finding.message) for finding in findings_in(rule, rule.bad)):
            naming.add(code)
    assert naming - set(OTHER) == set()


@for_each(
    ("code", "other", "documents"),
    [
        ("DRV006", "driver: none", (cluster("stack: {driver: none}"), pool(f"{SKU}, {SHARED}"))),
        ("DRV006", "driver: none", (fleet("stack: {driver: none}"), pool(f"{SKU}, {SHARED}"))),
        ("DRV006", "driver: none", (fleet("pool: {driver: none}"), pool(f"{SKU}, {SHARED}"))),
        ("DRV061", "driver: none", (cluster("stack: {driver: none}"), pool(f'{SKU}, driverBranch: "580"'))),
        ("DRV100", "driver: managed", (cluster("stack: {driver: managed}"), pool(f"{AMD}, devicePlugin: true"))),
        ("PRT006", "provisioner: nap", (cluster("provisioner: nap"), pool(MIXED))),
        ("SCL005", "driver: none", (cluster("stack: {driver: none}"), pool(SKU), workload(SCALED))),
        ("SCL005", "allocation: dra", (cluster("stack: {allocation: dra}"), pool(SKU), workload(SCALED))),
        ("DRA007", "sku:", (pool(SKU), workload(", computeDomain: true"))),
        ("SCH009", "partition:", (pool(f"{SKU}, {SHARED}"), workload(", gpus: 2"))),
    ],
)
def test_the_other_line_is_named_in_every_layout(code: str, other: str, documents: tuple[str, ...]) -> None:
    text = "---\n".join(documents)
    diagnostics = [finding for finding in findings(text) if finding.code == code]
    assert diagnostics
    for diagnostic in diagnostics:
        assert any(line.startswith(other) for line in named(diagnostic, text)), diagnostic.message


def test_no_line_is_named_for_a_default() -> None:
    text = pool("os: windows, sku: Standard_NV36ads_A10_v5")
    (message,) = [finding.message for finding in findings(text) if finding.code == "WIN001"]
    assert message == "node auto-provisioning on prod-swc does not support Windows nodes"
