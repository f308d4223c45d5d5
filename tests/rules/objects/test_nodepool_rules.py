"""NodePools: what each rule about their shape, values and disruption reports, and what it accepts."""

import json
from typing import NamedTuple

import pytest

from gitgpu.diagnostic import Change
from tests.helping.cases import for_each
from tests.rules.objects.samples import conformed

TEMPLATE = "/spec/template/spec"
FIRST = f"{TEMPLATE}/requirements/0"
BUDGETS = "/spec/disruption/budgets"
TAINTED = "taints: [{key: nvidia.com/gpu, effect: NoSchedule}]"
LIMITED = "limits: {nvidia.com/gpu: 8}"
T4 = "{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC16as_T4_v3]}"


class Case(NamedTuple):
    """The parts of a NodePool, and the expected findings as "code pointer"."""

    expected: str
    asks: str = ""
    spec: str = ""
    template: str = ""
    labels: str = ""
    notes: str = ""


def pool(case: Case, name: str = "one") -> str:
    """A NodePool as YAML."""
    return f"""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}}}
spec:
  {case.spec}
  template:
    metadata: {{labels: {{{case.labels}}}, annotations: {{{case.notes}}}}}
    spec:
      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: default}}
      requirements: [{case.asks}]
      {case.template}
"""


def findings(text: str) -> str:
    """All findings as "code pointer", in order."""
    return " ".join(sorted(f"{finding.code} {finding.pointer}" for finding in conformed(text)))


def ask(key: str, operator: str, *values: str) -> str:
    """A requirement."""
    return f"{{key: {key}, operator: {operator}, values: {json.dumps(values)}}}"


