"""Lists of sizes, versions, images, facts and imported objects: every kind of row, in every format."""

from collections.abc import Callable
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.adopt.adoption import Destination, Fate, Inferred, Outcome
from gitgpu.adopt.verdict import PoolVerdict
from gitgpu.compare import Field, Kind, PoolChange
from gitgpu.compare.facts import RowChange
from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.inventory.observed import Observed, Skipped
from gitgpu.mirror import Chart, Image, Needed, User
from gitgpu.model.effective import Effective, Value
from gitgpu.model.size.availability import Sold
from gitgpu.model.software.compatibility import Conflict
from gitgpu.model.software.outdated import Standing
from gitgpu.model.software.transitions import Breaking, Transition, Verdict
from gitgpu.model.syntax.reference import Reference
from gitgpu.report import effective, outdated, size_comparison, sizes
from gitgpu.report.catalog.facts import fact_lines, refresh_json
from gitgpu.report.comparison.transitions import Step, step_content, step_lines, step_title
from gitgpu.report.findings import Style
from gitgpu.report.image_formats import image_format_names, render_images
from gitgpu.report.images import ImageList
from gitgpu.report.import_formats import import_format_names, render_import
from gitgpu.report.imported import (
    ImportReport,
    Reported,
    adopted_objects,
    findings_once,
    headline,
    scalers_of,
    skipped_lines,
)
from gitgpu.source import Mark, SourceMap, Span
from tests.emit.fleets import CATALOG
from tests.helping.cases import for_each

PLAIN = Style()
SPAN = Span("live.yaml", 7, 3)

CONFLICT = Conflict("keda", "2.20.2", "kubernetes", "1.29", True, "it needs 1.30", "https://keda.sh")
STANDINGS = [
    Standing("", ("a", "b", "c", "d", "e"), "keda", "2.19.0", True, "2.19.0", "2.20.2", (CONFLICT,)),
    Standing("canary", ("a",), "gpu-operator", "v25.3.0", False, "v26.3.0", "v26.7.0", (), (CONFLICT,)),
    Standing("canary", ("a", "b"), "dcgm|exporter", "1", False, "2", "2"),
    Standing("rest", ("z",), "kaito", "0.12.0", False, "0.12.0", "0.12.0"),
]


def _versions(rows: list[Standing]) -> str:
    return outdated.as_text(rows, PLAIN)


@pytest.mark.parametrize("form", [_versions, outdated.as_markdown, outdated.as_json])
@pytest.mark.parametrize("count", [4, 0])
def test_versions(form: Callable[[list[Standing]], str], count: int, snapshot: SnapshotAssertion) -> None:
    assert form(STANDINGS[:count]) == snapshot
    assert form(STANDINGS[3:]).count("up to date") == (form is not outdated.as_json)


WHOLE = Transition(
    "keda",
    "1",
    "2",
    Verdict.MANUAL,
    "because",
    ("do this", "do that"),
    ("operator", "webhooks"),
    "pods with GPUs",
    ("a.keda.sh", "b.keda.sh"),
    (Breaking("it changed", "https://a.com"),),
    ("https://b.com",),
)


def test_a_change_of_version(snapshot: SnapshotAssertion) -> None:
    steps: list[Any] = []
    for step in (Step(WHOLE, ("a", "b")), Step(Transition("kaito", "1", "2", Verdict.SAFE, "it is"), ("a",))):
        steps += [step_title(step), list(step_lines(step)), step_content(step)]
    assert steps == snapshot


V100, T4 = (CATALOG.sku(name) for name in ("Standard_NC6s_v3", "Standard_NC16as_T4_v3"))
SOLD = Sold("eastus", {"eastus": 3.673, "westus": 4.1, "uksouth": 4.1}, {"eastus": ("1", "3"), "westus": ()})
LISTED = SOLD._replace(spot={"eastus": 1.5}, listed={"eastus": None, "westus": "NotAvailable\x1b", "nowhere": None})
SALES = {
    "everywhere": SOLD._replace(region=""),
    "in one region": SOLD,
    "without zones": SOLD._replace(region="westus"),
    "elsewhere": SOLD._replace(region="uksouth"),
    "with spot": LISTED,
    "restricted": LISTED._replace(region="westus"),
    "one price": SOLD._replace(prices={"eastus": 1.0, "westus": 1.0}),
    "unknown": Sold("", {}, {}),
}


