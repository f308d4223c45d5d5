"""What the API server rejects in code and not by schema: bindings, the data of Secrets, NodeOverlays."""

from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, conformed, read, shared_norms

BINDING = """
apiVersion: rbac.authorization.k8s.io/v1
kind: %s
metadata: {name: a%s}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: a}
subjects:
- {%s}
"""
SECRET = """
apiVersion: v1
kind: Secret
metadata: {name: a, namespace: b%s}
data: {KEY: "%s"}
"""
ACCOUNT = "kind: ServiceAccount, name: a"
RBAC = "apiGroup: rbac.authorization.k8s.io"


def findings(text: str) -> list[str]:
    """All findings as "code pointer"."""
    return [f"{finding.code} {finding.pointer}" for finding in conformed(text)]


@for_each(
    ("kind", "role", "subject", "expected"),
    [
        ("ClusterRoleBinding", "ClusterRole", ACCOUNT, ["CNF022 /subjects/0"]),
        ("ClusterRoleBinding", "ClusterRole", f"{ACCOUNT}, namespace: ''", ["CNF022 /subjects/0"]),
        ("ClusterRoleBinding", "ClusterRole", f"{ACCOUNT}, namespace: b", []),
        ("ClusterRoleBinding", "ClusterRole", f"{ACCOUNT}, namespace: b, {RBAC}", ["CNF022 /subjects/0/apiGroup"]),
        ("ClusterRoleBinding", "ClusterRole", "kind: User, name: a", []),
        ("ClusterRoleBinding", "ClusterRole", f"kind: Group, name: a, {RBAC}", []),
        ("ClusterRoleBinding", "ClusterRole", "kind: Group, name: a, apiGroup: apps", ["CNF022 /subjects/0/apiGroup"]),
        ("ClusterRoleBinding", "ClusterRole", "kind: Serviceaccount, name: a", ["CNF022 /subjects/0/kind"]),
        ("ClusterRoleBinding", "Role", f"{ACCOUNT}, namespace: b", ["CNF022 /roleRef/kind"]),
        ("RoleBinding", "Role", ACCOUNT, []),
        ("RoleBinding", "ClusterRole", ACCOUNT, []),
        ("RoleBinding", "Roles", ACCOUNT, ["CNF022 /roleRef/kind"]),
    ],
)
def test_subjects_and_roles_of_bindings(kind: str, role: str, subject: str, expected: list[str]) -> None:
    place = ", namespace: b" if kind == "RoleBinding" else ""
    assert findings(BINDING % (kind, place, role, subject)) == expected


def test_a_namespace_that_a_kustomization_may_set_is_not_reported() -> None:
    text = BINDING % ("ClusterRoleBinding", "", "ClusterRole", ACCOUNT)
    account = "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a%s}\n"
    for more, expected in (("", []), (account % "", []), (account % ", namespace: b", ["CNF022"])):
        reported = object_findings(read(text + more), KUBERNETES, shared_norms(), closed=False)
        assert [finding.code for finding in reported if finding.code == "CNF022"] == expected


@for_each("value", ["YWJj", "YWI=", "YWJ=", "YWJj\\nYWJj\\n", "", "${TOKEN}", "{{ .Values.x }}", "<path:kv/data/a#b>"])
def test_data_that_the_api_server_accepts_or_that_is_filled_in_first(value: str) -> None:
    assert findings(SECRET % ("", value)) == []


@for_each("value", ["ENC[AES256_GCM,data:x]", "#{TOKEN}#", "__TOKEN__", "ref+vault://a/b#c", "$TOKEN"])
def test_placeholders_of_other_tools_are_not_reported(value: str) -> None:
    assert findings(SECRET % ("", value)) == []


@for_each("value", ["plain text", "YW Jj", "YWJ", "a-b_", '{\\"auths\\": {}}', "[REDACTED]", "your-token", "YWI=YWI="])
def test_data_that_is_not_base64(value: str) -> None:
    (fault,) = conformed(SECRET % ("", value))
    assert (fault.code, fault.pointer) == ("NAM008", "/data/KEY")
    assert "stringData" in fault.help


def test_a_placeholder_is_reported_as_one_unless_a_plugin_fills_it_in() -> None:
    (fault,) = conformed(SECRET % ("", "<base64-encoded-token>"))
    assert "placeholder" in fault.message
    assert findings(SECRET % (", annotations: {avp.kubernetes.io/path: kv/data/a}", "<token>")) == []


OVERLAY = """
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {name: a}
spec:
  requirements: []
  %s
"""


@for_each(
    ("spec", "expected"),
    [
        ("{price: '1', priceAdjustment: '-10%'}", ["NPL035 /spec/priceAdjustment"]),
        ("{price: '1'}", []),
        ("{capacity: {cpu: 4, nvidia.com/gpu: 1}}", ["NPL035 /spec/capacity/cpu"]),
        ("{capacity: {nvidia.com/gpu: 1}}", []),
    ],
)
def test_rules_about_node_overlays(spec: str, expected: list[str]) -> None:
    inner = spec.strip("{}") if "capacity" not in spec else spec[1:-1]
    text = OVERLAY % inner.replace(", priceAdjustment", "\n  priceAdjustment")
    assert [finding for finding in findings(text) if not finding.startswith("NPL023")] == expected