ZONE, SCOPE, REGION = (
    "topology.kubernetes.io/zone",
    "karpenter.azure.com/placement-scope",
    "topology.kubernetes.io/region",
)
CPU, MEMORY = "karpenter.azure.com/sku-cpu", "karpenter.azure.com/sku-memory"
PAID, FIPS, ARCH = "karpenter.sh/capacity-type", "kubernetes.azure.com/fips_enabled", "kubernetes.io/arch"
REQUIREMENTS = {
    "a sign before the number": Case("", ask(CPU, "Gt", "+8")),
    "a negative number": Case(f"NPL001 {FIRST}/values/0", ask(CPU, "Gt", "-8")),
    "a number of another script": Case(f"NPL001 {FIRST}/values/0", ask(CPU, "Lt", "\u0668")),
    "a number of 5,000 digits": Case(f"NPL001 {FIRST}/values/0", ask(CPU, "Lt", "9" * 5000)),
    "no bound": Case(f"NPL001 {FIRST}/operator", ask(CPU, "Lte")),
    "In of nothing": Case(f"NPL001 {FIRST}/operator", ask(CPU, "In")),
    "NotIn of nothing": Case("", ask(CPU, "NotIn")),
    "a value twice": Case(
        f"NPL002 {FIRST}/minValues", f"{{key: {CPU}, operator: In, values: ['8', '8'], minValues: 2}}"
    ),
    "minValues without a list": Case("", f"{{key: {CPU}, operator: Exists, minValues: 2}}"),
    "a value with a space": Case(f"NPL004 {FIRST}/values/0", ask("a.b/c", "NotIn", "x y")),
    "a name too long": Case(f"NPL004 {FIRST}/key", ask("a.b/" + "c" * 64, "Exists")),
    "an empty value": Case("", ask("a.b/c", "In", "")),
    "values of Exists": Case(f"NPL024 {FIRST}/values", ask("a.b/c", "Exists", "x")),
}
VALUES = {
    "wrong case": Case(f"NPL006 {FIRST}/values/0", ask(PAID, "In", "Spot")),
    "reserved alone": Case(f"NPL006 {FIRST}/values/0", ask(PAID, "In", "reserved")),
    "reserved with others": Case(f"NPL007 {FIRST}/values/1", ask(PAID, "In", "spot", "reserved")),
    "no reserved": Case("", ask(PAID, "NotIn", "reserved")),
    "no Spot": Case(f"NPL007 {FIRST}/values/0", ask(PAID, "NotIn", "Spot")),
    "no Windows": Case("", ask("kubernetes.io/os", "NotIn", "windows")),
    "an old key": Case(f"NPL006 {FIRST}/values/0", ask("beta.kubernetes.io/arch", "In", "x86_64")),
    "a label": Case(
        "NPL006 /spec/template/metadata/labels/karpenter.sh~1capacity-type", labels="karpenter.sh/capacity-type: Spot"
    ),
    "false is not FIPS": Case(f"NPL006 {FIRST}/values/0", ask(FIPS, "In", "false")),
    "too few that count": Case(
        f"NPL006 {FIRST}/minValues NPL007 {FIRST}/values/1",
        f"{{key: {PAID}, operator: In, values: [spot, reserved], minValues: 2}}",
    ),
    "a key of one's own": Case("", ask("contoso.com/mode", "In", "Spot")),
}
CLASHES = {
    "the old and the new key": Case(
        f"NPL008 {TEMPLATE}/requirements/1/values/0",
        f"{ask('beta.kubernetes.io/arch', 'In', 'amd64')}, {ask(ARCH, 'In', 'arm64')}",
    ),
    "three that leave nothing": Case(
        f"NPL008 {TEMPLATE}/requirements/2/values/0",
        f"{ask('a.b/c', 'In', 'x', 'y')}, {ask('a.b/c', 'NotIn', 'x')}, {ask('a.b/c', 'NotIn', 'y')}",
    ),
    "both may be absent": Case("", f"{ask('a.b/c', 'DoesNotExist')}, {ask('a.b/c', 'NotIn', 'x')}"),
    "bounds that meet": Case("", f"{ask(CPU, 'Gte', '8')}, {ask(CPU, 'Lte', '8')}"),
    "bounds that cross": Case(
        f"NPL008 {TEMPLATE}/requirements/1/values/0",
        f"{ask(CPU, 'Gt', '8')}, {ask(CPU, 'Lt', '9')}",
    ),
    "zonal outside the zones": Case(
        f"NPL009 {TEMPLATE}/requirements/1/values/0", f"{ask(ZONE, 'In', '0')}, {ask(SCOPE, 'In', 'zonal')}"
    ),
    "either scope": Case("", f"{ask(ZONE, 'In', 'eastus-1')}, {ask(SCOPE, 'In', 'zonal', 'regional')}"),
    "another region": Case(
        f"NPL009 {TEMPLATE}/requirements/0/values/0", f"{ask(ZONE, 'In', 'eastus-1')}, {ask(REGION, 'In', 'westus3')}"
    ),
    "its own region": Case("", f"{ask(ZONE, 'In', 'eastus-1')}, {ask(REGION, 'In', 'eastus')}"),
    "not spot and yet spot": Case(
        "NPL009 /spec/template/metadata/labels/kubernetes.azure.com~1priority",
        ask(PAID, "NotIn", "on-demand"),
        labels="kubernetes.azure.com/priority: regular",
    ),
}
ZONES = {
    "the number": Case(f"NPL013 {FIRST}/values/0", ask(ZONE, "In", "1")),
    "outside the zones": Case("", ask(ZONE, "In", "0")),
    "an unknown region": Case("", ask(ZONE, "In", "usgovvirginia-1")),
    "no hyphen, unknown": Case(f"NPL013 {FIRST}/values/0", ask(ZONE, "In", "westus2")),
    "one of two": Case(f"NPL014 {FIRST}/values/1", ask(ZONE, "In", "eastus-1", "EastUS-2")),
    "kept out by a wrong name": Case(f"NPL014 {FIRST}/values/0", ask(ZONE, "NotIn", "2")),
    "a zone too many": Case(f"NPL014 {FIRST}/values/0", ask(ZONE, "In", "eastus-9")),
    "two regions": Case(f"NPL014 {FIRST}/values/1", ask(ZONE, "In", "eastus-1", "westus3-1")),
    "two regions kept out": Case("", ask(ZONE, "NotIn", "eastus-1", "westus3-1")),
}
MEMORY_CASES = {
    "GiB in a list": Case(f"NPL018 {FIRST}/values/0", ask(MEMORY, "In", "220")),
    "MiB in a list": Case("", ask(MEMORY, "In", "225280")),
    "at most GiB": Case(f"NPL018 {FIRST}/values/0", ask(MEMORY, "Lte", "64")),
    "more than GiB": Case(f"NPL019 {FIRST}/values/0", ask(MEMORY, "Gt", "64")),
    "more than 2 GiB": Case("", ask(MEMORY, "Gt", "2047")),
    "more than nothing": Case("", ask(MEMORY, "Gt", "0")),
    "not GiB": Case("", ask(MEMORY, "NotIn", "64")),
}


def budget(expected: str, *written: str, template: str = "expireAfter: 2160h", notes: str = "") -> Case:
    """A NodePool with these disruption budgets."""
    spec = f"disruption: {{consolidateAfter: 1h, budgets: [{', '.join(written)}]}}"
    return Case(expected, spec=spec, template=template, notes=notes)