@pytest.mark.parametrize("name", SALES)
def test_the_sale_of_a_size(name: str, snapshot: SnapshotAssertion) -> None:
    sale = SALES[name]
    assert T4 is not None
    assert V100 is not None
    own = T4._replace(origin="mine")
    lines = [sizes.sale_lines(sale), sizes.listing([(T4, sale), (V100, Sold(sale.region, {}, {}))], sale.region, PLAIN)]
    assert "\n".join([*lines, sizes.listing([(own, sale), (T4, sale)], sale.region, PLAIN)]) == snapshot


def test_a_row_of_the_catalog_in_full() -> None:
    facts = {
        "name": "x",
        "driver": None,
        "memoryGiB": None,
        "mig": True,
        "rdma": False,
        "gpu": {"count": 1, "reason": "new", "date": None, "more": {"a\x1b": "b\nc"}},
        "zones": {},
        "os": ["ubuntu", "windows"],
        "regions": [],
        "notes": ["one\ntwo", "three"],
        "source": ["https://a"],
    }
    assert sizes.page(facts) == (
        "name: x\ndriver: none\nmemoryGiB: unknown\nmig: yes\nrdma: no\ngpu:\n  count: 1\n  reason: new\n  date: none\n"
        "  more:\n    a\\x1b: b c\nzones: unknown\nos: ubuntu, windows\nregions: none\nnotes:\n  - one two\n  - three\n"
        "source:\n  - https://a\n"
    )


COMPARED: list[dict[str, Any]] = [
    {"name": "A", "vcpus": 4, "gpu": {"count": 1, "model": "T4"}, "os": ["a", "b"], "mig": None, "rdma": None, "x": []},
    {"name": "B", "vcpus": 4, "gpu": {"count": 2, "model": "T4"}, "os": ["a"], "mig": True, "rdma": None, "x": []},
    {"name": "C", "vcpus": 4, "gpu": {"count": 2, "model": "T4"}, "os": ["a"], "mig": True, "rdma": None, "x": []},
]
MANY: list[dict[str, Any]] = [
    {"name": name, "regions": [*"abcde", *own], "prices": {"a": price}, "zones": {"a": []}, "only": own or None}
    for name, own, price in (("A", "f", 1), ("B", "gh", 2), ("C", "", 1))
]


@pytest.mark.parametrize("facts", [COMPARED, MANY, COMPARED[1:]], ids=["few", "many", "alike"])
def test_sizes_side_by_side(facts: list[dict[str, Any]], snapshot: SnapshotAssertion) -> None:
    table = size_comparison.comparison(facts, Style(colour=True))
    lines = "\n".join(str(line) for line in size_comparison.differences(facts))
    assert f"{table}\n{lines}" == snapshot


USER = User("prod", "DaemonSet", "gpu", "plugin")
USERS = (USER, USER._replace(cluster="b"), USER._replace(cluster="c", name="other"), USER._replace(name="third"))
DIGEST = f"sha256:{'0123456789abcdef' * 4}"
NEEDED = Needed(
    (
        Image(Reference("nvcr.io/a/plugin", "v1", DIGEST), "me.azurecr.io/a/plugin", USERS),
        Image(Reference("nvcr.io/a/tagged", "v1"), "me.azurecr.io/a/tagged", (USER,)),
        Image(Reference("nvcr.io/a/digest", "", DIGEST), "me.azurecr.io/a/digest", (USER,)),
        Image(Reference("me.azurecr.io/own", "v 1"), "me.azurecr.io/own", (USER,)),
    ),
    (
        Chart("keda", "2.20.2", "https://kedacore.github.io/charts", "oci://me.azurecr.io/charts/keda", (USER,)),
        Chart("kaito", "0.12.0", "oci://ghcr.io/kaito", "oci://me.azurecr.io/charts/kaito", USERS),
        Chart("own", "1.0.0", "oci://me.azurecr.io/charts", "", (USER,)),
    ),
)


