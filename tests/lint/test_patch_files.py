"""Patches that kustomizations refer to by path: lint checks the patched objects."""

from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from tests.helping.cases import for_each
from tests.lint.test_graph import SHARED, flux, node_class
from tests.lint.test_lint import codes, linted, pool

MERGE = (
    "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: cpu}\n"
    "spec: {template: {spec: {nodeClassRef: {name: REF}}}}\n"
)
OPERATIONS = "- {op: replace, path: /spec/template/spec/nodeClassRef/name, value: REF}\n"
NODE_POOLS = "target: {kind: NodePool}"
NAMED = "target: {group: karpenter.sh, version: v1, kind: NodePool, name: cpu}"
WAYS = {
    "patches: [{path: p.yaml}]": MERGE,
    f"patches: [{{path: ./p.yaml, {NODE_POOLS}}}]": OPERATIONS,
    f"patches: [{{path: p.yaml, {NODE_POOLS} }}]": MERGE.replace("name: cpu", "name: any"),
    "patchesStrategicMerge: [p.yaml]": MERGE,
    f"patchesJson6902: [{{path: p.yaml, {NAMED}}}]": OPERATIONS,
}


def tree(key: str, patch: str, **files: str) -> dict[str, str]:
    """A kustomization of a NodePool and its node class, with one patch in a file."""
    return {
        "kustomization.yaml": f"resources: [pool.yaml, class.yaml]\n{key}\n",
        "pool.yaml": pool("gpu"),
        "class.yaml": node_class("gpu"),
        "p.yaml": patch,
        **files,
    }


@for_each("key", WAYS)
def test_each_way_to_name_a_patch_file(key: str) -> None:
    assert codes(tree(key, WAYS[key].replace("REF", "gpu"))) == []
    assert codes(tree(key, WAYS[key].replace("REF", "other"))) == ["CNF012"]


@for_each("key", WAYS)
def test_a_patch_that_was_read_is_not_a_note(key: str) -> None:
    assert linted(tree(key, WAYS[key].replace("REF", "gpu"))).diagnostics == ()


def test_a_strategic_merge_that_is_written_in_place() -> None:
    inline = "".join(f"  {line}\n" for line in MERGE.replace("REF", "other").splitlines())
    assert codes(tree("patchesStrategicMerge:\n- |\n" + inline, "")) == ["CNF012"]


def test_each_document_of_a_patch_file_counts() -> None:
    other = MERGE.replace("kind: NodePool", "kind: AKSNodeClass").replace("sh/v1", "azure.com/v1beta1")
    first = other.replace("name: cpu", "name: gpu").partition("spec:")[0] + "spec: {imageFamily: AzureLinux}\n"
    assert codes(tree("patches: [{path: p.yaml}]", first + "---\n" + MERGE.replace("REF", "other"))) == ["CNF012"]


def test_a_patch_file_that_deletes() -> None:
    gone = "apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: gpu}\n$patch: delete\n"
    kept = node_class("other").replace("name: gpu", "name: other")
    files = tree("patches: [{path: p.yaml}]", gone, **{"other.yaml": kept})
    files["kustomization.yaml"] = files["kustomization.yaml"].replace("class.yaml]", "class.yaml, other.yaml]")
    assert codes(files) == ["CNF012"]


def test_a_fault_in_a_patch_file_is_reported_there() -> None:
    files = tree("patches: [{path: p.yaml}]", MERGE.replace("name: REF", "nam: other"))
    (reported,) = linted(files).diagnostics
    assert (reported.code, reported.span.file) == ("CNF001", "p.yaml")


def test_an_overlay_is_judged_with_its_own_patch() -> None:
    base = {"base/kustomization.yaml": "resources: [pool.yaml, class.yaml]\n"}
    base |= {"base/pool.yaml": pool("gpu"), "base/class.yaml": node_class("gpu")}
    for name, ref in (("dev", "gpu"), ("prod", "other")):
        base[f"{name}/kustomization.yaml"] = "resources: [../base]\npatches: [{path: p.yaml}]\n"
        base[f"{name}/p.yaml"] = MERGE.replace("REF", ref)
    assert codes(base) == ["CNF012"]
    del base["prod/kustomization.yaml"], base["prod/p.yaml"]
    assert codes(base) == []


def test_patch_files_below_a_flux_kustomization() -> None:
    files = SHARED | {
        "clusters/dev/infra.yaml": flux("nodes", "./infra/dev"),
        "infra/dev/kustomization.yaml": "resources: [../nodes, class.yaml]\npatches: [{path: p.yaml}]\n",
        "infra/dev/class.yaml": node_class("dev"),
        "infra/dev/p.yaml": MERGE.replace("REF", "dev"),
    }
    assert codes(files) == []
    assert codes(files | {"infra/dev/p.yaml": MERGE.replace("REF", "prod")}) == ["CNF012"]


def test_a_patch_of_an_object_from_elsewhere_is_still_a_patch() -> None:
    files = {
        "kustomization.yaml": "resources: ['https://github.com/a/b//c?ref=v1']\npatches: [{path: p.yaml}]\n",
        "p.yaml": MERGE.replace("name: REF", "nam: other"),
    }
    assert codes(files) == ["CNF001"]


def test_patches_that_were_not_read_are_known() -> None:
    texts = tree("patches: [{path: q.yaml}, {path: p.yaml}]", MERGE)
    read = read_manifests(Text(name, content, name) for name, content in texts.items())
    assert read.kustomizations["kustomization.yaml"].unread == {"patches"}
    assert len(read.kustomizations["kustomization.yaml"].changes) == 1
