package main

import (
	"encoding/json"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// Line is a line of a file of cases, of edits, or of states.
type Line struct {
	Case     json.RawMessage `json:"case,omitempty"`
	Verdicts [][]Verdict     `json:"verdicts,omitempty"`
	Edit     json.RawMessage `json:"edit,omitempty"`
	Drift    *Drift          `json:"drift,omitempty"`
	NodePool json.RawMessage `json:"nodepool,omitempty"`
	NotReady *string         `json:"notReady,omitempty"`
	State    json.RawMessage `json:"state,omitempty"`
	Objects  []any           `json:"objects,omitempty"`
}

// Case is what is on the cluster before Karpenter looks at it.
//
// Pods are in order of creation, one second apart. A pod with spec.nodeName runs on a node of Nodes already. A node with a
// deletionTimestamp is being drained. Others are Namespaces, RuntimeClasses and objects of storage.
type Case struct {
	Name        string              `json:"name"`
	Region      string              `json:"region"`
	NodeClasses []NodeClass         `json:"nodeclasses"`
	NodePools   []*karpv1.NodePool  `json:"nodepools"`
	DaemonSets  []*appsv1.DaemonSet `json:"daemonsets"`
	Nodes       []*corev1.Node      `json:"nodes,omitempty"`
	Others      []json.RawMessage   `json:"others,omitempty"`
	Pods        []*corev1.Pod       `json:"pods"`
}

// NodeClass is the part of an AKSNodeClass that decides which sizes a NodePool may use and what these have.
type NodeClass struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		ImageFamily       string `json:"imageFamily"`
		OSDiskSizeGB      int64  `json:"osDiskSizeGB"`
		MaxPods           int64  `json:"maxPods"`
		FIPSMode          string `json:"fipsMode"`
		GPU               struct{ Mode string }
		Security          struct{ EncryptionAtHost bool }
		ArtifactStreaming struct{ Enabled bool }
	} `json:"spec"`
}

// Verdict is where a pod went. Without OK it got no node and the rest is null; Node is the name of a node of the case.
type Verdict struct {
	Pod  string  `json:"pod"`
	OK   bool    `json:"ok"`
	Pool *string `json:"pool"`
	SKU  *string `json:"sku"`
	Zone *string `json:"zone"`
	Spot *bool   `json:"spot"`
	Node string  `json:"node,omitempty"`
}

func readCase(raw json.RawMessage) (*Case, error) {
	found := &Case{}
	if err := json.Unmarshal(raw, found); err != nil {
		return nil, fmt.Errorf("a case cannot be read: %w", err)
	}
	return found, nil
}

// waits tells whether a pod needs a node: it is pending, or its node is being drained.
func (c *Case) waits(pod *corev1.Pod) bool {
	return pod.Spec.NodeName == "" || slices.ContainsFunc(c.Nodes, func(node *corev1.Node) bool {
		return node.Name == pod.Spec.NodeName && node.DeletionTimestamp != nil
	})
}

// nodeClass is the node class of a name with the defaults of its definition; nil if there is none.
func (c *Case) nodeClass(name string) *NodeClass {
	for _, one := range c.NodeClasses {
		if one.Metadata.Name == name {
			found := one
			found.Spec.ImageFamily = or(one.Spec.ImageFamily, "Ubuntu")
			found.Spec.OSDiskSizeGB = or(one.Spec.OSDiskSizeGB, 128)
			found.Spec.MaxPods = or(one.Spec.MaxPods, 250) // of Azure CNI Overlay
			found.Spec.GPU.Mode = or(one.Spec.GPU.Mode, "Driver")
			return &found
		}
	}
	return nil
}

func or[T comparable](value, otherwise T) T {
	var none T
	if value == none {
		return otherwise
	}
	return value
}