@pytest.mark.parametrize("form", image_format_names())
def test_images(form: str, snapshot: SnapshotAssertion) -> None:
    lists = (NEEDED, Needed((), NEEDED.charts[2:]), Needed((), ()))
    assert [render_images(ImageList(needed, {"me.azurecr.io": "me"}), form, PLAIN) for needed in lists] == snapshot


VALUES = (
    Value(("apiVersion",), "v1", Span("a.yaml", 1, 1)),
    Value(("metadata", "name"), "gpu", Span("a.yaml", 3, 9)),
    Value(("spec", "limits", "gpus"), 8, None),
    Value(("spec", "limits", "text"), "x" * 50, Span("a.yaml", 5, 1)),
    Value(("spec", "limits", "wide"), "x" * 51, Span("a.yaml", 6, 1)),
    Value(("spec", "image", "fips"), True, Span("b.yaml", 7, 2)),
    Value(("spec", "sku"), ["a b", "no"], Span("a.yaml", 8, 1)),
)


@pytest.mark.parametrize("form", [effective.as_yaml, effective.as_json])
def test_a_document_as_a_cluster_sees_it(form: Callable[[Effective], str], snapshot: SnapshotAssertion) -> None:
    seen = Effective(ObjectRef("GpuPool", "", "gpu"), "prod", {"spec": {}}, VALUES)
    assert [form(seen), form(seen._replace(values=(), ref=ObjectRef("GpuWorkload", "a", "b")))] == snapshot


def test_facts(snapshot: SnapshotAssertion) -> None:
    def fields(count: int) -> tuple[Field, ...]:
        return tuple(Field(f"a.{number}", number, [number, True, None]) for number in range(count))

    odd = (Field("x\x1b", None, []), Field("y", False, "z"), Field("w", 1.5, {"a": 1}))
    changes = [
        RowChange("prices", "eastus", Kind.ADDED, fields(3)),
        RowChange("skus", "x", Kind.REMOVED, ()),
        RowChange("skus", "y", Kind.CHANGED, (*fields(17), *odd)),
        RowChange("skus", "z", Kind.CHANGED, fields(21)),
    ]
    note = Diagnostic("REF001", Severity.WARNING, "odd", "look", Span("a"))
    document = refresh_json("catalog", [("a.yaml", "x: 1\n"), ("b.yaml", "")], changes[2:3], [note])
    assert ["\n".join(fact_lines(changes)), document] == snapshot


def observed(kind: str, name: str, line: int = 7) -> Observed:
    """An object at a line."""
    return Observed({"kind": kind}, SourceMap("live.yaml", Mark(line, 3), None), name, "kubectl")


def reported(fate: Fate, name: str, *pointer: str, reason: str = "why", kind: str = "NodePool") -> Reported:
    """An outcome. An adopted object has a place in the spec."""
    into = Destination("GpuPool", "a", ("spec", "limits")) if fate is Fate.ADOPTED else None
    outcome = Outcome(observed(kind, name), fate, reason, pointer, into)
    return Reported(outcome, SourceMap.of(Span("fleet.yaml", 4, 1)) if into else None)


def pool(name: str, kind: Kind | None, replaced: str = "none", unread_class: str = "") -> PoolVerdict:
    """The outcome of a pool."""
    return PoolVerdict(
        "prod", PoolChange(name, "NodePool", kind, replaced, f"because of {name}", None, None), unread_class
    )


