"""Flux clusters and Argo CD: what lint treats as one cluster, and what is outside the input."""

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.diagnostic import Severity
from gitgpu.load.text import Text
from gitgpu.objects.grouping.applied_together import group_files
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.runs.lint import LintOptions
from tests.helping.cases import for_each
from tests.lint.test_lint import CLASS, NAMESPACE, codes, linted, pool
from tests.rules.objects.test_placement import OWN_TAINT, pod, selecting
from tests.rules.objects.test_placement import pool as gpu_pool
from tests.rules.objects.test_stack import plugin

WHOLE = LintOptions("1.34", closed=True)
ADDRESS = "https://github.com/contoso/fleet"


def flux(name: str, path: str, more: str = "", source: str = "flux-system") -> str:
    """A Flux Kustomization."""
    return (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        f"metadata: {{name: {name}, namespace: flux-system}}\n"
        f"spec:\n  interval: 1h\n  prune: false\n  path: {path}\n"
        f"  sourceRef: {{kind: GitRepository, name: {source}}}\n{more}"
    )


def git(name: str, url: str = ADDRESS) -> str:
    """A GitRepository."""
    meta = f"metadata: {{name: {name}, namespace: flux-system}}"
    return (
        f"apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n{meta}\nspec: {{interval: 1h, url: '{url}'}}\n"
    )


def application(name: str, source: str, destination: str = "server: https://kubernetes.default.svc") -> str:
    """An Application of Argo CD."""
    return (
        f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}, namespace: argocd}}\nspec:\n"
        f"  project: default\n  source: {{repoURL: '{ADDRESS}.git', targetRevision: main, {source}}}\n"
        f"  destination: {{{destination}, namespace: gpu}}\n"
    )


def node_class(name: str) -> str:
    """A node class."""
    return CLASS.replace("NAME", name)


def groups(files: dict[str, str]) -> dict[frozenset[str], Any]:
    """The files of each group."""
    grouped = group_files(read_manifests([Text(name, text, name) for name, text in files.items()])).groups
    return {frozenset(part.file for part in group.parts): group for group in grouped}


def cluster(name: str, node: str) -> dict[str, str]:
    """A cluster with its own node classes, whose pools are in a shared directory."""
    return {
        f"clusters/{name}/infra.yaml": flux("nodes", "./infra/nodes") + "---\n" + flux("own", f"./infra/{name}"),
        f"infra/{name}/kustomization.yaml": "resources: [class.yaml]\n",
        f"infra/{name}/class.yaml": node_class(node),
    }


SHARED = {"infra/nodes/kustomization.yaml": "resources: [pool.yaml]\n", "infra/nodes/pool.yaml": pool("gpu")}


def test_layers_of_one_cluster_are_one_group() -> None:
    assert codes(SHARED | cluster("dev", "gpu")) == []
    assert codes(SHARED | cluster("dev", "other")) == ["CNF012"]


def test_a_base_that_two_clusters_share_is_checked_in_each() -> None:
    assert codes(SHARED | cluster("dev", "gpu") | cluster("prod", "gpu")) == []
    assert codes(SHARED | cluster("dev", "gpu") | cluster("prod", "other")) == ["CNF012"]
    assert len(groups(SHARED | cluster("dev", "gpu") | cluster("prod", "other"))) == 2


def waiting(name: str, need: str, more: str = "") -> str:
    """A Flux Kustomization that waits for another one."""
    return flux(name, "./infra/nodes", f"  dependsOn: [{{name: {need}{more}}}]\n")


def test_kustomizations_of_one_directory_that_wait_for_each_other_are_in_one_cluster() -> None:
    files = {"clusters/a.yaml": waiting("a", "b"), "clusters/b.yaml": flux("b", "./infra/nodes")}
    assert len(groups(SHARED | files)) == 1
    files["clusters/b.yaml"] = waiting("b", "c")
    files["clusters/c.yaml"] = waiting("c", "a")
    assert len(groups(SHARED | files)) == 1
    assert "CNF015" in codes(SHARED | files)
    assert "CNF015" not in codes(SHARED | files | {"clusters/c.yaml": flux("c", "./infra/nodes")})


