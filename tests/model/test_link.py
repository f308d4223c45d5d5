"""Linking: every reference to a missing object is reported with its location, and order never matters."""

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.diagnostic import Diagnostic, Severity, in_order
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.model.document_names import missing_name_remedy
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.runs.build import build
from gitgpu.runs.validate import read_fleet
from tests.helping.cases import for_each
from tests.helping.work import lines

EXAMPLE = (Path(__file__).parents[2] / "fleet.yaml").read_text("utf-8")
CATALOG = Catalog(CatalogFiles())
HEAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: "
FLEET = f"{HEAD}Fleet\nmetadata: {{name: f}}\nspec: {{delivery: {{repository: https://example.com/x}}}}\n"
CLUSTER = (
    f"{HEAD}Cluster\nmetadata: {{name: c1, labels: {{env: prod}}}}\n"
    'spec: {region: swedencentral, kubernetesVersion: "1.36"}\n'
)
POOL = f"{HEAD}GpuPool\nmetadata: {{name: t4}}\nspec:\n  clusters: [c1]\n  sku: Standard_NC16as_T4_v3\n"
WORKLOAD = (
    f"{HEAD}GpuWorkload\nmetadata: {{name: w, namespace: s}}\nspec:\n  pools: [t4]\n"
    "  target: {kind: Deployment, name: w}\n"
)


def linked(*documents: str) -> tuple[Inputs | None, tuple[Diagnostic, ...]]:
    """The fleet of some documents in one file, and the faults of linking."""
    docs, misshapen = shape([Text("f.yaml", "---\n".join(documents), "f.yaml")])
    inputs, faults = link(docs, CATALOG)
    assert all(fault.severity is Severity.ERROR and fault.message and fault.help for fault in faults)
    assert all(finding.code.startswith("SHP") for finding in misshapen)
    return inputs, in_order(faults)


def reported(*documents: str) -> list[str]:
    """The faults as `CODE line:column pointer`."""
    return [
        f"{finding.code} {finding.span.line}:{finding.span.column} {finding.pointer}"
        for finding in linked(*documents)[1]
    ]


def test_a_sound_fleet_is_linked() -> None:
    inputs, faults = linked(FLEET, CLUSTER, POOL, WORKLOAD)
    assert faults == ()
    assert inputs is not None
    cluster, pool, workload = inputs.clusters[0], inputs.pools[0], inputs.workloads[0]
    assert (cluster.name, pool.name, workload.name) == ("c1", "t4", "w")
    assert inputs.pools_on(cluster) == (pool,)
    assert inputs.pools_of(workload) == (pool,)
    assert [sku.name for sku in pool.skus] == ["Standard_NC16as_T4_v3"]


NO_SIZE = "{key: karpenter.azure.com/sku-family, operator: In, values: [none]}"


@for_each(
    ("documents", "expected", "word"),
    [
        ((CLUSTER, POOL), ["LNK001 1:1 "], "kind: Fleet"),
        ((FLEET, FLEET), ["LNK002 7:7 /kind"], "keep one"),
        ((FLEET, CLUSTER, CLUSTER), ["LNK003 13:18 /metadata/name"], "unique name"),
        ((FLEET, CLUSTER, POOL, POOL), ["LNK003 20:18 /metadata/name"], "unique name"),
        ((FLEET, CLUSTER, POOL, WORKLOAD, WORKLOAD), ["LNK003 27:18 /metadata/name"], "unique name"),
        ((FLEET, CLUSTER, POOL.replace("[c1]", "[c1, c2]")), ["LNK004 15:18 /spec/clusters/1"], "c1"),
        ((FLEET, CLUSTER, POOL.replace("[c1]", "[x]")), ["LNK004 15:14 /spec/clusters/0"], "c1"),
        ((FLEET, POOL), ["LNK004 10:14 /spec/clusters/0"], "kind: Cluster"),
        ((FLEET, CLUSTER, POOL, WORKLOAD.replace("[t4]", "[t5]")), ["LNK005 22:11 /spec/pools/0"], "t4"),
        (
            (FLEET, CLUSTER, POOL.replace("[c1]", "{matchLabels: {env: test}}")),
            ["LNK006 15:27 /spec/clusters/matchLabels"],
            "add these labels to a Cluster under metadata.labels, or list clusters by name",
        ),
        (
            (FLEET, CLUSTER, POOL.replace("sku: Standard_NC16as_T4_v3", f"nodeRequirements: [{NO_SIZE}]")),
            ["LNK008 16:21 /spec/nodeRequirements"],
            "correct them; `gitgpu sku list` shows the sizes",
        ),
        ((FLEET, CLUSTER, POOL.replace("NC16as", "NC17as")), ["LNK007 16:8 /spec/sku"], "Standard_NC16as_T4_v3"),
        (
            (FLEET, CLUSTER, POOL.replace("sku: Standard_NC16as_T4_v3", "sku: [Standard_NC4as_T4_v3, xyz, abc]")),
            ["LNK007 16:31 /spec/sku/1", "LNK007 16:36 /spec/sku/2"],
            "gitgpu sku list",
        ),
        (
            (FLEET, CLUSTER, POOL.replace("sku: Standard_NC16as_T4_v3", "requirements: {vcpus: 3}")),
            ["LNK008 16:25 /spec/requirements/vcpus"],
            "relax",
        ),
    ],
)
def test_each_fault_has_its_place_and_a_remedy(documents: Sequence[str], expected: list[str], word: str) -> None:
    assert reported(*documents) == expected
    assert word in linked(*documents)[1][0].help