OUTCOMES = (
    reported(Fate.ADOPTED, "NodePool/a", "spec", "limits"),
    reported(Fate.ADOPTED, "NodePool/a", "metadata", "name"),
    reported(Fate.ADOPTED, "NodePool/a", "spec", "weight"),
    reported(Fate.ADOPTED, "NodePool/b"),
    reported(Fate.ADOPTED, "NodePool/b", "spec", "x"),
    Reported(Outcome(observed("NodePool", "NodePool/c"), Fate.ADOPTED)),
    reported(Fate.INEXPRESSIBLE, "NodePool/a", "metadata", "labels", "a.b/c"),
    reported(Fate.INEXPRESSIBLE, "NodePool/a", "metadata", "labels", "a.b/c"),
    reported(Fate.WRONG, "Deployment/web", reason="CNF001: no <b>\x1b"),
    reported(Fate.INFERRED, "NodePool/a", "spec", "image"),
    reported(Fate.LEFT, "Deployment/web", kind="Deployment"),
    reported(Fate.LEFT, "Deployment/api", kind="Deployment"),
    reported(Fate.LEFT, "Deployment/other", kind="Deployment", reason="else"),
    reported(Fate.LEFT, "release keda", kind="HelmValues"),
    reported(Fate.LEFT, "node pool sys", kind="ManagedClustersAgentPool"),
    reported(Fate.LEFT, "ManagedClustersAgentPool/aks/sys", kind="ManagedClustersAgentPool"),
    reported(Fate.LEFT, "odd thing", kind="Odd"),
    reported(Fate.LEFT, "Deployment/web", "spec", "a", kind="Deployment"),
)
PASSED = (
    Skipped("live.yaml", Span("live.yaml"), "not an object"),
    Skipped("Event/x", SPAN, "an event"),
    Skipped("Event/x", SPAN, "an event"),
)
INFERRED = (Inferred(("Cluster", "prod"), ("spec", "region"), "the nodes are there"),)
VERDICTS = (
    pool("a", None),
    pool("b", Kind.CHANGED, "all"),
    pool("c", None, unread_class="gpu|x"),
    pool("d", Kind.ADDED),
    pool("e", Kind.REMOVED, "all", "gpu"),
)
REPORTS = {
    "all": ImportReport("fleet", OUTCOMES, VERDICTS, PASSED, INFERRED, (), ("fleet/a.yaml", "fleet/b.yaml")),
    "texts": ImportReport(
        "fleet", OUTCOMES[:2], VERDICTS[:1], (), INFERRED, (), ("a.yaml", "b.yaml"), (("a.yaml", "a: 1\nb: 2\n"),)
    ),
    "nothing": ImportReport("fleet", (), ()),
}


@pytest.mark.parametrize("form", import_format_names())
@pytest.mark.parametrize("name", REPORTS)
def test_an_import(name: str, form: str, snapshot: SnapshotAssertion) -> None:
    assert render_import(REPORTS[name], form, Style(colour=form == "text")) == snapshot


def test_of_several_outcomes_of_an_object_the_one_of_the_whole_or_of_its_name_is_shown() -> None:
    """Objects that are not in the spec have no line there. Objects are in the order of their first outcome."""
    shown = [(each.outcome.observed.name, each.outcome.pointer) for each in adopted_objects(OUTCOMES)]
    assert shown == [("NodePool/a", ("metadata", "name")), ("NodePool/b", ())]
    first = [*OUTCOMES[3:5], *OUTCOMES[1:3], *OUTCOMES[:1]]
    assert [each.outcome.pointer for each in adopted_objects(first)] == [(), ("metadata", "name")]
    fields = [OUTCOMES[0], OUTCOMES[2]]
    assert [each.outcome.pointer for each in adopted_objects(fields)] == [("spec", "weight")]