def test_kustomizations_that_apply_one_directory_and_do_not_wait_for_each_other_may_be_in_two_clusters() -> None:
    apart = {"clusters/a.yaml": flux("a", "./infra/nodes"), "clusters/b.yaml": flux("b", "./infra/nodes")}
    assert len(groups(SHARED | apart)) == 2
    assert len(groups(SHARED | apart | {"clusters/a.yaml": waiting("a", "b", ", namespace: other")})) == 2
    both = {f"clusters/{name}/{file[-6:]}": text for file, text in apart.items() for name in ("dev", "prod")}
    both |= {f"clusters/{name}/a.yaml": waiting("a", "b") for name in ("dev", "prod")}
    assert len(groups(SHARED | both)) == 2


def test_a_cluster_is_named_after_its_directory_or_as_argo_cd_calls_it() -> None:
    files = SHARED | cluster("dev", "gpu") | cluster("prod", "other") | {"apps/west/a.yaml": NAMESPACE}
    files["argo/a.yaml"] = application("a", "path: apps/west", "name: west")
    named = {group.name: {*files} for files, group in groups(files).items()}
    assert named.keys() == {"dev", "prod", "west", "argo"}
    assert "infra/prod/class.yaml" in named["prod"]
    assert named["west"] == {"apps/west/a.yaml"}


def test_a_file_that_the_kustomization_of_its_directory_does_not_list_is_not_applied() -> None:
    listed = SHARED | cluster("dev", "gpu") | {"clusters/dev/kustomization.yaml": "resources: [infra.yaml]\n"}
    beside = {"clusters/dev/left.yaml": node_class("left")}
    (piece,) = (group for files, group in groups(listed | beside).items() if "clusters/dev/left.yaml" in files)
    assert piece.piece
    del listed["clusters/dev/kustomization.yaml"]
    (whole,) = groups(listed | beside).values()
    assert not whole.piece


def test_the_order_of_files_does_not_matter() -> None:
    files = SHARED | cluster("dev", "gpu") | cluster("prod", "other")
    wanted = set(groups(files))
    reported = [diagnostic._replace(edit=None) for diagnostic in linted(files).diagnostics]
    for names in itertools.islice(itertools.permutations(files), 0, 5000, 700):
        again = {name: files[name] for name in names}
        assert set(groups(again)) == wanted
        assert sorted(map(str, linted(again).diagnostics)) == sorted(map(str, reported))


@for_each("path", ["infra/nodes", "./infra/nodes", "/infra/nodes/", "./infra//./nodes", "../../infra/nodes"])
def test_spellings_of_a_path(path: str) -> None:
    """Flux joins the path to the root in such a way that it cannot lead out."""
    files = SHARED | cluster("dev", "other")
    files["clusters/dev/infra.yaml"] = files["clusters/dev/infra.yaml"].replace("./infra/nodes", path)
    assert codes(files) == ["CNF012"]


@for_each("above", ["repo", "/tmp/x/repo", "../repo", "a/b/c"])
def test_the_root_of_the_repository_may_be_any_directory(above: str) -> None:
    files = {f"{above}/{name}": text for name, text in (SHARED | cluster("dev", "other")).items()}
    assert codes(files) == ["CNF012"]


def test_the_root_may_be_above_what_is_read() -> None:
    files = {name.removeprefix("infra/"): text for name, text in SHARED.items()}
    files |= {
        "dev/class.yaml": node_class("other"),
        "all.yaml": flux("nodes", "./infra/nodes") + "---\n" + flux("d", "./infra/dev"),
    }
    assert codes(files) == ["CNF012"]


def test_a_missing_path_is_elsewhere() -> None:
    files = SHARED | cluster("dev", "other")
    files["clusters/dev/more.yaml"] = flux("more", "./not/here")
    assert codes(files) == []
    (note,) = (diagnostic for diagnostic in linted(files, WHOLE).diagnostics if diagnostic.code == "LNT011")
    assert (note.severity, note.span.file) == (Severity.INFO, "clusters/dev/more.yaml")
    assert not [diagnostic for diagnostic in linted(files).diagnostics if diagnostic.code == "LNT011"]


def test_another_repository_is_elsewhere_even_when_it_has_such_a_path() -> None:
    files = SHARED | cluster("dev", "other") | {"clusters/dev/flux-system.yaml": git("flux-system")}
    files["clusters/dev/charts.yaml"] = (
        git("charts", "https://github.com/other/charts") + "---\n" + flux("c", "./infra", source="charts")
    )
    assert codes(files) == []
    files["clusters/dev/charts.yaml"] = (
        git("again", f"ssh://git@{ADDRESS[8:]}.git") + "---\n" + flux("c", "./clusters/dev", source="again")
    )
    assert codes(files) == ["GIT022", "CNF012"]  # the repository over SSH has no key


