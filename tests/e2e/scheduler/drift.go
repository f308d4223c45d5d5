package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	requirements "sigs.k8s.io/karpenter/pkg/scheduling"
)

// Edit is a NodePool before and after somebody changes it.
type Edit struct {
	Name        string           `json:"name"`
	Region      string           `json:"region"`
	NodeClasses []NodeClass      `json:"nodeclasses"`
	Before      *karpv1.NodePool `json:"before"`
	After       *karpv1.NodePool `json:"after"`
}

// Drift is how many nodes there are, and how many of them Karpenter marks as drifted after the edit. Usual are nodes of
// every size and capacity type that start while each zone has room; Possible are those of every zone label.
type Drift struct {
	Usual    Count `json:"usual"`
	Possible Count `json:"possible"`
}

// Count counts nodes.
type Count struct {
	Nodes   int `json:"nodes"`
	Drifted int `json:"drifted"`
}

func judgeEdit(ctx context.Context, facts *Facts, raw json.RawMessage) (*Drift, error) {
	edit := &Edit{}
	if err := json.Unmarshal(raw, edit); err != nil {
		return nil, fmt.Errorf("an edit cannot be read: %w", err)
	}
	given := &Case{Name: edit.Name, Region: edit.Region, NodeClasses: edit.NodeClasses}
	given.NodePools = []*karpv1.NodePool{edit.Before}
	world, err := newWorld(ctx, facts, given)
	if err != nil {
		return nil, err
	}
	zones := []string{regional}
	for _, number := range facts.Regions[edit.Region].Zones {
		zones = append(zones, edit.Region+"-"+number)
	}
	found := &Drift{}
	if found.Usual, err = world.drifted(ctx, edit, world.made(edit.Before, nil)); err != nil {
		return nil, err
	}
	found.Possible, err = world.drifted(ctx, edit, world.made(edit.Before, zones))
	return found, err
}

// made are NodeClaims of every size and capacity type that the NodePool allows, in each of the zones if there are any.
func (w *world) made(pool *karpv1.NodePool, zones []string) []*karpv1.NodeClaim {
	var found []*karpv1.NodeClaim
	types := w.cloud.types[pool.Spec.Template.Spec.NodeClassRef.Name]
	for _, size := range types {
		for _, capacity := range []string{karpv1.CapacityTypeOnDemand, karpv1.CapacityTypeSpot} {
			wanted := map[string]string{corev1.LabelInstanceTypeStable: size.Name, karpv1.CapacityTypeLabelKey: capacity}
			if len(zones) == 0 {
				found = append(found, w.make(pool, types, wanted)...)
			}
			for _, zone := range zones {
				wanted[corev1.LabelTopologyZone] = zone
				found = append(found, w.make(pool, types, wanted)...)
			}
		}
	}
	return found
}

// make is a NodeClaim with such labels, as it is once it is launched; none if the NodePool or Azure has none.
func (w *world) make(pool *karpv1.NodePool, types []*cloudprovider.InstanceType, wanted map[string]string) []*karpv1.NodeClaim {
	template := scheduling.NewNodeClaimTemplate(pool)
	template.InstanceTypeOptions = types
	asked := requirements.NewLabelRequirements(wanted)
	if !template.Requirements.IsCompatible(asked, requirements.AllowUndefinedWellKnownLabels) {
		return nil
	}
	template.Requirements.Add(asked.Values()...)
	claim := template.ToNodeClaim()
	chosen := w.cloud.launch(claim)
	if chosen == nil {
		return nil
	}
	claim.Labels = chosen.labels(claim)
	return []*karpv1.NodeClaim{claim}
}

// drifted asks Karpenter's controller after the NodePool has changed. Its hash is written by another controller.
func (w *world) drifted(ctx context.Context, edit *Edit, claims []*karpv1.NodeClaim) (Count, error) {
	pool := &karpv1.NodePool{}
	if err := w.client.Get(ctx, clientKey(edit.Before.Name), pool); err != nil {
		return Count{}, err
	}
	pool.Spec = *edit.After.Spec.DeepCopy()
	pool.Annotations = maps.Clone(edit.After.Annotations)
	metav1.SetMetaDataAnnotation(&pool.ObjectMeta, karpv1.NodePoolHashAnnotationKey, pool.Hash())
	metav1.SetMetaDataAnnotation(&pool.ObjectMeta, karpv1.NodePoolHashVersionAnnotationKey, karpv1.NodePoolHashVersion)
	if err := w.client.Update(ctx, pool); err != nil {
		return Count{}, err
	}
	// Each set of nodes is judged alone: the nodes of another set are of the same names.
	if err := w.client.DeleteAllOf(ctx, &karpv1.NodeClaim{}); err != nil {
		return Count{}, err
	}
	controller, found := disruption.NewController(w.clock, w.client, w.cloud), Count{Nodes: len(claims)}
	for at, claim := range claims {
		claim.Name = fmt.Sprintf("%s%d", claim.GenerateName, at)
		claim.StatusConditions().SetTrue(karpv1.ConditionTypeLaunched)
		if err := w.client.Create(ctx, claim); err != nil {
			return found, err
		}
		if _, err := controller.Reconcile(ctx, claim); err != nil {
			return found, err
		}
		if claim.StatusConditions().Get(karpv1.ConditionTypeDrifted).IsTrue() {
			found.Drifted++
		}
	}
	return found, nil
}
