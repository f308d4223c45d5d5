"""Messages about values that are empty."""

from tests.helping.cases import for_each
from tests.rules.objects.samples import bad_example, conformed


@for_each(
    ("code", "old", "new", "part"),
    [
        ("NAM001", "matchLabels: {app: dcgm-exporter}", 'matchLabels: {app: ""}', 'requires app: "", but'),
        ("QUE023", "karpenter.sh/nodepool: a10}", 'karpenter.sh/nodepool: ""}', 'karpenter.sh/nodepool: "", so'),
    ],
)
def test_a_label_without_a_value(code: str, old: str, new: str, part: str) -> None:
    text = bad_example(code)
    assert old in text
    assert any(part in finding.message for finding in conformed(text.replace(old, new)) if finding.code == code)


def test_a_configuration_without_layouts() -> None:
    text = bad_example("SHR011")
    text = text[: text.index("              halves:")] + "              {}\n"
    [finding] = [finding for finding in conformed(text) if finding.code == "SHR011"]
    assert finding.help == "add the layout to the configuration of the MIG manager"
