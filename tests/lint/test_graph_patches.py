"""The effect of the patches of a Flux Kustomization on the objects that it applies."""

import pytest

from gitgpu.diagnostic import Severity
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.objects.delivery.images import Image, written_images
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.rules.norms import norms
from gitgpu.runs.lint import LintOptions, lint
from tests.lint.test_graph import SHARED, flux, git, node_class
from tests.lint.test_lint import CATALOG, NAMESPACE, codes, linted, pool

BARE = (
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: app, namespace: flux-system}\n"
    "spec: {path: ./infra/nodes}\n"
)
DEFAULTS = (
    "  patches:\n  - target: {kind: Kustomization}\n    patch: |\n      apiVersion: kustomize.toolkit.fluxcd.io/v1\n"
    "      kind: Kustomization\n      metadata: {name: _}\n      spec:\n        interval: 1h\n        prune: false\n"
    "        sourceRef: {kind: GitRepository, name: flux-system}\n"
)


def repository(root: str = "", child: str = BARE) -> dict[str, str]:
    """A repository whose root patches all of its Kustomizations."""
    return SHARED | {
        "clusters/dev/flux-system/sync.yaml": git("flux-system")
        + "---\n"
        + flux("flux-system", "./clusters/dev", root),
        "clusters/dev/flux-system/kustomization.yaml": "resources: [sync.yaml]\n",
        "clusters/dev/apps/app.yaml": child,
        "clusters/dev/class.yaml": node_class("gpu"),
    }


def test_a_reference_that_a_patch_adds_is_resolved() -> None:
    assert set(codes(repository())) >= {"CNF001"}
    assert codes(repository(DEFAULTS)) == []


def test_the_source_that_a_patch_names_joins_the_layers() -> None:
    files = repository(DEFAULTS)
    files["clusters/dev/class.yaml"] = node_class("other")
    assert codes(files) == ["CNF012"]


def test_a_fault_beside_what_a_patch_adds_is_reported() -> None:
    assert codes(repository(DEFAULTS, BARE.replace("spec: {", "spec: {pruned: true, "))) == ["CNF001"]


def test_what_the_root_applies_by_hand_and_by_flux_is_judged_with_its_patches() -> None:
    files = repository(DEFAULTS)
    files["clusters/dev/flux-system/kustomization.yaml"] = "resources: [sync.yaml, ../apps]\n"
    files["clusters/dev/apps/kustomization.yaml"] = "resources: [app.yaml]\n"
    files["clusters/dev/kustomization.yaml"] = "resources: [flux-system, class.yaml]\n"
    assert codes(files) == []


def test_an_object_that_is_applied_by_hand_first_is_judged_as_flux_patches_it() -> None:
    patch = (
        "  patches:\n  - target: {kind: NodePool}\n    patch: |\n"
        "      - {op: add, path: /spec/template/spec/requirements, value: []}\n"
    )
    files = SHARED | {
        "bootstrap/kustomization.yaml": "resources: [sync.yaml, ../infra/nodes]\n",
        "bootstrap/sync.yaml": git("flux-system") + "---\n" + flux("flux-system", "./clusters/dev"),
        "clusters/dev/app.yaml": flux("app", "./infra/nodes", patch),
        "infra/nodes/pool.yaml": pool("default").replace("      requirements: []\n", ""),
    }
    assert codes(files) == []
    assert codes(files | {"clusters/dev/app.yaml": flux("app", "./infra/nodes")}) == ["CNF001"]


def test_an_object_that_nothing_applies_yet_would_be_patched_too() -> None:
    files = repository(DEFAULTS)
    files["later/ks.yaml"] = BARE.replace("name: app", "name: later").replace("./infra/nodes", "./later/app")
    assert codes(files) == []
    files["later/ks.yaml"] = flux("later", "./later/app").replace("  interval: 1h\n", "")
    assert codes(files) == []
    assert codes(files | {"later/app/namespace.yaml": NAMESPACE}) == []


def test_the_root_is_applied_by_hand_without_its_own_patches() -> None:
    files = repository(DEFAULTS)
    files["bootstrap/sync.yaml"] = files.pop("clusters/dev/flux-system/sync.yaml")
    files["bootstrap/kustomization.yaml"] = files.pop("clusters/dev/flux-system/kustomization.yaml")
    assert codes(files) == []
    files["bootstrap/sync.yaml"] = files["bootstrap/sync.yaml"].replace("  interval: 1h\n", "", 1)
    assert codes(files) == ["CNF001"]


