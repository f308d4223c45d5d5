"""The count of one rule about other pods: how many of the selected pods are on each value of a label."""

from collections.abc import Iterable, Mapping, Sequence

from gitgpu.model.names.labels import HOSTNAME_LABEL, NODEPOOL_LABEL
from gitgpu.model.syntax.requirement import Requirement, clash, undefined_key
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.place.fit import by_key, repelling_taints
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.pod.label_selectors import Counted, Kind, Labelled, Rule
from gitgpu.simulate.pod.shape import Shape

_NO_ZONE = "0"  # the zone label of a node outside the zones: any zone is preferred to it


class TopologyGroup:
    """The values of a label and the pods on each. `shape` is the first pod with the rule; its node filter applies."""

    def __init__(self, rule: Rule, shape: Shape) -> None:
        self.rule, self._shape = rule, shape
        self.pods: dict[str, int] = {}
        self._total = 0
        terms = rule.counted.terms if rule.counted else ()
        self._terms = [by_key(term) for term in terms]
        self._known: dict[tuple[int, frozenset[Requirement]], bool] = {}

    @property
    def can_reopen(self) -> bool:
        """Whether a value that is closed to a pod may be open again later."""
        rule = self.rule
        return rule.kind is Kind.TOGETHER or (rule.kind is Kind.SPREAD and rule.key != HOSTNAME_LABEL)

    def counts(self, claim: NodeClaim) -> bool:
        """Whether pods on this node count."""
        counted = self.rule.counted
        if counted is None:
            return True
        key = (id(claim.group), claim.sort)
        if key not in self._known:
            self._known[key] = self._counts(claim, counted)
        return self._known[key]

    def count(self, values: Iterable[str], pods: int) -> None:
        """Adds pods that may be on each of these values."""
        for value in values:
            self.pods[value] = self.pods.get(value, 0) + pods
            self._total += pods

    def record(self, claim: NodeClaim) -> None:
        """Adds one pod. If its value is not settled, it counts only for anti-affinity, under each listed value."""
        key, values = self.rule.key, values_of(claim, self.rule.key)
        is_settled = len(values) == 1 and (key == HOSTNAME_LABEL or not claim.wants[key].complement)
        # As upstream, anti-affinity reads the values of NotIn like those of In: Record in topology.go.
        if is_settled or self.rule.kind is Kind.APART:
            self.count(values, 1)

    def takes_host(self, host: str, shape: Shape) -> bool:
        """Whether the rule allows the pod on this node. A new node is always possible, so the smallest count is 0."""
        rule, pods = self.rule, self.pods.get(host, 0)
        if rule.kind is Kind.SPREAD:
            return pods + self._itself(shape) <= rule.skew
        if rule.kind is Kind.APART:
            return pods == 0
        return pods > 0 or (bool(self._itself(shape)) and not self._total)

    def open(self, shape: Shape, node: Requirement | None) -> tuple[list[str], bool]:
        """The values that the rule allows on a node, best first, and whether the node must take only one of them."""
        required = shape.musts.get(self.rule.key)
        # Upstream walks a Go map here, whose order is random. A fixed order makes runs repeatable.
        values = [value for value in sorted(self.pods, key=_order) if node is None or node.takes(value)]
        if self.rule.kind is Kind.SPREAD:
            return self._even(shape, values, required), True
        if self.rule.kind is Kind.APART:
            return [value for value in values if not self.pods[value]], False
        if not self._itself(shape) or any(self.pods[value] for value in self._allowed(required)):
            return [value for value in values if self.pods[value]], False
        return values, True  # the first pod that matches its own affinity may go anywhere, as in kube-scheduler

    def _even(self, shape: Shape, values: list[str], required: Requirement | None) -> list[str]:
        """Those of the values that keep the spread within maxSkew and have the fewest pods."""
        # With the new pod, if the rule counts it, a value may have at most maxSkew pods more than the emptiest value.
        maximum = self._minimum(required) + self.rule.skew - self._itself(shape)
        even = [value for value in values if self.pods[value] <= maximum]
        fewest = min((self.pods[value] for value in even), default=0)  # Karpenter narrows to the least used values
        return [value for value in even if self.pods[value] == fewest]

    def _minimum(self, required: Requirement | None) -> int:
        """The smallest count among the values that the pod accepts, as in upstream's domainMinCount."""
        counted = self._allowed(required)
        # With fewer values than minDomains, the smallest count is taken as 0: Kubernetes defines it so.
        if len(counted) < self.rule.min_domains:
            return 0
        return min(self.pods[value] for value in counted)

    def _allowed(self, required: Requirement | None) -> list[str]:
        return [value for value in self.pods if required is None or required.takes(value)]

    def _itself(self, shape: Shape) -> int:
        return int(self.rule.selector.selects(shape.own))

    def _counts(self, claim: NodeClaim, counted: Counted) -> bool:
        if counted.by_taints and repelling_taints(self._shape, claim.group):
            return False
        if not counted.by_labels or not self._terms:
            return True
        well_known = frozenset[str]()  # elsewhere Karpenter lets a well-known label be missing, but not here
        wants = claim.wants
        return any(not clash(wants, term) and not undefined_key(wants, term, well_known) for term in self._terms)


