"""Pods of two DaemonSets that must not run on a node at the same time."""

from collections.abc import Mapping

from gitgpu.emit.emitter import Body
from gitgpu.model.names.labels import HOSTNAME_LABEL


def after(labels: Mapping[str, str]) -> Body:
    """The affinity of a pod that starts on a node only when a pod with these labels, in its namespace, has ended there.

    The kubelet knows device plugins by their resource: if one registers while another of the same resource runs, the
    end of the other makes its devices unhealthy, until it starts again. Flux creates new objects before it deletes old
    ones. See runClient in
    https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/kubelet/cm/devicemanager/plugin/v1beta1/handler.go and
    PluginDisconnected in ../../manager.go.
    """
    term = {"labelSelector": {"matchLabels": dict(labels)}, "topologyKey": HOSTNAME_LABEL}
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