def test_a_patch_changes_what_the_rules_see() -> None:
    patch = (
        "  patches:\n  - target: {kind: NodePool}\n    patch: |\n"
        "      - {op: replace, path: /spec/template/spec/nodeClassRef/name, value: REF}\n"
    )
    child = flux("app", "./infra/nodes", patch.replace("REF", "other"))
    assert codes(repository(DEFAULTS, child)) == ["CNF012"]
    files = repository(DEFAULTS, flux("app", "./infra/nodes", patch.replace("REF", "third")))
    assert codes(files | {"clusters/dev/class.yaml": node_class("third")}) == []


def test_an_object_that_a_patch_deletes_is_absent() -> None:
    patch = "  patches:\n  - target: {kind: NodePool}\n    patch: |\n      $patch: delete\n      kind: NodePool\n"
    files = repository(DEFAULTS, flux("app", "./infra/nodes", patch))
    assert codes(files | {"clusters/dev/class.yaml": node_class("other")}) == []


def test_patches_within_patches_reach_the_grandchildren() -> None:
    inner = (
        "        patches:\n        - target: {kind: NodePool}\n          patch: |\n"
        "            - {op: replace, path: /spec/template/spec/nodeClassRef/name, value: other}\n"
    )
    defaults = DEFAULTS.replace("{kind: Kustomization}", "{kind: Kustomization, name: app}")  # but not the root itself
    assert codes(repository(defaults + inner)) == ["CNF012"]


def test_no_fix_is_offered_if_a_patch_has_changed_the_object() -> None:
    """The rule has read something else than what is in the file."""
    patch = "  patches:\n  - target: {kind: NodePool}\n    patch: 'spec: {weight: 5}'\n"
    odd = pool("gpu").replace(
        "requirements: []", "requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [Spot]}]"
    )
    plain = repository(DEFAULTS, flux("app", "./infra/nodes")) | {"infra/nodes/pool.yaml": odd}
    patched = repository(DEFAULTS, flux("app", "./infra/nodes", patch)) | {"infra/nodes/pool.yaml": odd}
    assert codes(plain) == codes(patched)
    assert [diagnostic.code for diagnostic in linted(plain).diagnostics if diagnostic.edit]
    assert not [diagnostic.code for diagnostic in linted(patched).diagnostics if diagnostic.edit]


@pytest.mark.parametrize("steps", [True, False])
def test_steps_of_a_test_beside_an_application_are_not_one_cluster(steps: bool) -> None:
    application = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec:\n"
        "  project: default\n  source: {repoURL: 'https://x/y', path: p}\n  destination: {name: in-cluster}\n---\n"
    )
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: d}\ndata: {a: 'VALUE'}\n"
    files = {"t/01-install.yaml": application + config.replace("VALUE", "1")}
    files["t/03-revert.yaml"] = config.replace("VALUE", "2" if steps else "1")
    assert "CNF008" not in codes(files, LintOptions("1.34"))


def test_what_a_loose_file_defines_otherwise_than_an_entry_point_is_another_cluster() -> None:
    files = repository(DEFAULTS) | {"tmpl/root.yaml": flux("other", "./tmpl/nowhere")}
    files["tmpl/class.yaml"] = node_class("gpu").replace("spec: {}", "spec: {imageFamily: AzureLinux}")
    assert "CNF008" not in codes(files)


OVERLAY = (
    "resources: [../base]\npatches:\n- target: {kind: NodePool}\n  patch: |\n"
    "    - {op: replace, path: /spec/template/spec/nodeClassRef/name, value: NAME}\n"
)


def overlays(**names: str) -> dict[str, str]:
    """A base whose node class is set in overlays."""
    files = {f"{folder}/kustomization.yaml": OVERLAY.replace("NAME", name) for folder, name in names.items()}
    base = {"base/kustomization.yaml": "resources: [pool.yaml, class.yaml]\n", "base/pool.yaml": pool("from-overlay")}
    return files | base | {"base/class.yaml": node_class("gpu")}


def test_a_patch_written_in_a_kustomization_is_applied() -> None:
    assert codes(overlays(dev="gpu")) == []
    assert codes(overlays(dev="gpu", prod="other")) == ["CNF012"]
    assert codes(repository(DEFAULTS) | overlays(dev="gpu")) == []


