"""Phrases that gitgpu does not use, terms that have one spelling, and exceptions."""

import re
from collections.abc import Mapping
from typing import NamedTuple

_BE = r"(?:is|are|was|were|be)"
# What differs, rather than one more of a kind. It does not mean "one of the others", as in "another pool".
_OF_ITS_OWN = (
    r"(?:name|value|version|key|kind|order|spelling|architecture|hash|root|provisioner|machine|separator|parameter|"
    r"attribute|path|owner|operating system|OS|number|subnet|type|currency)"
)
_WITH = r"(?:has|have|had|having|with|under|sets?|needs?|gets?|names?|keeps?|relies on|requires?|shows?)"
_NOW = (
    r"(?:binds|served|remove it|change the pool|an effect|imports? them|"
    r"(?:job|workers?|processes)(?: without it)? starts?)"
)
_PARTS = r"(?:keys?|objects?|lines?|values?|patches|files?|documents?|settings?)"


class Phrases(NamedTuple):
    """Compiled patterns, each with what to write instead, and a pattern that finds whether a text has any of them."""

    each: tuple[tuple[re.Pattern[str], str], ...]
    any: re.Pattern[str]


def _patterns(rows: Mapping[str, str], flags: re.RegexFlag) -> Phrases:
    """A space in a phrase matches any whitespace."""
    spaced = {re.sub(r"(?<![\s=!]) (?!\))", " +", row): instead for row, instead in rows.items()}
    bounds = (r"(?<![\w./-])(?:", r")(?![\w/-]|\.\w)")  # not inside a path or a name with hyphens
    each = tuple((re.compile(row.join(bounds), flags), instead) for row, instead in spaced.items())
    return Phrases(each, re.compile("|".join(f"(?:{row})" for row in spaced).join(bounds), flags))


PHRASES = _patterns(
    {
        rf"(?<!there ){_BE} no(?! longer| more than| less than| later than| earlier than|-|:)": "is not a, is not",
        rf"(?<!there )(?<!driver ){_BE} (?-i:none)(?! of)": "is not one; say what is missing",
        r"(?:is |are |be |been |was |were )?told(?: of)?": "is reported, is warned about, is named",
        r"tells(?! the)": "shows, reports, says",
        r"stands(?! for)": "is",
        r"for ever": "forever, indefinitely",
        r"(?:one|some|any) of (?:its|their|his|your) own": "its own",
        r"nobody|somebody|anybody|everybody|whoever|whosoever|no one": "say who it is, or use the passive",
        r"he(?:ld|lds) against|holds? \w+ (?:\w+ )?against": "checked against",
        r"(?:of|by|without) which": "two sentences",
        r"till": "until",
        r"dear": "expensive",
        r"anew": "again",
        r"bears?|borne": "tolerate, allow, have",
        r"which it does not say": "say what is missing",
        r"lest|whence|hence|thence|thereof|therein|whereupon|thereby|thus|upon|unto|whilst|amongst": "a current word",
        r"affairs?": "responsibility, decision",
        r"hears? of|speaks? of|makes? no(?! decision| difference| sense)": "say what happens",
        r"mend(?:s|ed|ing)?": "fix",
        r"heed(?:s|ed|ing)?|unheeded": "read, follow, honour",
        r"ought|shall": "must, should",
        r"a (?:\w+ )?(?:label|key|node|pool|line|word|pod) more": "one extra ...",
        r"to be had": "available",
        r"as (?:its|their) authors? meant": "as intended",
        r"that is all": "only",
        r"none but|nothing but": "only",
        r"bids?|forgives?|suffers?|betrays?|beholds?|wishes": "a plain verb",
        r"beside": "next to, together with, in addition to",
        r"(?:registry|registries|catalogs?|labels?|rows?) of (?:your|its|their) own(?! catalog)": "your own ...",
        r"go(?:es)? together with": "is compatible with, works with",
        r"without regard to": "regardless of",
        r"white space": "whitespace",
        r"(?:small|capital) letters": "lowercase, uppercase",
        r"unwell": "unhealthy",
        r"without end|ever after": "forever",
        r"(?:leave|leaves|leaving|left) away": "remove, omit",
        r"ha(?:s|ve) no words? for": "cannot express",
        r"that (?:is|are) there already": "existing",
        r"asks? for (?:an? |\d+ |its )?(?:\w+ )?GPUs?": "requests",
        r"from (?:Kubernetes |version )?v?\d[\w.-]* on(?! the)": "since, and later",
        r"(?:leaves?|leaving|left) out": "omit, skip, exclude",
        r"excludes? each other": "are mutually exclusive",
        r"whatever (?:the|its|their|it)": "regardless of",
        r"any more": "no longer",
        r"\d+ %": "70%, without a space",
        r"(?:setting|patch|patches|exporter|component) of gitgpu": "a gitgpu setting",
        r"(?:node )?pools? of AKS|API server of AKS": "AKS node pools, the AKS API server",
        r"releases? of (?:Karpenter|KAITO|KEDA)(?! for|'s)": "a Karpenter release",
        rf"{_WITH} another {_OF_ITS_OWN}": "a different ...",
        r"(?:all|existing) nodes stay(?! until| cordoned| in| on)|its nodes stay as they are": "no node is replaced",
        r"(?:the|with|has) (?:MIG )?strategy (?:single|mixed)": "the single strategy",
        r"(?:condition Ready|state Running)(?! of)": "the Ready condition, the Running state",
        r"(?:starts|gets?) no nodes?": "does not start a node, does not get a node",
        r"(?<!been )since (?:Kubernetes |Karpenter |Flux |KEDA |version )?v?\d{1,2}(?:\.\w+)*(?!\d|-)": "as of",
        rf"{_NOW} at once": "immediately",
        rf"{_PARTS} of the spec(?! language)": "in the spec",
    },
    re.IGNORECASE,
)

