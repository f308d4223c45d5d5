"""Operators and effects of tolerations that API servers up to 1.36 accept."""

from tests.helping.cases import for_each
from tests.rules.objects.samples import conformed

POD = """
apiVersion: v1
kind: Pod
metadata: {{name: trainer, namespace: research}}
spec:
  containers: [{{name: main, image: "train:1"}}]
  tolerations: [{toleration}]
"""


def reported(toleration: str) -> list[tuple[str, str]]:
    """The message and remedy of each finding about a toleration."""
    return [
        (finding.message, finding.help)
        for finding in conformed(POD.format(toleration=toleration))
        if finding.code == "POD010"
    ]


@for_each("operator", ["Gt", "Lt", "In", "NotIn"])
def test_an_operator_that_is_not_supported(operator: str) -> None:
    """Operators that compare numbers need a feature gate that is off by default."""
    toleration = f'{{key: age, operator: {operator}, value: "5", effect: NoExecute}}'
    assert reported(toleration) == [(f"unknown operator '{operator}' in a toleration", "use one of: Equal, Exists")]


@for_each(
    ("toleration", "remedies"),
    [
        ("{key: sku, operator: exists}", ["use Exists"]),
        ("{key: sku, operator: equal, value: gpu}", ["use Equal"]),
        ("{key: sku, operator: Exists, effect: noschedule}", ["use NoSchedule"]),
        ("{key: sku, operator: Exists, effect: Never}", ["use one of: NoSchedule, PreferNoSchedule, NoExecute"]),
        ("{key: sku, operator: Exists, value: gpu}", ["remove the value, or set operator: Equal"]),
        ("{value: gpu}", ["add a key"]),
        ("{key: a b, operator: Exists}", ["copy the key of the taint from the NodePool"]),
        ("{key: sku, value: a b}", ["copy the value of the taint from the NodePool"]),
        (
            "{key: sku, operator: Exists, effect: NoSchedule, tolerationSeconds: 5}",
            ["remove it: other effects do not evict pods"],
        ),
        ("{key: sku, operator: Exists, effect: NoExecute, tolerationSeconds: 0}", []),
        ("{key: sku, operator: Exists}", []),
        ("{key: sku, operator: Equal}", []),
        ("{key: sku, value: gpu, effect: PreferNoSchedule}", []),
        ("{operator: Exists}", []),
    ],
)
def test_each_rejected_toleration_has_a_remedy(toleration: str, remedies: list[str]) -> None:
    assert [remedy for _, remedy in reported(toleration)] == remedies