def test_another_repository_is_elsewhere_even_if_the_url_of_this_one_is_not_known() -> None:
    """The bootstrap's own files are often not in the input."""
    files = SHARED | {
        "clusters/dev/nodes.yaml": flux("nodes", "./infra/nodes"),
        "infra/dev/class.yaml": node_class("b"),
    }
    files["clusters/dev/more.yaml"] = flux("more", "./infra/dev", source="other")
    assert codes(files) == ["CNF012"]  # nothing says that it is another repository
    files["clusters/dev/source.yaml"] = git("other", "https://github.com/other/charts")
    assert codes(files) == []
    (whole,) = (group for names, group in groups(files).items() if "clusters/dev/more.yaml" in names)
    assert whole.opened
    files["clusters/dev/nodes.yaml"] = flux("nodes", "./infra/nodes", source="other")
    assert codes(files) == ["CNF012"]  # the only source is this repository


def test_a_circle_of_kustomizations_is_one_cluster() -> None:
    files = {
        "clusters/dev/flux-system/sync.yaml": git("flux-system") + "---\n" + flux("flux-system", "./clusters/dev"),
        "clusters/dev/flux-system/kustomization.yaml": "resources: [sync.yaml]\n",
        "clusters/dev/a.yaml": flux("a", "./a"),
        "a/b.yaml": flux("b", "./b"),
        "b/a.yaml": flux("c", "./a") + "---\n" + pool("gpu"),
        "a/class.yaml": node_class("other"),
    }
    assert codes(files) == ["CNF012"]
    del files["clusters/dev/flux-system/sync.yaml"], files["clusters/dev/a.yaml"]
    files["clusters/dev/flux-system/kustomization.yaml"] = "resources: []\n"
    assert codes(files) == ["CNF012"]


def test_a_circle_that_another_circle_applies_belongs_to_its_cluster() -> None:
    files = {
        "a/ks.yaml": flux("a", "./more"),
        "more/ks.yaml": flux("more", "./a"),
        "b/ks.yaml": flux("b", "./c") + "---\n" + flux("first", "./a"),
        "c/ks.yaml": flux("c", "./b"),
    }
    (group,) = groups(files).values()
    assert ({part.file for part in group.parts}, group.name) == ({*files}, "b")
    del files["b/ks.yaml"], files["c/ks.yaml"]
    (group,) = groups(files).values()
    assert ({part.file for part in group.parts}, group.name) == ({*files}, "a")


def test_a_kustomization_beside_the_files_of_a_cluster_is_a_piece() -> None:
    files = SHARED | cluster("dev", "gpu")
    files["clusters/dev/more/kustomization.yaml"] = "resources: [class.yaml]\n"
    files["clusters/dev/more/class.yaml"] = node_class("more")
    assert [group.piece for names, group in groups(files).items() if "clusters/dev/more/class.yaml" in names] == [True]


def test_an_overlay_that_no_cluster_applies_is_a_piece() -> None:
    files = SHARED | cluster("dev", "gpu")
    files |= {
        "apps/x/kustomization.yaml": "resources: [p.yaml, c.yaml]\n",
        "apps/x/p.yaml": pool("gpu").replace("cpu", "x"),
    }
    files["apps/x/c.yaml"] = node_class("mine")
    assert codes(files, WHOLE) == []


def test_a_file_that_is_not_read_may_hold_what_is_missing() -> None:
    files = SHARED | cluster("dev", "other")
    assert codes({**files, "infra/dev/kustomization.yaml": "resources: [class.yaml, 'https://x.org/y']\n"}) == []
    assert codes({**files, "infra/nodes/pool.yaml": files["infra/nodes/pool.yaml"] + "---\n{ a: b\n"}) == ["YML001"]


