"""docs/troubleshooting.md: the error messages that people paste, from catalog/symptoms."""

from collections.abc import Iterator

from gitgpu.model.symptoms import Symptom
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tools.rule_pages import known

_GROUPS = {
    "pods": "Pods that do not start: events of kube-scheduler and the kubelet",
    "nodes": "Nodes that do not start, or stay: events and conditions of Karpenter",
    "azure": "Azure refuses a machine: capacity and quota",
    "driver": "No GPU on the node: the driver, CUDA, NVML, the device plugin",
    "containers": "Containers that do not start: containerd",
    "scaling": "Replicas that stay: KEDA and the HorizontalPodAutoscaler",
    "delivery": "Manifests that do not arrive: Flux and Argo CD",
    "queues": "Jobs that wait: Kueue",
    "models": "Model servers and NCCL",
}
_INTRO = """\
# Troubleshooting

Each heading on this page is a text as it is printed, without the parts that differ. Search the page for your message,
or paste it:

```sh
gitgpu rule list '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.'
```

If you have the manifests, these commands find most of the causes:

```sh
gitgpu lint clusters/ apps/                                  # faults in any manifests
gitgpu simulate --pools clusters/ --workloads apps/          # which node each pod would get, or why none
```
"""


def troubleshooting() -> str:
    """The page."""
    parts = [_INTRO, *(f"- [{title}](#{_anchor(title)})" for title in _GROUPS.values())]
    for group, title in _GROUPS.items():
        parts.append(f"\n## {title}\n")
        parts += [_entry(symptom) for symptom in known() if symptom.group == group]
    return "\n".join(parts)


def _entry(symptom: Symptom) -> str:
    """A symptom, with an anchor that stays when its text changes."""
    commands = "\n".join(symptom.commands)
    rules = f"Rules: {', '.join(_links(symptom))}.\n\n" if symptom.rules else ""
    sources = ", ".join(f"[{source.rpartition('/')[2] or source}]({source})" for source in symptom.sources)
    where = f"{symptom.printed[0].upper()}{symptom.printed[1:]}."
    if symptom.also:
        where += f" Also printed as {', '.join(f'`{text}`' for text in symptom.also)}."
    if symptom.reasons:
        where += f" Its reason or error code is {', '.join(f'`{reason}`' for reason in symptom.reasons)}."
    return (
        f'<a id="{symptom.name}"></a>\n\n### `{symptom.text}`\n\n{where}\n\n**Cause:** {symptom.cause}\n\n'
        f"**What to do:** {symptom.remedy}\n\n```sh\n{commands}\n```\n\n{rules}Source: {sources}\n"
    )


def _links(symptom: Symptom) -> Iterator[str]:
    summaries = {rule.code: rule.name for rule in fleet_rules()} | {rule.code: rule.name for rule in object_rules()}
    for code in symptom.rules:
        yield f"[{code} {summaries[code]}](reference/rules/{code}.md)"


def _anchor(title: str) -> str:
    """The anchor that GitHub gives to a heading."""
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -")
    return kept.replace(" ", "-")
