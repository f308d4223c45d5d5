package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"

	"github.com/awslabs/operatorpkg/status"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/scheduling"
	"sigs.k8s.io/karpenter/pkg/utils/resources"
)

// cloud is the part of a provider that Karpenter's scheduler asks. The methods that no scheduler calls are those of the
// interface that it embeds, and panic.
type cloud struct {
	cloudprovider.CloudProvider
	types map[string][]*cloudprovider.InstanceType // by name of the node class
}

func newCloud(facts *Facts, given *Case) (*cloud, error) {
	if _, ok := facts.Regions[given.Region]; !ok {
		return nil, fmt.Errorf("case %s: no facts of region %q", given.Name, given.Region)
	}
	found := &cloud{types: map[string][]*cloudprovider.InstanceType{}}
	for _, one := range given.NodeClasses {
		name := one.Metadata.Name
		found.types[name] = facts.instanceTypes(given.Region, given.nodeClass(name))
	}
	return found, nil
}

// GetInstanceTypes are the sizes that a NodePool may use.
func (c *cloud) GetInstanceTypes(_ context.Context, pool *karpv1.NodePool) ([]*cloudprovider.InstanceType, error) {
	found, ok := c.types[pool.Spec.Template.Spec.NodeClassRef.Name]
	if !ok {
		return nil, fmt.Errorf("no AKSNodeClass %s", pool.Spec.Template.Spec.NodeClassRef.Name)
	}
	return slices.Clone(found), nil
}

// GetSupportedNodeClasses are the kinds of node classes of the provider.
func (c *cloud) GetSupportedNodeClasses() []status.Object {
	found := &nodeClassKind{}
	found.SetGroupVersionKind(schema.GroupVersionKind{
		Group: "karpenter.azure.com", Version: "v1beta1", Kind: "AKSNodeClass",
	})
	return []status.Object{found}
}

type nodeClassKind struct{ unstructured.Unstructured }

func (n *nodeClassKind) GetConditions() []status.Condition { return nil }

func (n *nodeClassKind) SetConditions([]status.Condition) {}

func (n *nodeClassKind) StatusConditions(...status.ForOption) status.ConditionSet {
	return status.ConditionSet{}
}

// launched is the size and the offering that a NodeClaim becomes.
type launched struct {
	size     *cloudprovider.InstanceType
	offering *cloudprovider.Offering
}

// launch chooses as resolveInstanceTypes of pkg/cloudprovider and pkg/providers/allocationstrategy of
// Azure/karpenter-provider-azure do: the least price, then spot, then a zone, then the name; zones in random order.
func (c *cloud) launch(claim *karpv1.NodeClaim) *launched {
	found := c.offered(claim)
	if len(found) == 0 {
		return nil
	}
	rand.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	return &slices.SortedStableFunc(slices.Values(found), launched.compare)[0]
}

// offered is everything that a NodeClaim may become.
func (c *cloud) offered(claim *karpv1.NodeClaim) []launched {
	wanted := scheduling.NewNodeSelectorRequirementsWithMinValues(claim.Spec.Requirements...)
	var found []launched
	for _, one := range c.types[claim.Spec.NodeClassRef.Name] {
		if wanted.Compatible(one.Requirements, scheduling.AllowUndefinedWellKnownLabels) != nil ||
			!resources.Fits(claim.Spec.Resources.Requests, one.Allocatable()) {
			continue
		}
		for _, offering := range one.Offerings.Compatible(wanted).Available() {
			found = append(found, launched{one, offering})
		}
	}
	return found
}

func (l launched) compare(other launched) int {
	return cmp.Or(
		cmp.Compare(l.offering.Price, other.offering.Price),
		-cmp.Compare(l.offering.CapacityType(), other.offering.CapacityType()), // "spot" is before "on-demand"
		-cmp.Compare(l.label(azure+"placement-scope"), other.label(azure+"placement-scope")),
		cmp.Compare(l.size.Name, other.size.Name),
	)
}

func (l launched) label(key string) string {
	return l.offering.Requirements.Get(key).Any()
}

// labels are those of a NodeClaim that has become this: of the size, of the offering, of what the NodeClaim leaves one
// value to, and its own.
func (l launched) labels(claim *karpv1.NodeClaim) map[string]string {
	found := map[string]string{}
	wanted := scheduling.NewNodeSelectorRequirementsWithMinValues(claim.Spec.Requirements...)
	for key := range wanted {
		if !strings.HasPrefix(key, azure) && !strings.HasPrefix(key, aks) {
			delete(wanted, key)
		}
	}
	for _, wanted := range []scheduling.Requirements{l.size.Requirements, l.offering.Requirements, wanted} {
		for key, one := range wanted {
			if one.Operator() == corev1.NodeSelectorOpIn && one.Len() == 1 {
				found[key] = one.Any()
			}
		}
	}
	maps.Copy(found, claim.Labels)
	return found
}

// IsDrifted is what the provider finds of a node class that does not change.
func (c *cloud) IsDrifted(context.Context, *karpv1.NodeClaim) (cloudprovider.DriftReason, error) {
	return "", nil
}