def test_the_first_reason_is_named_why_a_cluster_may_have_other_objects() -> None:
    files = SHARED | cluster("dev", "gpu") | {"clusters/dev/more.yaml": flux("more", "./more", source="other")}
    files["infra/nodes/pool.yaml"] += "---\n{ a: b\n"
    (note,) = (diagnostic for diagnostic in linted(files, WHOLE).diagnostics if diagnostic.code == "LNT011")
    assert note.message.startswith("Kustomization more applies objects that are not in these files")
    del files["clusters/dev/more.yaml"]
    (note,) = (diagnostic for diagnostic in linted(files, WHOLE).diagnostics if diagnostic.code == "LNT011")
    assert note.message.startswith("infra/nodes/pool.yaml was not read, or only partly")


def test_namespaces_that_kustomizations_rename_are_different_objects() -> None:
    """Two definitions of one object would be in two clusters."""
    labelled = NAMESPACE.replace("{name: gpu}", "{name: gpu, labels: {team: blue}}")
    files = {"a/namespace.yaml": NAMESPACE, "b/namespace.yaml": labelled}
    for targets, number in (("xy", 1), ("xx", 2)):
        for name, target in zip("ab", targets, strict=True):
            files[f"clusters/{name}/{name}.yaml"] = flux(name, f"./{name}", f"  targetNamespace: {target}\n")
        assert len(groups(files)) == number


def test_another_cluster_is_another_cluster() -> None:
    remote = "  kubeConfig: {secretRef: {name: edge}}\n"
    files = SHARED | {
        "clusters/hub/a.yaml": flux("nodes", "./infra/nodes", remote),
        "infra/c/class.yaml": node_class("other"),
    }
    files["clusters/hub/b.yaml"] = flux("c", "./infra/c")
    assert codes(files) == []
    files["clusters/hub/b.yaml"] = flux("c", "./infra/c", remote)
    assert codes(files) == ["CNF012"]


def test_values_come_from_substitute_and_from_config_maps_of_the_cluster() -> None:
    names = {"a": "gpu", "b": "other"}
    files = {
        "infra/nodes/kustomization.yaml": "resources: [pool.yaml, class.yaml]\n",
        "infra/nodes/class.yaml": node_class("gpu"),
    }
    files["infra/nodes/pool.yaml"] = pool('"${class}"')
    refer = "  postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}\n"
    for name, value in names.items():
        files[f"clusters/{name}/nodes.yaml"] = flux("nodes", "./infra/nodes", refer)
        files[f"clusters/{name}/settings.yaml"] = (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\n"
            f"data: {{class: {value}}}\n"
        )
    (reported,) = (diagnostic for diagnostic in linted(files).diagnostics if diagnostic.severity is Severity.ERROR)
    assert (reported.code, reported.message) == ("CNF012", "AKSNodeClass 'other' is missing")


@pytest.mark.parametrize("kind", ["Service", "Namespace"])
def test_the_namespace_of_a_kustomization_is_substituted(kind: str) -> None:
    known, unknown = "{substitute: {TEAM: VALUE}}", "{substituteFrom: [{kind: Secret, name: teams}]}"
    service = "spec: {ports: [{port: 80}]}\n" if kind == "Service" else ""
    files = {
        "apps/kustomization.yaml": "namespace: '${TEAM}'\nresources: [app.yaml]\n",
        "apps/app.yaml": f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: app}}\n{service}",
    }

    def with_flux(build: str, path: str = "./apps") -> list[str]:
        return codes(files | {"clusters/a.yaml": flux("a", path, f"  postBuild: {build}\n")})

    assert with_flux(known.replace("VALUE", "chat")) == []
    assert with_flux(known.replace("VALUE", "Chat")) == ["CNF003"]
    assert with_flux(unknown) == []
    assert with_flux(unknown, "./elsewhere") == []
    assert codes(files) == ["LNT002"]


@pytest.mark.parametrize("key", ["namespace", "namePrefix", "nameSuffix"])
def test_a_placeholder_in_a_kustomization_is_reported_once(key: str) -> None:
    kustomization = f"resources: [a.yaml, b.yaml]\n{key}: '${{TEAM}}'\n"
    account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: NAME}\n"
    files = {"kustomization.yaml": kustomization, **{f"{name}.yaml": account.replace("NAME", name) for name in "ab"}}
    (reported,) = (finding for finding in linted(files).diagnostics if finding.severity is Severity.ERROR)
    assert (reported.code, reported.span.file, reported.pointer) == ("LNT002", "kustomization.yaml", f"/{key}")
    assert codes(files | {"kustomization.yaml": kustomization.replace("${TEAM}", "team")}) == []
    assert codes(files | {"kustomization.yaml": kustomization.replace("${TEAM}", "{{ team }}")}) == []


