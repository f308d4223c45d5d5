package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
)

const loops = 6

func newFlags() *flag.FlagSet {
	found := flag.NewFlagSet("karpenter", flag.ContinueOnError)
	found.SetOutput(io.Discard)
	return found
}

// judge runs a case several times; the distinct outcomes are in order of their text.
func judge(ctx context.Context, facts *Facts, raw json.RawMessage, runs int) ([][]Verdict, error) {
	given, err := readCase(raw)
	if err != nil {
		return nil, err
	}
	outcomes := map[string][]Verdict{}
	for range runs {
		verdicts, err := run(ctx, facts, given)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", given.Name, err)
		}
		text, err := json.Marshal(verdicts)
		if err != nil {
			return nil, err
		}
		outcomes[string(text)] = verdicts
	}
	var found [][]Verdict
	for _, text := range slices.Sorted(maps.Keys(outcomes)) {
		found = append(found, outcomes[text])
	}
	return found, nil
}

// run schedules until nothing changes, with the nodes of one loop there in the next.
func run(ctx context.Context, facts *Facts, given *Case) ([]Verdict, error) {
	world, err := newWorld(ctx, facts, given)
	if err != nil {
		return nil, err
	}
	placed := map[string]Verdict{}
	for range loops {
		before := len(placed)
		results, err := world.provisioner.Schedule(ctx)
		if err != nil {
			return nil, err
		}
		if err := world.settle(ctx, results, placed); err != nil {
			return nil, err
		}
		if len(placed) == before {
			break
		}
	}
	var found []Verdict
	for _, pod := range given.Pods {
		if given.waits(pod) {
			found = append(found, or(placed[key(pod)], Verdict{Pod: pod.Name}))
		}
	}
	return found, nil
}

// settle starts the new nodes of a loop, and puts its pods on new nodes and old.
func (w *world) settle(ctx context.Context, results scheduling.Results, placed map[string]Verdict) error {
	for _, existing := range results.ExistingNodes {
		for _, pod := range existing.Pods {
			if err := w.bind(ctx, pod, existing.Node.Name); err != nil {
				return err
			}
			placed[key(pod)] = verdict(pod, existing.Node)
		}
	}
	// A NodeClaim that is refused because of a limit leaves its pods pending; that is no fault of the run.
	names, _ := w.provisioner.CreateNodeClaims(ctx, results.NewNodeClaims)
	for at, name := range names {
		if name == "" {
			continue
		}
		node, err := w.start(ctx, name)
		if err != nil {
			return err
		}
		if node == nil {
			continue
		}
		if err := w.runDaemons(ctx, node); err != nil {
			return err
		}
		for _, pod := range results.NewNodeClaims[at].Pods {
			if err := w.bind(ctx, pod, node.Name); err != nil {
				return err
			}
			placed[key(pod)] = verdict(pod, node)
		}
	}
	return nil
}

// start makes the node of a NodeClaim; nil if Azure has nothing that it could be.
func (w *world) start(ctx context.Context, name string) (*corev1.Node, error) {
	claim := &karpv1.NodeClaim{}
	if err := w.client.Get(ctx, clientKey(name), claim); err != nil {
		return nil, err
	}
	chosen := w.cloud.launch(claim)
	if chosen == nil {
		w.cluster.DeleteNodeClaim(name)
		return nil, w.client.Delete(ctx, claim)
	}
	labels := chosen.labels(claim)
	labels[corev1.LabelHostname] = name
	labels[karpv1.NodeRegisteredLabelKey], labels[karpv1.NodeInitializedLabelKey] = "true", "true"
	claim.Labels = labels
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels, Annotations: map[string]string{made: "true"}},
		Spec:       corev1.NodeSpec{Taints: claim.Spec.Taints},
		Status:     corev1.NodeStatus{Capacity: chosen.size.Capacity, Allocatable: chosen.size.Allocatable()},
	}
	return node, w.join(ctx, node, claim)
}

// made marks nodes that were not there before the run: their names are random, and so not part of a verdict.
const made = "gitgpu.dev/made"

func verdict(pod *corev1.Pod, node *corev1.Node) Verdict {
	spot := node.Labels[karpv1.CapacityTypeLabelKey] == karpv1.CapacityTypeSpot
	found := Verdict{
		Pod:  pod.Name,
		OK:   true,
		Pool: text(node.Labels[karpv1.NodePoolLabelKey]),
		SKU:  text(node.Labels[corev1.LabelInstanceTypeStable]),
		Zone: text(node.Labels[corev1.LabelTopologyZone]),
		Spot: &spot,
	}
	if node.Annotations[made] == "" {
		found.Node = node.Name
	}
	return found
}

func text(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}

func clientKey(name string) client.ObjectKey {
	return client.ObjectKey{Name: name}
}

func key(pod *corev1.Pod) string {
	return pod.Namespace + "/" + pod.Name
}