def test_no_size_meets_the_requirements_of_a_pool() -> None:
    pool = POOL.replace("sku: Standard_NC16as_T4_v3", f"nodeRequirements: [{NO_SIZE}]")
    (fault,) = linked(FLEET, CLUSTER, pool)[1]
    assert fault.message == "no GPU size that Karpenter offers meets these requirements"


def test_a_duplicate_is_reported_instead_of_the_missing_name() -> None:
    other = WORKLOAD.replace("[t4]", "[a100]")
    (fault,) = linked(FLEET, CLUSTER, POOL, POOL, other)[1]
    assert fault.code == "LNK003"
    assert fault.help == "give it a unique name; other documents refer to 'a100'"
    codes = [line.split()[0] for line in reported(FLEET, CLUSTER, POOL, POOL, WORKLOAD.replace("[t4]", "[a100, b]"))]
    assert codes == ["LNK003", "LNK005", "LNK005"], "one double cannot be both"


@pytest.mark.parametrize("name", ["T4", "t4_x", "-t4"])
def test_references_to_a_misspelt_name_are_not_reported(name: str) -> None:
    for asked in (name, name.lower().replace("_", "-").strip("-")):
        assert (
            reported(FLEET, CLUSTER, POOL.replace("name: t4", f"name: {name}"), WORKLOAD.replace("[t4]", f"[{asked}]"))
            == []
        )
    assert (
        "t4"
        in linked(FLEET, CLUSTER, POOL.replace("name: t4", f"name: {name}"), WORKLOAD.replace("[t4]", "[q]"))[1][0].help
    )


@for_each("clusters", ["[{a: 1}]", "5", "{matchLabels: 5}", "{matchLabels: {env: {a: 1}}}", "{}", "null"])
def test_duplicates_with_unreadable_clusters_are_not_reported(clusters: str) -> None:
    unread = POOL.replace("[c1]", clusters)
    assert [line for line in reported(FLEET, CLUSTER, POOL, unread, unread) if line.startswith("LNK003")] == []


def test_a_similar_name_is_suggested() -> None:
    assert linked(FLEET, CLUSTER, POOL.replace("[c1]", "[c11]"))[1][0].help == "did you mean 'c1'?"
    assert linked(FLEET, POOL, WORKLOAD.replace("[t4]", "[t44]"))[1][1].help == "did you mean 't4'?"


def test_the_work_for_a_suggestion_hardly_grows_with_the_number_of_names() -> None:
    few, many = ([f"cluster-{number:04}" for number in range(count)] for count in (400, 4000))
    assert missing_name_remedy("cluster-0300x", many, "Cluster").startswith("did you mean 'cluster-0")
    assert lines(lambda: missing_name_remedy("cluster-0300x", many, "Cluster")) < 2 * lines(
        lambda: missing_name_remedy("cluster-0300x", few, "Cluster")
    )


def test_pools_of_one_cluster_each_take_no_look_at_all_other_clusters() -> None:
    def work(number: int) -> int:
        names = [f"c{at}" for at in range(number)]
        clusters = [CLUSTER.replace("c1", name) for name in names]
        pools = [POOL.replace("c1", name).replace("name: t4", f"name: {name}") for name in names]
        documents, _ = shape([Text("f.yaml", "---\n".join((FLEET, *clusters, *pools)), "f.yaml")])
        return lines(lambda: link(documents, CATALOG))

    work(2)  # what is computed once
    assert work(80) < 4.2 * work(20)