def test_a_variable_of_a_kustomization_has_an_unknown_value() -> None:
    claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: models}\nspec:\n"
    claim += "  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: $(size)}}\n"
    replicas = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec:\n  replicas: $(replicas)\n"
    replicas += "  selector: {matchLabels: {app: chat}}\n  template:\n    metadata: {labels: {app: chat}}\n"
    replicas += "    spec: {containers: [{name: chat, image: contoso.azurecr.io/chat:1.4}]}\n"
    both = "resources: [claim.yaml, replicas.yaml]\n"
    files = {"kustomization.yaml": both, "claim.yaml": claim, "replicas.yaml": replicas}
    assert codes(files) == ["NAM010", "CNF001"]
    assert codes(files | {"kustomization.yaml": both + "vars: [{name: size}]\n"}) == ["CNF001"]
    assert codes(files | {"kustomization.yaml": both + "vars: [{name: size}, {name: replicas}]\n"}) == []


def test_a_number_that_is_filled_in_where_only_text_fits_is_text() -> None:
    data = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata: {size: '${size}'}\n"
    files = {"clusters/a.yaml": flux("a", "./apps", "  postBuild: {substitute: {size: '5'}}\n"), "apps/a.yaml": data}
    assert codes(files) == []
    assert codes(files | {"apps/a.yaml": data.replace("{size: '${size}'}", "{size: 5}")}) == ["CNF001"]
    both = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: a, labels: {size: '${size}'}}\n"
    both += "spec: {maxReplicas: '${size}', scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}}\n"
    assert "CNF001" not in codes(files | {"apps/a.yaml": both})


@pytest.mark.parametrize(
    "build",
    [
        "{substituteFrom: [{kind: Secret, name: s}]}",
        "{substituteFrom: [{kind: ConfigMap, name: elsewhere}]}",
        "{substitute: {other: x}}",
    ],
)
def test_no_finding_comes_from_a_value_that_is_not_known(build: str) -> None:
    files = SHARED | cluster("dev", "gpu")
    files["infra/nodes/pool.yaml"] = pool('"${class:=gone}"').replace("requirements: []", 'requirements: "${wants}"')
    files["clusters/dev/infra.yaml"] = flux("nodes", "./infra/nodes", f"  postBuild: {build}\n")
    assert set(codes(files)) <= {"GIT013"}


def test_no_finding_about_another_object_comes_from_a_value_that_is_not_known() -> None:
    secret = "  postBuild: {substituteFrom: [{kind: Secret, name: s}]}\n"
    files = {"clusters/a.yaml": flux("a", "./apps", secret), "apps/plugins.yaml": plugin(name="first") + plugin()}
    assert codes(files) == ["STK001"]
    files["apps/plugins.yaml"] = files["apps/plugins.yaml"].replace(
        "k8s-device-plugin:v1", "k8s-device-plugin:${tag}", 1
    )
    assert codes(files) == []


@for_each(
    ("toleration", "expected"),
    [
        ("{key: sku, value: cpu}", ["STK004", "POD001"]),
        ("{key: sku, value: '${value}'}", []),
        ("{key: '${key}', value: gpu}", []),
        ("{key: sku, operator: '${operator}'}", []),
        ("{key: sku, value: cpu, effect: '${effect}'}", ["STK004", "POD001"]),  # has a different value in any case
        ("{key: sku, value: gpu, effect: '${effect}'}", []),
    ],
)
def test_a_toleration_that_is_not_known_may_tolerate_any_taint(toleration: str, expected: list[str]) -> None:
    secret = "  postBuild: {substituteFrom: [{kind: Secret, name: s}]}\n"
    chosen = pod(f"nodeSelector: {{karpenter.sh/nodepool: a100}}\n  tolerations: [{toleration}]")
    text = gpu_pool(taint=OWN_TAINT) + chosen + "---" + plugin(tolerations=f"[{toleration}]")
    files = {"clusters/a.yaml": flux("a", "./apps", secret), "apps/a.yaml": text}
    assert [code for code in codes(files, WHOLE) if code in ("POD001", "STK004")] == expected


