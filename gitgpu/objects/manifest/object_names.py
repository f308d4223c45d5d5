"""Groups whose objects may have names that are not DNS names."""

# Groups of files that tools read: these are never sent to an API server.
FILES = frozenset({
    "backstage.io", "chainsaw.kyverno.io", "cli.kyverno.io", "eksctl.io", "garden.io", "holodeck.nvidia.com", "k3d.io",
    "kind.x-k8s.io", "kuttl.dev", "scaffolder.backstage.io", "skaffold", "tanka.dev",
})  # fmt: skip
# The API servers of OpenShift serve these, and allow users such as `kube:admin` and image streams such as `label_sync`.
OPENSHIFT = frozenset({"image.openshift.io", "user.openshift.io"})
