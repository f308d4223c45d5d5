"""A node-level sysctl among those that pods may set."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

PLACE = ("spec", "kubelet", "allowedUnsafeSysctls")


def _check(objects: Objects) -> Iterator[Finding]:
    row = objects.catalog.must("kubelets", "aks")["unsafeSysctls"]
    allowed = f"{', '.join(row['names'])} and names that start with {', '.join(row['prefixes'])}"
    for item, _ in node_classes(objects):
        for index, pattern in enumerate(reach(item.body, *PLACE) or ()):
            name = pattern.replace("/", ".").removesuffix("*")  # the kubelet reads a slash as a dot
            if "," in pattern:
                message = f"'{pattern}' is several sysctls in one list item"
                yield Finding(item, (*PLACE, index), message, "use a separate list item for each")
            elif name not in row["names"] and not name.startswith(tuple(row["prefixes"])):
                message = f"the kubelet cannot allow pods the sysctl {pattern}: it belongs to the whole node"
                yield Finding(
                    item, (*PLACE, index), message, f"allow only {allowed}; set others in linuxOSConfig.sysctls"
                )


RULE = Rule(
    code="ANC009",
    name="node-level-sysctl-allowed",
    severity=Severity.ERROR,
    never_ready=True,
    summary="An AKSNodeClass allows pods a sysctl that is not namespaced.",
    help="The list is not checked before a node starts. The kubelet refuses to run with such an entry, so the node "
    "never joins the cluster, and neither does any node that Karpenter starts after it.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/11de9543ee78c28cf73546ea55ec4f817c893a11/pkg/kubelet/sysctl/allowlist.go",
        "https://kubernetes.io/docs/tasks/administer-cluster/sysctl-cluster/",
    ),
    facts=("kubelets/aks",),
    check=_check,
)