class Domains:
    """All values that a label may have, and the pods that are already running."""

    def __init__(self, groups: Iterable[NodeGroup], bound: Sequence[NodeClaim]) -> None:
        # Pools that can start no node do not widen a spread: upstream builds its domains from NodePools.
        self._groups = [group for group in groups if group.maker is not Maker.FIXED and not group.not_ready]
        self._nodes = {(id(claim.group), claim.sort): claim for claim in bound}
        self._pods: dict[Labelled, list[tuple[NodeClaim, int]]] = {}
        for claim in bound:
            for load, shape in claim.shapes.items():
                self._pods.setdefault(shape.own, []).append((claim, claim.pods[load]))
        self._values: dict[tuple[int, str, Requirement | None], frozenset[str]] = {}

    def empty(self, rule: Rule, shape: Shape) -> TopologyGroup:
        """A count of 0 for every value that a node could have."""
        topology_group = TopologyGroup(rule, shape)
        if rule.key == HOSTNAME_LABEL:
            return topology_group
        by_taints = rule.counted is not None and rule.counted.by_taints
        for group in self._groups:
            if not (by_taints and repelling_taints(shape, group)):
                topology_group.count(self._of_group(group, rule.key), 0)
        return topology_group

    def topology_group(self, rule: Rule, shape: Shape) -> TopologyGroup:
        """A count of the pods that are already running."""
        topology_group = self.empty(rule, shape)
        for claim in self._nodes.values():
            # A host without pods needs no entry, and a cluster has many hosts.
            if rule.key != HOSTNAME_LABEL and topology_group.counts(claim):
                topology_group.count(values_of(claim, rule.key), 0)
        for own, places in self._pods.items():
            if rule.selector.selects(own):
                for claim, pods in places:
                    if topology_group.counts(claim):
                        # A running pod is in one zone, even if the labels of its node leave several open.
                        topology_group.count(values_of(claim, rule.key)[:1], pods)
        return topology_group

    def _of_group(self, group: NodeGroup, key: str) -> frozenset[str]:
        """The values that nodes of a group may have, and those that the group names although no size has them."""
        # buildDomainGroups reads requirements and template labels; Karpenter adds the name of the pool to nodes only.
        if key == NODEPOOL_LABEL and group.maker is Maker.KARPENTER:
            return frozenset()
        own = group.node.get(key)
        name = (id(group.instance_types), key, own)
        if name not in self._values:
            self._values[name] = _values(group, key, own)
        return self._values[name]


def _values(group: NodeGroup, key: str, own: Requirement | None) -> frozenset[str]:
    labels = [node_type.labels[key] for node_type in group.instance_types.types if key in node_type.labels]
    values = frozenset[str]().union(*(label.values for label in labels))
    if own is None:
        return values
    allowed = frozenset(filter(own.takes, values))
    if own.complement and labels:
        return allowed
    return allowed | own.values


def values_of(claim: NodeClaim, key: str) -> list[str]:
    """The values of a label that a node may still have, given the pods that are on it."""
    if key == HOSTNAME_LABEL:
        return [str(claim.at)]
    wanted: Mapping[str, Requirement] = claim.wants
    return sorted(wanted[key].values, key=_order) if key in wanted else []


def _order(value: str) -> tuple[bool, str]:
    return value == _NO_ZONE, value