def at(when: str, duration: str, nodes: str = "0") -> str:
    """A budget with a schedule."""
    return f'{{nodes: "{nodes}", schedule: "{when}", duration: {duration}}}'


DISRUPTION = {
    "Sunday as 7": budget(f"NPL010 {BUDGETS}/0/schedule", at("0 9 * * 7", "8h")),
    "a day spelt out": budget(f"NPL010 {BUDGETS}/0/schedule", at("0 9 * * Monday", "8h")),
    "a time zone": budget(f"NPL010 {BUDGETS}/0/schedule", at("TZ=Europe/Berlin 0 9 * * 1", "8h")),
    "more than a descriptor": budget(f"NPL010 {BUDGETS}/0/schedule", at("@dailyish", "8h")),
    "six fields": budget(f"NPL010 {BUDGETS}/0/schedule", at("0 0 9 * * 1", "8h")),
    "names in capitals": budget("", at("0 9 * JAN-JUN MON-FRI", "8h"), '{nodes: "100%"}'),
    "blank at the ends": budget("", at(" 0 9 * * ? ", "8h"), '{nodes: "100%"}'),
    "no date": budget(f"NPL012 {BUDGETS}/0/schedule", at("0 0 30 2 *", "1h", "1")),
    "a leap day": budget("", at("0 0 29 2 *", "1h"), '{nodes: "100%"}'),
    "every hour for an hour": budget(f"NPL012 {BUDGETS}/0/duration", at("@hourly", "1h")),
    "every hour for less": budget("", at("@hourly", "59m"), '{nodes: "100%"}'),
    "a week": budget(f"NPL012 {BUDGETS}/0/duration", at("0 0 * * 3", "168h")),
    "every other day": budget("", at("0 0 */2 * *", "48h")),
    "full but not of nothing": budget("", at("@daily", "24h", "1")),
    "each for its reason": budget(
        "",
        '{nodes: "0", reasons: [Drifted], schedule: "0 0 * * 1-5", duration: 24h}',
        '{nodes: "0", reasons: [Empty], schedule: "0 0 * * 6,0", duration: 24h}',
        '{nodes: "100%"}',
    ),
    "always, and a window": budget(f"NPL011 {BUDGETS}/1/nodes", at("0 0 * * 6", "48h", "50%"), '{nodes: "0%"}'),
    "always for one reason": budget(
        f"NPL028 {BUDGETS}/0/schedule", at("0 0 * * 6", "48h", "50%"), '{nodes: "0", reasons: [Underutilized]}'
    ),
    "always for one reason, and the rest of the week": budget(
        "", at("0 0 * * 6", "48h", "50%"), at("0 0 * * 1", "120h"), '{nodes: "0", reasons: [Underutilized]}'
    ),
    "always less than in a window": budget(f"NPL011 {BUDGETS}/0/nodes", "{nodes: 10%}", at("0 0 * * 6", "48h", "50%")),
    "always more than in a window": budget("", "{nodes: 10%}", at("0 0 * * 6", "48h", "5%")),
    "always a number, a part in a window": budget("", '{nodes: "2"}', at("0 0 * * 6", "48h", "50%")),
    "a night on its own": budget(f"NPL028 {BUDGETS}/0/schedule", at("0 3 * * *", "2h", "1")),
    "a night, and the day": budget("", at("0 3 * * *", "2h", "1"), at("0 5 * * *", "22h")),
    "a night, and too short a day": budget(
        f"NPL028 {BUDGETS}/0/schedule", at("0 3 * * *", "2h", "1"), at("0 5 * * *", "21h")
    ),
    "a night, and all else": budget("", at("0 3 * * *", "2h", "1"), '{nodes: "100%"}'),
    "a day of the month": budget(f"NPL028 {BUDGETS}/0/schedule", at("0 3 1 * *", "2h", "1")),
    "a day of the month, and something": budget("", at("0 3 1 * *", "2h", "1"), at("0 5 * * *", "22h")),
    "working hours": budget(f"NPL029 {BUDGETS}/0/schedule", at("0 9 * * mon-fri", "8h")),
    "working hours, for one reason": budget(
        f"NPL028 {BUDGETS}/0/schedule",
        '{nodes: "1", reasons: [Empty], schedule: "0 9 * * mon-fri", duration: 8h}',
        '{nodes: "0", reasons: [Drifted, Underutilized]}',
    ),
    "nothing for empty nodes": budget("", '{nodes: "1", reasons: [Drifted, Underutilized]}'),
    "nothing for drift": budget(f"NPL029 {BUDGETS}", '{nodes: "1", reasons: [Empty, Underutilized]}'),
    "the reason of both": budget(
        f"NPL011 {BUDGETS}/0/nodes",
        '{nodes: "0", reasons: [Underutilized, Drifted]}',
        '{nodes: "1", reasons: [Drifted]}',
    ),
    "nothing at all, ever": budget("", '{nodes: "0"}'),
    "nothing at all, and the default expiry": budget(f"NPL022 {BUDGETS}/0/nodes", '{nodes: "0"}', template=""),
    "drift alone, and the default expiry": budget(f"NPL029 {BUDGETS}", '{nodes: "0", reasons: [Drifted]}', template=""),
    "do-not-disrupt, and the default expiry": budget(
        "NPL022 /spec/template/metadata/annotations/karpenter.sh~1do-not-disrupt",
        template="",
        notes='karpenter.sh/do-not-disrupt: "true"',
    ),
    "a node takes no duration": Case(
        "NPL021 /spec/template/metadata/annotations/karpenter.sh~1do-not-disrupt",
        notes="karpenter.sh/do-not-disrupt: 1h",
    ),
}
GPUS = {
    "as it should be": Case("", T4, LIMITED, TAINTED),
    "no taint": Case(f"NPL015 {TEMPLATE}", T4, LIMITED),
    "a soft taint": Case(f"NPL015 {TEMPLATE}/taints", T4, LIMITED, TAINTED.replace("NoSchedule", "PreferNoSchedule")),
    "no limit": Case("NPL016 /spec", T4, "", TAINTED),
    "a limit on nodes": Case("", T4, "limits: {nodes: 2}", TAINTED),
    "a fixed number": Case("", T4, "replicas: 2", TAINTED),
    "a limit on slices": Case(
        "NPL017 /spec/limits/nvidia.com~1mig-1g.10gb", T4, "limits: {nodes: 2, nvidia.com/mig-1g.10gb: 7}", TAINTED
    ),
    "a limit on other GPUs": Case("NPL017 /spec/limits/amd.com~1gpu", T4, "limits: {amd.com/gpu: 8}", TAINTED),
    "both makers": Case("", T4, "limits: {amd.com/gpu: 8, nvidia.com/gpu: 8}", TAINTED),
    "no GPUs at all": Case("", ask("karpenter.azure.com/sku-family", "In", "D")),
}
STATIC = {
    "a weight": Case("NPL003 /spec/weight", spec="replicas: 2\n  weight: 3"),
    "a limit on cpu": Case("NPL003 /spec/limits/cpu", spec="replicas: 2\n  limits: {nodes: 3, cpu: 8}"),
    "too many": Case("NPL025 /spec/replicas", spec="replicas: 4\n  limits: {nodes: 3}"),
    "a taint without a value": Case("", template="taints: [{key: a.b/c, effect: NoSchedule}]"),
    "a taint with a slash": Case(
        f"NPL005 {TEMPLATE}/startupTaints/0/value",
        template="startupTaints: [{key: a.b/c, value: x/y, effect: NoSchedule}]",
    ),
    "a taint too long": Case(
        f"NPL005 {TEMPLATE}/taints/0/key", template=f"taints: [{{key: a.b/{'c' * 64}, effect: NoSchedule}}]"
    ),
}
TABLES = (REQUIREMENTS, VALUES, CLASHES, ZONES, MEMORY_CASES, DISRUPTION, GPUS, STATIC)
CASES = {name: case for table in TABLES for name, case in table.items()}


