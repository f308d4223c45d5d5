//go:build !karpenter_1_14_3

package main

import (
	"context"
	"encoding/json"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// Named names an object.
type Named struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Change is a merge patch of an object and of its status.
type Change struct {
	Named
	Patch json.RawMessage `json:"patch"`
}

// joinAll makes the nodes of launched NodeClaims that have none, with the taints that Azure's provider starts them with.
func (c *controllers) joinAll(ctx context.Context, kubelet *Kubelet) error {
	claims, err := list[karpv1.NodeClaim](ctx, c, &karpv1.NodeClaimList{})
	if err != nil {
		return err
	}
	for _, claim := range claims {
		id := claim.Status.ProviderID
		name := id[strings.LastIndex(id, "/")+1:]
		if id == "" || c.client.Get(ctx, clientKey(name), &corev1.Node{}) == nil {
			continue
		}
		node := kubelet.node(claim, name, metav1.NewTime(c.clock.Now()))
		if err := c.client.Create(ctx, node); err != nil {
			return err
		}
	}
	return nil
}

// runAllDaemons is what the controller of DaemonSets does: a pod on every node whose taints it tolerates.
func (c *controllers) runAllDaemons(ctx context.Context) error {
	nodes, err := list[corev1.Node](ctx, c, &corev1.NodeList{})
	if err != nil {
		return err
	}
	for _, node := range nodes {
		if node.DeletionTimestamp == nil {
			if err := c.runDaemons(ctx, node); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k *Kubelet) node(claim *karpv1.NodeClaim, name string, now metav1.Time) *corev1.Node {
	labels := maps.Clone(claim.Labels)
	maps.Copy(labels, map[string]string{
		corev1.LabelHostname: name, corev1.LabelOSStable: "linux", corev1.LabelArchStable: "amd64",
	})
	ready := corev1.NodeCondition{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady",
		Message: "kubelet is posting ready status", LastTransitionTime: now, LastHeartbeatTime: now,
	}
	if k.Silent {
		ready.Status, ready.Reason, ready.Message = corev1.ConditionFalse, "KubeletNotReady", "container runtime network not ready"
	}
	taints := append([]corev1.Taint{karpv1.UnregisteredNoExecuteTaint}, claim.Spec.Taints...)
	taints = append(taints, claim.Spec.StartupTaints...)
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec:       corev1.NodeSpec{ProviderID: claim.Status.ProviderID, Taints: append(taints, k.Taints...)},
		Status: corev1.NodeStatus{
			Capacity: k.has(claim.Status.Capacity), Allocatable: k.has(claim.Status.Allocatable),
			Conditions: []corev1.NodeCondition{ready},
			NodeInfo: corev1.NodeSystemInfo{
				KubeletVersion: "v1.34.1", OperatingSystem: "linux", Architecture: "amd64",
				OSImage: "Ubuntu 22.04.5 LTS", ContainerRuntimeVersion: "containerd://1.7.29-1",
			},
		},
	}
}

// has is what the kubelet reports of the resources of its size: extended resources only once they are registered.
func (k *Kubelet) has(of corev1.ResourceList) corev1.ResourceList {
	found := corev1.ResourceList{}
	for name, amount := range of {
		if !strings.Contains(string(name), "/") {
			found[name] = amount
		}
	}
	maps.Copy(found, k.Resources)
	return found
}

// change patches an object as its owner does: a node as its kubelet, a NodePool as its user.
func (c *controllers) change(ctx context.Context, change *Change) error {
	object, err := c.get(ctx, change.Named)
	if err != nil {
		return err
	}
	patch := client.RawPatch(types.MergePatchType, change.Patch)
	if err := c.client.Patch(ctx, object, patch); err != nil {
		return err
	}
	parts := map[string]json.RawMessage{}
	if err := json.Unmarshal(change.Patch, &parts); err != nil || parts["status"] == nil || !hasStatus(object) {
		return err
	}
	return c.client.Status().Patch(ctx, object, patch)
}

func (c *controllers) remove(ctx context.Context, named *Named) error {
	object, err := c.get(ctx, *named)
	if err != nil {
		return err
	}
	return c.client.Delete(ctx, object)
}

func (c *controllers) get(ctx context.Context, named Named) (client.Object, error) {
	object, err := empty(named.Kind)
	if err != nil {
		return nil, err
	}
	return object, c.client.Get(ctx, client.ObjectKey{Namespace: named.Namespace, Name: named.Name}, object)
}

func (c *controllers) createOther(ctx context.Context, raw json.RawMessage) error {
	objects, err := readObjects([]json.RawMessage{raw})
	if err != nil {
		return err
	}
	if pod, ok := objects[0].(*corev1.Pod); ok {
		return c.create(ctx, pod, 0)
	}
	return c.client.Create(ctx, objects[0])
}