def test_what_makes_an_import_incomplete() -> None:
    complete = REPORTS["texts"]
    assert not complete.incomplete
    assert not complete._replace(outcomes=(reported(Fate.LEFT, "x"), reported(Fate.INFERRED, "x"))).incomplete
    for fate in (Fate.INEXPRESSIBLE, Fate.WRONG):
        assert complete._replace(outcomes=(reported(fate, "x"),)).incomplete
    assert [complete._replace(verdicts=(each,)).incomplete for each in VERDICTS] == [False, True, True, False, True]


@for_each(
    ("verdicts", "line"),
    [
        ((), "no GPU pool to adopt"),
        (VERDICTS[:1], "1 GPU pool: no node is replaced"),
        (VERDICTS[:1] * 2, "2 GPU pools: no node is replaced"),
        (VERDICTS[1:2], "1 GPU pool: 1 would lose nodes"),
        (VERDICTS[:3], "3 GPU pools: 1 would lose nodes, 1 unknown, 1 keeps its nodes"),
        (VERDICTS[2:4] + VERDICTS[:1], "3 GPU pools: 1 unknown, 2 keep their nodes"),
    ],
)
def test_the_proof_in_one_line(verdicts: tuple[PoolVerdict, ...], line: str) -> None:
    of_nodes, _, of_software = headline(ImportReport("f", (), verdicts)).partition("; ")
    assert of_nodes == line
    assert of_software == ("software unchanged" if verdicts else "")


def test_pools_of_which_none_is_adopted() -> None:
    kinds = (("NodePool", "a"), ("Deployment", "b"), ("NodePool", "c"))
    outcomes = [reported(fate, name, kind=kind) for fate in (Fate.INEXPRESSIBLE, Fate.LEFT) for kind, name in kinds]
    outcomes.append(reported(Fate.WRONG, "d", "spec", "limits"))
    assert headline(ImportReport("f", tuple(outcomes), ())) == "2 GPU pools: none is adopted"


def test_objects_that_are_skipped_for_the_same_reason_are_counted() -> None:
    def skipped(name: str, line: int, reason: str = "a node", stray: Observed | None = None) -> Skipped:
        return Skipped(name, Span("a.yaml", line, 1), reason, stray)

    body = Observed({"kind": "NodePool"}, SourceMap.of(Span("a.yaml", 9, 1)), "NodePool/x", "kubernetes")
    entries = [
        skipped("Node/a", 1),
        skipped("Node/b", 2),
        skipped("Node/b", 3, "another reason"),
        skipped("NodePool/x", 4, "unknown cluster", body),
        skipped("NodePool/y", 5, "unknown cluster", body),
        skipped("a.yaml", 6, "not read"),
    ]
    assert skipped_lines(entries) == [
        "a.yaml:1:1: 2 Nodes: a node",
        "a.yaml:3:1: Node/b: another reason",
        "a.yaml:4:1: NodePool/x: unknown cluster",
        "a.yaml:5:1: NodePool/y: unknown cluster",
        "a.yaml:6:1: not read",
    ]


def test_equal_findings_are_one_line_with_a_count() -> None:
    def finding(message: str, line: int) -> Diagnostic:
        return Diagnostic("SCL008", Severity.WARNING, message, "help", Span("a.yaml", line, 1))

    found = findings_once([finding("a", 1), finding("b", 2), finding("a", 3)])
    assert [(each.message, each.span.line, others) for each, others in found] == [("a", 1, 1), ("b", 2, 0)]


def test_adopted_scalers_of_one_kind_are_counted() -> None:
    def adopted(kind: str, name: str) -> Reported:
        places = SourceMap.of(Span("a.yaml", 1, 1))
        return Reported(Outcome(Observed({"kind": kind}, places, f"{kind}/{name}", "kubernetes"), Fate.ADOPTED))

    objects = [adopted(kind, "a") for kind in ("NodePool", "ScaledObject", "ScaledObject", "ScaledJob")]
    others, lines = scalers_of(objects)
    assert [each.outcome.observed.name for each in others] == ["NodePool/a", "ScaledJob/a"]
    assert lines == ["2 ScaledObjects: scaling of their GpuWorkloads"]