def test_no_case_hides_another() -> None:
    assert len(CASES) == sum(map(len, TABLES))


@for_each("case", CASES.values(), ids=CASES)
def test_a_node_pool(case: Case) -> None:
    assert findings(pool(case)) == case.expected


@for_each(
    ("asked", "text"),
    [
        (ask(PAID, "In", "On-Demand"), "on-demand"),
        (ask("karpenter.azure.com/sku-networking-accelerated", "In", "True"), '"true"'),
        (ask("kubernetes.azure.com/os-sku", "In", "ubuntu"), "Ubuntu"),
        (ask(ZONE, "In", "East US-1"), "eastus-1"),
        (ask(ZONE, "In", "eastus1"), "eastus-1"),
        (ask(ZONE, "In", "westus2"), None),
        (ask(ZONE, "In", "1"), None),
        (ask(PAID, "In", "low-priority"), None),
    ],
)
def test_which_findings_can_be_fixed(asked: str, text: str | None) -> None:
    edits = [diagnostic.edit for diagnostic in conformed(pool(Case("", asked))) if diagnostic.code != "NPL004"]
    assert [edit and (edit.change, edit.text) for edit in edits] == [text and (Change.VALUE, text)]


@for_each(
    ("spec", "expected"),
    [
        ("{}", f"NPL020 {TEMPLATE}/requirements/0/values/0 NPL020 {TEMPLATE}/requirements/1/values/0"),
        ("{imageFamily: AzureLinux}", f"NPL020 {TEMPLATE}/requirements/1/values/0"),
        ("{fipsMode: FIPS}", f"NPL020 {TEMPLATE}/requirements/0/values/0"),
        ("{imageFamily: AzureLinux, fipsMode: FIPS}", ""),
    ],
)
def test_findings_that_depend_on_the_node_class(spec: str, expected: str) -> None:
    asks = f"{ask('kubernetes.azure.com/os-sku', 'In', 'AzureLinux')}, {ask(FIPS, 'In', 'true')}"
    node_class = (
        f"---\napiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {{name: default}}\nspec: {spec}\n"
    )
    assert findings(pool(Case("", asks)) + node_class) == expected
    assert findings(pool(Case("", asks))) == ""


