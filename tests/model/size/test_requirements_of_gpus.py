"""Node requirements about GPUs: the sizes, offerings and settings that follow from them."""

from collections.abc import Sequence

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.size.exact_requirements import derived_settings, joined_requirements, required_sizes
from gitgpu.model.size.gpu_requirements import listed_names, names_gpus, only_gpu_sizes, wants_gpus
from gitgpu.model.size.node_labels import KEYS, labels
from gitgpu.model.syntax.requirement import intersect, requirement
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())
AZURE = "karpenter.azure.com/sku-"
TYPE, NAME = "node.kubernetes.io/instance-type", f"{AZURE}name"
T4, NOT_COUNTED, NO_GPU = "Standard_NC16as_T4_v3", "Standard_ND96is_MI300X_v5", "Standard_D8s_v5"
Row = tuple[str, str, Sequence[str]]


def demanded(*rows: Row) -> dict[str, object]:
    """Requirements by key."""
    return dict(intersect(requirement(*row) for row in rows))


@for_each(
    ("row", "expected"),
    [
        ((f"{AZURE}gpu-name", "In", ["T4"]), True),
        ((f"{AZURE}gpu-name", "Exists", []), True),
        ((f"{AZURE}gpu-name", "NotIn", ["T4"]), False),
        ((f"{AZURE}gpu-name", "DoesNotExist", []), False),
        ((f"{AZURE}gpu-manufacturer", "In", ["nvidia"]), True),
        ((f"{AZURE}gpu-count", "Gt", ["0"]), True),
        ((f"{AZURE}gpu-count", "In", ["0", "1"]), False),
        ((f"{AZURE}family", "In", ["N"]), True),
        ((f"{AZURE}family", "In", ["N", "D"]), False),
        ((f"{AZURE}family", "NotIn", ["N"]), False),
        ((TYPE, "In", [T4]), True),
        ((NAME, "In", [T4]), True),
        ((NAME, "In", [T4, NO_GPU]), False),
        ((NAME, "In", [NOT_COUNTED]), False),
        ((NAME, "NotIn", [T4]), False),
        ((NAME, "Exists", []), False),
        (("team.example.com/tier", "In", ["gpu"]), False),
    ],
)
def test_which_requirements_leave_only_gpu_sizes(row: Row, expected: bool) -> None:
    assert only_gpu_sizes(demanded(row), CATALOG) is expected  # type: ignore[arg-type]


def test_no_requirement_leaves_every_size() -> None:
    assert not only_gpu_sizes({}, CATALOG)
    assert not wants_gpus({})
    assert not names_gpus({}, CATALOG)
    assert listed_names({}) is None


def test_the_second_name_of_a_size_counts_where_the_first_is_no_list() -> None:
    listed = listed_names(demanded((TYPE, "Exists", []), (NAME, "In", [T4])))  # type: ignore[arg-type]
    assert listed is not None
    assert listed.values == {T4}


CAPACITY, ZONE, SCOPE = (
    "karpenter.sh/capacity-type",
    "topology.kubernetes.io/zone",
    "karpenter.azure.com/placement-scope",
)


@for_each(
    ("rows", "expected"),
    [
        ([], {"capacity": ["spot", "on-demand"]}),
        ([(CAPACITY, "In", ["spot"])], {"capacity": ["spot"]}),
        ([(CAPACITY, "NotIn", ["spot"])], {"capacity": ["on-demand"]}),
        ([(CAPACITY, "In", ["reserved"])], {"capacity": ["spot", "on-demand"]}),
        ([(SCOPE, "In", ["zonal"])], {"capacity": ["spot", "on-demand"], "placement": "zonal"}),
        ([(SCOPE, "Exists", [])], {"capacity": ["spot", "on-demand"]}),
        (
            [(ZONE, "In", ["eastus-3", "eastus-1", "eastus-0"])],
            {"capacity": ["spot", "on-demand"], "zones": ["1", "3"]},
        ),
        ([(ZONE, "In", ["eastus-x"])], {"capacity": ["spot", "on-demand"]}),
        ([(ZONE, "NotIn", ["eastus-1"])], {"capacity": ["spot", "on-demand"]}),
    ],
)
def test_settings_that_say_the_same(rows: list[Row], expected: dict[str, object]) -> None:
    assert derived_settings(demanded(*rows)) == expected  # type: ignore[arg-type]


def sizes(*rows: Row) -> list[str]:
    """The names of the sizes that meet requirements."""
    return [sku.name for sku in required_sizes(CATALOG, demanded(*rows))]  # type: ignore[arg-type]


def test_sizes_of_requirements() -> None:
    assert sizes((NAME, "In", [T4, NOT_COUNTED])) == [T4]  # a pod requests the GPUs of one manufacturer
    assert sizes((NAME, "In", [NOT_COUNTED])) == [NOT_COUNTED]
    assert sizes((NAME, "In", ["Standard_NC6"])) == []  # retired
    counted = sizes((f"{AZURE}family", "In", ["N"]))
    assert T4 in counted
    assert "Standard_ND128isr_GB300_v6" not in counted  # Karpenter counts none of its GPUs
    assert sizes((NAME, "In", ["Standard_ND128isr_GB300_v6"])) == ["Standard_ND128isr_GB300_v6"]


def test_a_bound_that_is_not_a_number_is_left_out() -> None:
    by_key = joined_requirements(
        [
            {"key": f"{AZURE}cpu", "operator": "Gt", "values": ["many"]},
            {"key": f"{AZURE}gpu-count", "operator": "Gt", "values": ["1"]},
            {"key": f"{AZURE}gpu-name", "operator": "Exists"},
        ]
    )
    assert set(by_key) == {f"{AZURE}gpu-count", f"{AZURE}gpu-name"}


def test_labels_of_a_node() -> None:
    sku = CATALOG.sku(T4)
    assert sku is not None
    known = labels(sku)
    assert known[f"{AZURE}gpu-name"].values == {"T4"}
    assert known[f"{AZURE}gpu-count"].values == {"1"}
    assert known[f"{AZURE}memory"].values == {"112640"}  # MiB
    assert known[TYPE].values == known[NAME].values == {T4}
    assert "karpenter.sh/capacity-type" not in known
    unnamed = sku._replace(accelerator=None)
    assert labels(unnamed)[f"{AZURE}gpu-name"].operator == "DoesNotExist"
    assert f"{AZURE}gpu-name" not in labels(unnamed._replace(family=None))
    not_spot = labels(sku._replace(row={**sku.row, "spot": False}))
    assert not_spot["karpenter.sh/capacity-type"].values == {"on-demand"}
    disk = f"{AZURE}storage-ephemeralos-maxsize"
    assert labels(sku._replace(ephemeral_max_gb=0))[disk].operator == "DoesNotExist"
    assert disk not in labels(sku._replace(ephemeral_max_gb=None))


def test_every_label_that_a_size_decides_is_listed() -> None:
    size = CATALOG.skus[0]
    never_spot = size._replace(row={**size.row, "spot": False})
    decided = set().union(*(labels(sku) for sku in (*CATALOG.skus, never_spot)))
    assert decided == KEYS