def test_no_finding_is_at_a_value_that_is_not_known() -> None:
    """Not even a finding that there is without the value too: the default of `nodes` overrules the first budget."""
    secret = "  postBuild: {substituteFrom: [{kind: Secret, name: s}]}\n"
    budgets = "{budgets: [{nodes: 50%, schedule: 0 0 * * 6, duration: 48h}, {nodes: '0'}], consolidateAfter: 1h}"
    text = pool("default").replace("spec:\n", f"spec:\n  disruption: {budgets}\n", 1)
    files = {"clusters/a.yaml": flux("a", "./apps", secret), "apps/pool.yaml": text}
    assert "NPL011" in codes(files)
    assert "NPL011" not in codes(files | {"apps/pool.yaml": text.replace("'0'", "'${nodes}'")})


def test_no_fault_of_a_list_depends_on_an_entry_that_is_not_known() -> None:
    secret = "  postBuild: {substituteFrom: [{kind: Secret, name: s}]}\n"
    budgets = ", ".join(["{nodes: '1'}"] * 50)  # as many as the CRD accepts
    text = pool("default").replace(
        "spec:\n", f"spec:\n  disruption: {{budgets: [{budgets}], consolidateAfter: 1h}}\n", 1
    )
    files = {"clusters/a.yaml": flux("a", "./apps", secret), "apps/pool.yaml": text}
    more = text.replace("'1'}]", "'1'}, MORE]")
    assert "CNF001" not in codes(files)
    assert "CNF001" in codes(files | {"apps/pool.yaml": more.replace("MORE", "{nodes: '1'}")})
    assert "CNF001" not in codes(files | {"apps/pool.yaml": more.replace("MORE", "'${more}'")})


def test_no_finding_names_a_value_that_is_not_known() -> None:
    secret = "  postBuild: {substituteFrom: [{kind: Secret, name: s}]}\n"
    pools = gpu_pool() + gpu_pool(name="other") + selecting("karpenter.sh/nodepool: a100, contoso.com/team: serving")
    files = {"clusters/a.yaml": flux("a", "./apps", secret), "apps/nodes.yaml": pools}
    assert codes(files) == ["POD003"]
    files["apps/nodes.yaml"] = pools.replace("{name: other}", "{name: '${name}'}")
    assert codes(files) == []


def test_a_fault_beside_an_unknown_value_is_still_found() -> None:
    files = SHARED | cluster("dev", "gpu")
    files["infra/nodes/pool.yaml"] = pool('"${class}"').replace("requirements: []", "requirements: []\n      taint: []")
    files["clusters/dev/infra.yaml"] = flux(
        "nodes", "./infra/nodes", "  postBuild: {substituteFrom: [{kind: Secret, name: s}]}\n"
    )
    assert codes(files) == ["CNF001"]


def test_a_placeholder_beside_flux_objects_is_a_note_and_elsewhere_an_error() -> None:
    secret = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '${name}'}\n"
    assert codes({"a.yaml": secret}) == ["LNT002"]
    beside = linted({"a.yaml": secret, "b.yaml": git("flux-system")}).diagnostics
    assert [(finding.code, finding.severity) for finding in beside] == [("LNT002", Severity.INFO)]


def test_a_secret_that_sops_has_encrypted_is_checked_as_it_is_applied() -> None:
    sealed = "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\ndata: {key: 'ENC[AES256_GCM,data:x]'}\n"
    sops = "sops: {mac: 'ENC[AES256_GCM,data:y]', version: 3.9.0}\n"
    assert codes({"a.yaml": sealed + sops}) == []
    assert codes({"a.yaml": sealed + "more: 1\n" + sops}) == ["CNF001"]


def test_rules_about_flux_know_the_source_of_a_kustomization_yaml() -> None:
    files = {
        "clusters/dev/a.yaml": flux("apps", "./apps", "  postBuild: {substitute: {region: eastus}}\n").replace(
            "prune: false", "prune: true"
        ),
        "apps/kustomization.yaml": "resources: [cm.yaml, pool.yaml]\n",
        "apps/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
        "data: {a: '$${x} ${region} ${count}'}\n",
        "apps/pool.yaml": pool("default").replace(
            "[]", "[{key: karpenter.azure.com/sku-gpu-name, operator: In, values: [A100]}]"
        ),
    }
    reported = {diagnostic.code: diagnostic.message for diagnostic in linted(files).diagnostics}
    assert "${count}" in reported["GIT013"]
    assert "Kustomization apps" in reported["GIT014"]


