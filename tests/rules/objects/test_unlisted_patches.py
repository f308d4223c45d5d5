"""Patches that no kustomization lists, as in the repositories of operators, and NodePools for other clouds."""

from tests.helping.cases import for_each
from tests.lint.test_lint import codes

INJECTION = """\
apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingWebhookConfiguration
metadata:
  name: mutating-webhook-configuration
  annotations: {certmanager.k8s.io/inject-ca-from: $(CERTIFICATE_NAMESPACE)/$(CERTIFICATE_NAME)}
---
apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingWebhookConfiguration
metadata:
  name: validating-webhook-configuration
  annotations: {certmanager.k8s.io/inject-ca-from: $(CERTIFICATE_NAMESPACE)/$(CERTIFICATE_NAME)}
"""
CONVERSION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: notebooks.kubeflow.org}
spec:
  conversion:
    strategy: Webhook
    webhookClientConfig: {caBundle: Cg==, service: {namespace: system, name: webhook-service, path: /convert}}
"""
WHOLE = """\
apiVersion: extensions/v1beta1
kind: Ingress
metadata: {name: chat, namespace: default}
spec: {backend: {serviceName: chat, servicePort: 80}}
"""
BASE = {
    "default/kustomization.yaml": "resources: [base.yaml]\n",
    "default/base.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n",
}
POOL = """\
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      nodeClassRef: {REFERENCE}
      requirements: [{key: KEY, operator: In, values: [spot]}]
"""


@for_each("patch", [INJECTION, CONVERSION])
@for_each("file", ["default/webhookcainjection_patch.yaml", "default/patches/webhook_in_notebooks.yaml"])
def test_a_patch_that_no_kustomization_lists_is_not_applied(patch: str, file: str) -> None:
    assert codes({**BASE, file: patch}) == []


def test_the_version_of_a_patch_is_not_reported_if_its_kustomization_is_elsewhere() -> None:
    assert codes({"patches/webhookcainjection_patch.yaml": INJECTION}) == []


def test_a_complete_object_that_no_kustomization_lists_may_be_applied_by_hand() -> None:
    assert codes({**BASE, "default/ingress.yaml": WHOLE}) == ["CNF016"]


def test_a_listed_patch_is_checked() -> None:
    listed = "resources: [base.yaml]\npatches: [{path: webhookcainjection_patch.yaml}]\n"
    files = {**BASE, "default/kustomization.yaml": listed, "default/webhookcainjection_patch.yaml": INJECTION}
    assert codes(files) == ["CNF016", "CNF016"]


@for_each(
    ("reference", "key", "expected"),
    [
        ("apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: default", "karpenter.sh/capacity-type", []),
        ("kind: EC2NodeClass, name: default", "karpenter.sh/capacity-type", []),
        ("name: default", "karpenter.k8s.aws/instance-category", []),
        (
            "apiVersion: karpenter.azure.com/v1alpha2, kind: AKSNodeClass, name: default",
            "karpenter.sh/capacity-type",
            ["CNF016"],
        ),
        ("name: default", "karpenter.azure.com/sku-family", ["CNF016"]),
        ("name: default", "karpenter.sh/capacity-type", ["CNF016"]),
    ],
)
def test_what_the_karpenter_of_another_cloud_serves_is_unknown(reference: str, key: str, expected: list[str]) -> None:
    assert codes({"pool.yaml": POOL.replace("REFERENCE", reference).replace("KEY", key)}) == expected


GPUS = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec: {template: {spec: {containers: [{name: NAME, resources: {limits: {nvidia.com/gpu: 1}}}]}}}
"""
CHAT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec: {containers: [{name: main, IMAGE}]}
"""
WHOLE_CHAT = CHAT.replace("IMAGE", "image: a:1")
SET_IMAGE = GPUS.replace("NAME, resources: {limits: {nvidia.com/gpu: 1}}", "main, image: a:1")
PATCHED = "resources: [base.yaml]\npatches: [{path: gpus.yaml}]\n"


@for_each(
    ("files", "found"),
    [
        ({"a.yaml": CHAT.replace("IMAGE", "args: [a]")}, True),
        ({"default/patches/gpus.yaml": GPUS.replace("NAME", "main")}, False),
        ({"kustomization.yaml": PATCHED, "base.yaml": WHOLE_CHAT, "gpus.yaml": GPUS.replace("NAME", "main")}, False),
        ({"kustomization.yaml": PATCHED, "base.yaml": WHOLE_CHAT, "gpus.yaml": GPUS.replace("NAME", "chat")}, True),
        ({"kustomization.yaml": PATCHED, "base.yaml": CHAT.replace("IMAGE", ""), "gpus.yaml": SET_IMAGE}, False),
    ],
)
def test_a_container_needs_an_image_after_all_patches(files: dict[str, str], found: bool) -> None:
    assert ("POD110" in codes(files)) is found