def test_what_an_overlay_puts_in_the_place_of_a_bad_value_is_what_counts() -> None:
    claim = (
        "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: models, namespace: llm}\nspec:\n"
        "  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: FROM_OVERLAY}}\n"
    )
    patch = "[{op: replace, path: /spec/resources/requests/storage, value: 5Gi}]"
    files = {"base/kustomization.yaml": "resources: [claim.yaml]\n", "base/claim.yaml": claim}
    assert codes(files) == ["NAM010"]
    overlay = f"resources: [../base]\npatches: [{{target: {{kind: PersistentVolumeClaim}}, patch: '{patch}'}}]\n"
    assert codes(files | {"dev/kustomization.yaml": overlay}) == []


def test_a_component_patches_what_its_kustomization_takes_in() -> None:
    files = overlays(dev="gpu")
    files["part/kustomization.yaml"] = "kind: Component\n" + OVERLAY.partition("\n")[2].replace("NAME", "other")
    files["dev/kustomization.yaml"] = "resources: [../base]\ncomponents: [../part]\n"
    assert codes(files) == ["CNF012"]


def test_the_outer_patch_wins() -> None:
    files = overlays(mid="other")
    files["top/kustomization.yaml"] = OVERLAY.replace("../base", "../mid").replace("NAME", "gpu")
    assert codes(files) == []


def test_only_what_is_not_followed_is_noted() -> None:
    files = overlays(dev="gpu")
    assert linted(files).diagnostics == ()
    files["dev/kustomization.yaml"] += "images: [{name: a, newTag: b}]\n"
    assert linted(files).diagnostics == ()
    files["dev/kustomization.yaml"] += "namePrefix: x-\n"
    assert [diagnostic.code for diagnostic in linted(files).diagnostics] == ["LNT008"]


CHAINSAW = "apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: a}\nspec: {steps: []}\n"


def test_a_test_of_chainsaw_applies_parts_and_names_that_it_computes() -> None:
    part = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: b, annotations: {c: d}}\nspec: {}\n"
    bound = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a, namespace: ($namespace)}\n"
    files = {"t/chainsaw-test.yaml": f"{CHAINSAW}---\n{CHAINSAW}", "t/02-annotate.yaml": part, "t/res/sa.yaml": bound}
    manifests = read_manifests([Text(name, text, name) for name, text in files.items()], frozenset())
    reported = lint(manifests, (), norms(Schemas(), CATALOG), LintOptions("1.34")).diagnostics
    assert [finding.code for finding in reported if finding.severity is Severity.ERROR] == []
    assert set(codes({"x/02-annotate.yaml": part})) == {"CNF001"}
    assert codes({"t/a.yaml": CHAINSAW, "t/02.yaml": part.replace("spec: {}", "spec: {replica: 1}")}) == ["CNF001"]


def test_an_image_that_ko_builds_is_not_checked() -> None:
    text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: b}\nspec: {containers: [{name: a, image: 'I'}]}\n"
    assert codes({"a.yaml": text.replace("'I'", "'ko://github.com/contoso/server'")}) == []
    assert codes({"a.yaml": text.replace("'I'", "'https://github.com/contoso/server'")}) == ["POD044"]


def argo_repository(kustomize: str) -> dict[str, str]:
    """An Application for a directory with a NodePool and its node class, with `kustomize` settings."""
    root = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: nodes, namespace: argocd}\nspec:\n"
        "  project: default\n  destination: {server: https://kubernetes.default.svc, namespace: default}\n"
        "  source:\n    repoURL: https://github.com/contoso/fleet\n    path: nodes\n    targetRevision: main\n"
    )
    return {
        "argocd/nodes.yaml": root + f"    kustomize:\n{kustomize}" if kustomize else root,
        "nodes/kustomization.yaml": "resources: [pool.yaml, class.yaml]\n",
        "nodes/pool.yaml": pool("gpu"),
        "nodes/class.yaml": node_class("gpu"),
    }


def test_the_patches_of_an_application_are_applied() -> None:
    patch = (
        "      patches:\n      - target: {kind: NodePool}\n        patch: |\n"
        "          - {op: replace, path: /spec/template/spec/nodeClassRef/name, value: other}\n"
    )
    assert codes(argo_repository("")) == []
    assert codes(argo_repository(patch)) == ["CNF012"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("chat:2", Image("chat", "chat", "2", "")),
        ("chat=registry.contoso.com:5000/chat", Image("chat", "registry.contoso.com:5000/chat", "", "")),
        ("chat=contoso.azurecr.io/chat:2@sha256:ab", Image("chat", "contoso.azurecr.io/chat", "2", "sha256:ab")),
    ],
)
def test_the_images_of_an_application(text: str, expected: Image) -> None:
    assert written_images([text]) == (expected,)