def test_an_app_of_apps_and_a_set_of_directories() -> None:
    every = (
        "generators: [{git: {repoURL: '"
        + ADDRESS
        + "', revision: main, directories: [{path: 'layers/*'}, {path: layers/old, exclude: true}]}}]"
    )
    source = f"source: {{repoURL: '{ADDRESS}', path: '{{{{path}}}}'}}"
    where = "destination: {server: https://kubernetes.default.svc, namespace: x}"
    meta = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: layers, namespace: argocd}\n"
    template = f"    metadata: {{name: '{{{{path.basename}}}}'}}\n    spec: {{project: default, {source}, {where}}}\n"
    made = f"{meta}spec:\n  {every}\n  template:\n{template}"
    files = {
        "root.yaml": application("root", "path: apps"),
        "apps/set.yaml": made,
        "layers/nodes/pool.yaml": pool("gpu"),
        "layers/classes/class.yaml": node_class("other"),
        "layers/old/class.yaml": node_class("gpu"),
    }
    assert codes(files) == ["CNF012"]
    assert codes(files | {"layers/more/class.yaml": node_class("gpu").replace("gpu", "more")}) == ["CNF012"]
    assert (
        codes(
            {name: text for name, text in files.items() if "old" not in name} | {"layers/x/c.yaml": node_class("gpu")}
        )
        == []
    )


@for_each(
    ("source", "expected"),
    [
        ("path: classes", []),
        ("path: classes, directory: {recurse: true}", ["CNF012"]),
        ("path: classes, directory: {recurse: true, exclude: '{a,c}/*'}", []),
        ("path: classes, directory: {recurse: true, include: 'a/*'}", ["CNF012"]),
        ("path: chart", []),
        ("path: classes, plugin: {}", []),
    ],
)
def test_directories_as_argo_cd_reads_them(source: str, expected: list[str]) -> None:
    """If no node class is among the objects, none is reported as missing."""
    files = {
        "root.yaml": application("nodes", "path: nodes") + "---\n" + application("classes", source),
        "nodes/pool.yaml": pool("gpu"),
        "classes/a/class.yaml": node_class("other"),
        "chart/Chart.yaml": "apiVersion: v2\nname: x\n",
    }
    assert codes(files) == expected


def test_applications_for_other_clusters_and_namespaces() -> None:
    remote = "name: edge"
    files = {"root.yaml": application("a", "path: nodes") + "---\n" + application("b", "path: classes", remote)}
    files |= {"nodes/pool.yaml": pool("gpu"), "classes/class.yaml": node_class("other")}
    assert codes(files) == []
    assert codes({**files, "root.yaml": files["root.yaml"].replace(remote, "name: in-cluster")}) == ["CNF012"]