@pytest.mark.parametrize(
    ("spec", "expected"),
    [(LIMITED, "NPL026 /metadata/name"), ("weight: 2\n  " + LIMITED, ""), ("limits: {nvidia.com/gpu: 0}", "")],
)
def test_rules_about_identical_nodepools(spec: str, expected: str) -> None:
    first, other = Case("", T4, LIMITED, TAINTED), Case("", T4, spec, TAINTED)
    codes = [f"{fault.code} {fault.pointer}" for fault in conformed(f"{pool(first, 'a')}---{pool(other, 'b')}")]
    assert [code for code in codes if code.startswith("NPL")] == ([expected] if expected else [])


JOB = """
apiVersion: batch/v1
kind: Job
metadata: {{name: train, namespace: research, annotations: {{{outside}}}}}
spec:
  template:
    metadata: {{labels: {{{labels}}}, annotations: {{{inside}}}}}
    spec: {{restartPolicy: Never, containers: [{{name: main, image: "contoso.azurecr.io/train:1.0.0"}}]}}
"""
KEY = "karpenter.sh/do-not-disrupt"


@for_each(
    ("outside", "labels", "inside", "expected"),
    [
        ("", "", f'{KEY}: "true"', []),
        ("", "", f"{KEY}: 1h30m", []),
        ("", "", f"{KEY}: 1.5h", []),
        ("", "", f'{KEY}: "false"', []),
        (f'{KEY}: "true"', "", f'{KEY}: "true"', []),
        ("", "", f'{KEY}: "True"', ["/spec/template/metadata/annotations/karpenter.sh~1do-not-disrupt"]),
        ("", "", f"{KEY}: 0s", ["/spec/template/metadata/annotations/karpenter.sh~1do-not-disrupt"]),
        ("", "", f"{KEY}: 2d", ["/spec/template/metadata/annotations/karpenter.sh~1do-not-disrupt"]),
        ("", f'{KEY}: "true"', "", ["/spec/template/metadata/labels/karpenter.sh~1do-not-disrupt"]),
        (f'{KEY}: "true"', "", "", ["/metadata/annotations/karpenter.sh~1do-not-disrupt"]),
        (
            "",
            "",
            'karpenter.sh/do-not-evict: "true"',
            ["/spec/template/metadata/annotations/karpenter.sh~1do-not-evict"],
        ),
    ],
)
def test_do_not_disrupt(outside: str, labels: str, inside: str, expected: list[str]) -> None:
    faults = conformed(JOB.format(outside=outside, labels=labels, inside=inside))
    assert [fault.pointer for fault in faults if fault.code == "NPL021"] == expected


@pytest.mark.parametrize("size", ["Standard_NP10s", "Standard_NP20s", "Standard_NP40s"])
def test_karpenter_excludes_sizes_with_fpgas(size: str) -> None:
    asked = ask("karpenter.azure.com/sku-name", "In", size)
    assert findings(pool(Case("", asked))) == f"NPS005 {FIRST}/values/0"


@for_each("family", ["NP", "NC", "ND", "n"])
def test_the_family_of_a_size_is_one_capital_letter(family: str) -> None:
    asked = ask("karpenter.azure.com/sku-family", "In", family)
    assert findings(pool(Case("", asked))) == f"NPL006 {FIRST}/values/0"
    assert findings(pool(Case("", ask("karpenter.azure.com/sku-family", "In", "D")))) == ""