def test_capital_letters_are_found_among_many_names() -> None:
    pools = [POOL.replace("name: t4", f"name: pool-{index:03}") for index in range(500)]
    [fault] = linked(FLEET, CLUSTER, *pools, WORKLOAD.replace("[t4]", "[POOL-450]"))[1]
    assert fault.help == "did you mean 'pool-450'?"


def test_a_fault_names_the_document() -> None:
    fault = linked(FLEET, CLUSTER, POOL, WORKLOAD.replace("[t4]", "[t5]"))[1][0]
    assert fault.object == ("GpuWorkload", "s", "w")
    assert fault.span.file == "f.yaml"


def test_all_faults_of_a_run_are_reported() -> None:
    pool = POOL.replace("[c1]", "[a, b]").replace("NC16as", "NC17as")
    other = POOL.replace("t4}", "t5}").replace("[c1]", "{matchLabels: {env: test}}")
    work = WORKLOAD.replace("[t4]", "[t4, p, q]")
    codes = [line.split()[0] for line in reported(FLEET, CLUSTER, pool, other, work)]
    assert codes == ["LNK004", "LNK004", "LNK007", "LNK006", "LNK005", "LNK005"]


def test_where_nothing_was_read_nothing_more_is_reported() -> None:
    assert linked("") == (None, ())
    assert linked("- a\n") == (None, ())


def test_the_name_of_an_invalid_document_is_known() -> None:
    """A typo in a Cluster is one fault, and not a further one in each pool that names it."""
    inputs, faults = linked(FLEET, CLUSTER.replace("region", "regoin"), POOL, WORKLOAD)
    assert faults == ()
    assert inputs is not None
    assert inputs.clusters == ()
    by_labels = POOL.replace("[c1]", "{matchLabels: {env: prod}}")
    assert linked(FLEET, CLUSTER.replace("region", "regoin"), by_labels, WORKLOAD)[1] == ()
    assert linked(FLEET, CLUSTER, POOL.replace("sku:", "sku: 3 #"), WORKLOAD)[1] == ()


def test_one_name_may_be_used_by_other_kinds_and_in_other_namespaces() -> None:
    cluster, pool = CLUSTER.replace("name: c1", "name: w"), POOL.replace("name: t4", "name: w").replace("[c1]", "[w]")
    work = WORKLOAD.replace("[t4]", "[w]")
    assert reported(FLEET, cluster, pool, work, work.replace("namespace: s", "namespace: other")) == []


def test_defaults_are_those_of_the_fleet_where_nothing_is_set() -> None:
    fleet = (
        f"{HEAD}Fleet\nmetadata: {{name: f}}\nspec:\n  delivery: {{repository: https://x.example, revision: live}}\n"
        "  defaults:\n    stack: {driver: operator, metrics: {interval: 1m}}\n"
        "    pool: {driver: none, labels: {a: '1', b: '2'}, taints: []}\n"
    )
    said = POOL + "  labels: {b: '3'}\n  driver: aks\n"
    other = POOL.replace("name: t4", "name: t5")
    cluster = CLUSTER.replace("spec: {", "spec: {stack: {metrics: {scrape: none}}, delivery: {engine: argocd}, ")
    inputs, faults = linked(fleet, cluster, said, other)
    assert faults == ()
    assert inputs is not None
    stack, delivery = inputs.clusters[0].stack, inputs.clusters[0].delivery
    assert (stack.driver, stack.metrics.interval, stack.metrics.scrape, stack.keda) == (
        "operator",
        "1m",
        "none",
        "addon",
    )
    assert (delivery.engine, delivery.revision, delivery.namespace) == ("argocd", "live", "argocd")
    first, two = inputs.pools
    assert (first.driver, first.labels, first.taints) == ("aks", {"a": "1", "b": "3"}, ())
    assert (two.driver, two.labels) == ("none", {"a": "1", "b": "2"})


def test_a_size_that_is_named_twice_is_there_once() -> None:
    twice = POOL.replace("sku: Standard_NC16as_T4_v3", "sku: [nc16as_t4_v3, Standard_NC16as_T4_v3]")
    inputs, _ = linked(FLEET, CLUSTER, twice)
    assert inputs is not None
    assert [sku.name for sku in inputs.pools[0].skus] == ["Standard_NC16as_T4_v3"]


SEPARATE = [part.strip() + "\n" for part in re.split(r"^---$", EXAMPLE, flags=re.MULTILINE)]
PLACE = re.compile(r"^((?:#|//) Generated by gitgpu from .*) in \S+\.$", re.MULTILINE)


