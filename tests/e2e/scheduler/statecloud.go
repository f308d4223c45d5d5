//go:build !karpenter_1_14_3

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/awslabs/operatorpkg/status"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

const machines = "azure:///subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mc/providers/Microsoft.Compute/virtualMachines/"

// errAzure is an error of Azure that its provider does not classify.
var errAzure = errors.New("creating instance")

// Refusal is how Azure answers requests for a size, for every size if Size is empty.
//
// Kind is that of the error which Azure's provider makes of it: "create" with a reason of its own, "capacity",
// "class" or "" for one that it does not classify. SIZE, ZONE and CAPACITY in the message stand for what was asked for.
type Refusal struct {
	Kind    string `json:"kind"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Size    string `json:"size"`
	Zone    string `json:"zone"`
}

// azureCloud is a cloud that starts VMs, and refuses some.
type azureCloud struct {
	*cloud
	refusals  []Refusal
	instances map[string]*karpv1.NodeClaim // by provider ID
}

func (a *azureCloud) Name() string { return "azure" }

func (a *azureCloud) RepairPolicies() []cloudprovider.RepairPolicy { return nil }

// GetInstanceTypes are new values every time, because a value keeps the first answer about its offerings.
func (a *azureCloud) GetInstanceTypes(ctx context.Context, pool *karpv1.NodePool) ([]*cloudprovider.InstanceType, error) {
	given, err := a.cloud.GetInstanceTypes(ctx, pool)
	var found []*cloudprovider.InstanceType
	for _, one := range given {
		found = append(found, one.DeepCopy())
	}
	return found, err
}

// GetSupportedNodeClasses are the kinds of node classes of the provider, with their conditions.
func (a *azureCloud) GetSupportedNodeClasses() []status.Object {
	found := &nodeClassState{}
	found.SetGroupVersionKind(classKind)
	return []status.Object{found}
}

var classKind = schema.GroupVersionKind{Group: "karpenter.azure.com", Version: "v1beta1", Kind: "AKSNodeClass"}

// nodeClassState is an AKSNodeClass with its conditions.
type nodeClassState struct{ unstructured.Unstructured }

func (n *nodeClassState) GetConditions() []status.Condition {
	found := struct {
		Status struct{ Conditions []status.Condition }
	}{}
	text, err := json.Marshal(n.Object)
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return found.Status.Conditions
}

func (n *nodeClassState) SetConditions([]status.Condition) {}

func (n *nodeClassState) StatusConditions(options ...status.ForOption) status.ConditionSet {
	return status.NewReadyConditions().For(n, append(options, status.WithObservedOnly())...)
}

func readClass(raw json.RawMessage) (*unstructured.Unstructured, error) {
	found := &unstructured.Unstructured{}
	if err := json.Unmarshal(raw, &found.Object); err != nil {
		return nil, err
	}
	found.SetGroupVersionKind(classKind)
	return found, nil
}

// Create starts a VM, or fails as Azure's provider does. What was refused is not tried again.
func (a *azureCloud) Create(_ context.Context, claim *karpv1.NodeClaim) (*karpv1.NodeClaim, error) {
	offered := a.offered(claim)
	if len(offered) == 0 {
		return nil, cloudprovider.NewInsufficientCapacityError(errors.New("all requested instance types were unavailable during launch"))
	}
	// The first zone, not one at random: a state is the same in every run.
	chosen := &slices.SortedStableFunc(slices.Values(offered), launched.compare)[0]
	for _, refusal := range a.refusals {
		if refusal.answers(chosen) {
			refusal.remember(chosen)
			return nil, refusal.err(chosen)
		}
	}
	created := claim.DeepCopy()
	created.Labels = chosen.labels(claim)
	created.Status.ProviderID = machines + "aks-" + claim.Name
	created.Status.Capacity, created.Status.Allocatable = chosen.size.Capacity, chosen.size.Allocatable()
	a.instances[created.Status.ProviderID] = created
	return created, nil
}

func (r *Refusal) answers(chosen *launched) bool {
	return (r.Size == "" || r.Size == chosen.size.Name) && (r.Zone == "" || r.Zone == chosen.offering.Zone())
}

func (r *Refusal) remember(chosen *launched) {
	if r.Kind != "create" {
		return
	}
	for _, offering := range chosen.size.Offerings {
		if r.Zone == "" || offering.Zone() == r.Zone {
			offering.Available = false
		}
	}
}

func (r *Refusal) err(chosen *launched) error {
	message := strings.NewReplacer(
		"SIZE", chosen.size.Name, "ZONE", chosen.offering.Zone(), "CAPACITY", chosen.offering.CapacityType(),
	).Replace(r.Message)
	switch r.Kind {
	case "create":
		return cloudprovider.NewCreateError(fmt.Errorf("creating instance failed, %s", message), r.Reason, message)
	case "capacity":
		return cloudprovider.NewInsufficientCapacityError(errors.New(message))
	case "class":
		return cloudprovider.NewNodeClassNotReadyError(errors.New(message))
	default:
		return fmt.Errorf("%w, %s", errAzure, message)
	}
}

// Delete starts the deletion of a VM; it is gone when it is asked for again.
func (a *azureCloud) Delete(_ context.Context, claim *karpv1.NodeClaim) error {
	if _, ok := a.instances[claim.Status.ProviderID]; !ok {
		return cloudprovider.NewNodeClaimNotFoundError(errors.New("the VM is gone"))
	}
	delete(a.instances, claim.Status.ProviderID)
	return nil
}

func (a *azureCloud) Get(_ context.Context, id string) (*karpv1.NodeClaim, error) {
	found, ok := a.instances[id]
	if !ok {
		return nil, cloudprovider.NewNodeClaimNotFoundError(errors.New("the VM is gone"))
	}
	return found.DeepCopy(), nil
}

func (a *azureCloud) List(context.Context) ([]*karpv1.NodeClaim, error) {
	var found []*karpv1.NodeClaim
	for _, one := range a.instances {
		found = append(found, one.DeepCopy())
	}
	slices.SortFunc(found, func(a, b *karpv1.NodeClaim) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

// Kubelet is what a kubelet reports when it joins: the extended resources that are registered, and taints of its own.
// Silent kubelets are not Ready.
type Kubelet struct {
	Resources corev1.ResourceList `json:"resources"`
	Taints    []corev1.Taint      `json:"taints"`
	Silent    bool                `json:"silent"`
}