TERMS = _patterns(
    {
        r"[Aa]rgoCD|Argo-CD": "Argo CD",
        r"FluxCD|Flux CD": "Flux",
        r"GPU operator|gpu operator": "GPU Operator",
        r"Prometheus operator": "Prometheus Operator",
        r"[Tt]ime slicing|[Tt]imeslicing": "time-slicing",
        r"[Tt]ime sliced|[Tt]imesliced": "time-sliced",
        r"DCGM Exporter|DCGM-[Ee]xporter|dcgm exporter": "DCGM exporter",
        r"Device Plugin": "device plugin",
        r"Infiniband|infiniband": "InfiniBand",
        r"Container Insights": "Container insights",
        r"Kaito": "KAITO",
        r"Keda": "KEDA",
        r"daemonsets?|Daemonsets?|daemon sets?": "DaemonSet",
        r"configmaps?|Configmaps?|config maps?": "ConfigMap",
        r"(?<!aks )(?:nodepools?|Nodepools?)": "node pool (AKS) or NodePool (Karpenter)",
        r"nodeclass(?:es)?": "AKSNodeClass or node class",
        r"resource claims?": "ResourceClaim",
        r"[Pp]re-emptible|[Pp]reemptible": "spot",
        r"Github": "GitHub",
    },
    re.NOFLAG,
)

# (file, phrase as it is printed): why it stays
ALLOWED: Mapping[tuple[str, str], str] = {
    ("catalog/alerts/amd-metrics-incomplete.yaml", "leaves out"): "another text would change an alert on every cluster",
    ("catalog/agents/ama-logs.yaml", "since Kubernetes 1.20"): "the present perfect",
    ("catalog/conditions/gpu-missing.yaml", "with another machine"): "another text would change an alert on clusters",
    ("docs/how-to/container-insights.md", "since Kubernetes 1.20"): "the present perfect",
    ("gitgpu/emit/pages/automatic_commands.py", "with another name"): "another text would change overlays",
    ("gitgpu/rules/fleet/sharing/experimental_mps.py", "since 0.15.0"): "the present perfect",
    ("gitgpu/emit/kinds/node_problem_detector.py", "tells"): "another text would restart a DaemonSet on every cluster",
    ("gitgpu/emit/pages/gpu_health.py", "unwell"): "a script that others may read the output of",
}