def test_one_file_in_two_namespaces_is_not_a_duplicate() -> None:
    files = {
        "base/kustomization.yaml": "resources: [cm.yaml]\n",
        "base/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    }
    two = (flux(name, "./base", f"  targetNamespace: {name}\n") for name in "uv")
    assert codes(files | {"clusters/dev/all.yaml": "---\n".join(two)}) == []


def test_equal_objects_of_two_files_are_one() -> None:
    files = {
        "a/ns.yaml": NAMESPACE,
        "b/ns.yaml": NAMESPACE,
        "a/pool.yaml": pool("gpu"),
        "b/class.yaml": node_class("other"),
    }
    assert codes(files) == ["CNF012"]
    assert not [diagnostic for diagnostic in linted(files).diagnostics if diagnostic.code in ("LNT010", "CNF008")]


def test_conflicting_files_are_split_at_the_first_level_without_a_conflict_and_noted() -> None:
    other = NAMESPACE.replace("{name: gpu}", "{name: gpu, labels: {a: b}}")
    files = {"x/one/ns.yaml": NAMESPACE, "y/one/ns.yaml": other}
    files |= {"x/one/pool.yaml": pool("gpu"), "x/two/class.yaml": node_class("other")}
    assert codes(files) == ["CNF012"]
    (note,) = (diagnostic for diagnostic in linted(files).diagnostics if diagnostic.code == "LNT010")
    assert (str(note.span), note.severity) == ("x/one/ns.yaml:1:1", Severity.INFO)
    assert "y/one/ns.yaml:1:1" in note.message


def of_a_tutorial(name: str, kind: str) -> str:
    """A scaler, a ClusterPolicy or an NVIDIADriver that has all nodes or the same target as any other of its kind."""
    meta = f"metadata: {{name: {name}, namespace: serving}}\n"
    if kind == "ScaledObject":
        query = "{serverAddress: 'http://x:9090', query: 'sum(a)', threshold: '5'}"
        triggers = f"[{{type: prometheus, metadata: {query}}}]"
        spec = f"spec: {{scaleTargetRef: {{name: chat}}, maxReplicaCount: 3, triggers: {triggers}}}\n"
        return f"apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\n{meta}{spec}"
    if kind == "HorizontalPodAutoscaler":
        metric = "{type: Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: '2'}}}"
        target = "{apiVersion: apps/v1, kind: Deployment, name: chat}"
        spec = f"spec: {{scaleTargetRef: {target}, maxReplicas: 3, metrics: [{metric}]}}\n"
        return f"apiVersion: autoscaling/v2\nkind: {kind}\n{meta}{spec}"
    version = {"ClusterPolicy": "v1", "NVIDIADriver": "v1alpha1"}[kind]
    operands = ("dcgm", "dcgmExporter", "devicePlugin", "driver", "gfd", "nodeStatusExporter", "toolkit")
    policy = ", ".join(f"{operand}: {{enabled: true}}" for operand in operands)
    spec = {
        "ClusterPolicy": f"{{daemonsets: {{}}, operator: {{defaultRuntime: containerd}}, {policy}}}",
        "NVIDIADriver": '{driverType: gpu, version: "595.91.07"}',
    }[kind]
    return f"apiVersion: nvidia.com/{version}\nkind: {kind}\n{meta.replace(', namespace: serving', '')}spec: {spec}\n"


@pytest.mark.parametrize(
    ("kinds", "code"),
    [
        (("ScaledObject", "ScaledObject"), "KED001"),
        (("HorizontalPodAutoscaler", "HorizontalPodAutoscaler"), "KED001"),
        (("HorizontalPodAutoscaler", "ScaledObject"), "KED001"),
        (("ClusterPolicy", "ClusterPolicy"), "STK018"),
        (("NVIDIADriver", "NVIDIADriver"), "STK016"),
    ],
)
def test_two_owners_in_files_that_nothing_joins_are_alternatives(kinds: tuple[str, str], code: str) -> None:
    first, second = of_a_tutorial("a", kinds[0]), of_a_tutorial("b", kinds[1])
    files = {"assets/a.yaml": first, "assets/b.yaml": second}
    assert code not in codes(files)
    assert code in codes(files, WHOLE)  # the user says that all of them are on the cluster
    assert code in codes({"assets/a.yaml": f"{first}---\n{second}"})
    assert code in codes(files | {"assets/kustomization.yaml": "resources: [a.yaml, b.yaml]\n"})
    assert code in codes(files | {"clusters/a.yaml": flux("assets", "./assets")})
    assert code in codes(files | {"argo/a.yaml": application("assets", "path: assets")})
    both = {"assets/c.yaml": f"{of_a_tutorial('c', kinds[0])}---\n{of_a_tutorial('d', kinds[1])}"}
    assert codes(files | both).count(code) == 1


PARTS = st.dictionaries(
    st.sampled_from([f"{folder}/{two}.yaml" for folder in ("a", "b", "clusters/x", "clusters/y", "") for two in "pq"]),
    st.sampled_from(
        [
            NAMESPACE,
            pool("gpu"),
            node_class("other"),
            *(flux(name, path) for name in "fg" for path in ("./a", "b", "./", "../..", "./clusters/x", "gone")),
            application("h", "path: a"),
            application("h", "path: ., directory: {recurse: true}"),
        ]
    ),
    max_size=8,
)


@settings(max_examples=25, deadline=None)
@given(PARTS)
def test_every_file_is_in_a_group_whatever_points_where(files: dict[str, str]) -> None:
    named = {name.lstrip("/"): text for name, text in files.items()}
    by_files = groups(named)
    assert set().union(*by_files) == set(named)
    assert set(groups(dict(reversed(named.items())))) == set(by_files)