def built(files: dict[str, list[str]]) -> dict[str, str]:
    """The output of the example, written as these files, without the files in its headers."""
    with TemporaryDirectory() as folder:
        for name, documents in files.items():
            (Path(folder) / name).parent.mkdir(exist_ok=True)
            (Path(folder) / name).write_text("---\n".join(documents), "utf-8")
        made = build(read_fleet([folder]))
    assert made.files
    return {path: PLACE.sub(r"\1", text) for path, text in made.files.items()}


@pytest.fixture(scope="module")
def plain() -> dict[str, str]:
    """The output of the unchanged example."""
    return built({"fleet.yaml": SEPARATE})


@given(st.data())
@settings(max_examples=8, deadline=None)
def test_no_order_of_documents_or_files_matters(plain: dict[str, str], data: st.DataObject) -> None:
    documents = data.draw(st.permutations(SEPARATE))
    name, many = st.sampled_from(["a.yaml", "b.yml", "c/d.yaml", "z.json"]), len(SEPARATE)
    names = data.draw(st.lists(name, min_size=many, max_size=many))
    files: dict[str, list[str]] = {}
    for file, document in zip(names, documents, strict=True):
        files.setdefault(file, []).append(document)
    assert built(files) == plain


@given(st.permutations(range(5)))
@settings(max_examples=10, deadline=None)
def test_faults_do_not_depend_on_the_order_of_discovery(order: list[int]) -> None:
    """The same files in any order, and so the same places."""
    parts = [FLEET, CLUSTER, POOL.replace("[c1]", "[a, c1]"), POOL, WORKLOAD.replace("[t4]", "[p]")]
    texts = [Text(f"{index}.yaml", part, f"{index}.yaml") for index, part in enumerate(parts)]

    def faults(texts: list[Text]) -> tuple[Diagnostic, ...]:
        return in_order(link(shape(texts)[0], CATALOG)[1])

    assert faults([texts[index] for index in order]) == faults(texts)


@for_each(
    ("size", "said"),
    [
        ("Standard_D4s_v5", "has no GPU: Azure's D family has none"),
        ("standard_e8ds_v5", "has no GPU: Azure's E family has none"),
        ("DC8as_cc_v5", "has no GPU: Azure's DC family has none"),
        ("Standard_DS3_v2", "has no GPU: Azure's DS family has none"),
        ("Standard_M416-208s_v2", "has no GPU: Azure's M family has none"),
        ("Standard_NP10s", "has no GPU: Azure's NP family has FPGAs"),
        ("Standard_D24ads_A100_v4", "is not a known Azure GPU size"),  # a typo in NC24ads_A100_v4
        ("Standard_NC5000s_v9", "is not a known Azure GPU size"),
        ("Standard_Z4s_v5", "is not a known Azure GPU size"),
    ],
)
def test_a_size_without_a_gpu_is_reported(size: str, said: str) -> None:
    """No size with a GPU is suggested in its place: it is another machine."""
    (fault,) = linked(FLEET, CLUSTER, POOL.replace("Standard_NC16as_T4_v3", size))[1]
    assert (fault.code, fault.message) == ("LNK007", f"'{size}' {said}")
    assert "did you mean" not in fault.help


@for_each(
    ("name", "model"),
    [("T4", "T4"), ("a100", "A100"), ("M60", "M60"), ("nvidia-a100-80gb", "A100"), ("RTX PRO 6000", "RTX-PRO-6000")],
)
def test_a_gpu_instead_of_a_size_is_reported_with_its_sizes(name: str, model: str) -> None:
    (fault,) = linked(FLEET, CLUSTER, POOL.replace("Standard_NC16as_T4_v3", name))[1]
    assert (fault.code, fault.message) == ("LNK007", f"'{name}' is not a known Azure GPU size")
    assert fault.help.startswith(f"`gitgpu sku list --model {model}` shows the sizes with this GPU; ")


def test_a_size_that_is_called_like_a_gpu_is_a_size() -> None:
    (fault,) = linked(FLEET, CLUSTER, POOL.replace("Standard_NC16as_T4_v3", "Standard_A10"))[1]
    assert fault.message == "'Standard_A10' has no GPU: Azure's A family has none"


def test_no_family_of_a_known_size_is_reported_as_without_gpu() -> None:
    row = CATALOG.must("families", "azure")
    assert {sku.family for sku in CATALOG.skus}.isdisjoint([*row["withoutGpu"], *row["fpga"]])
