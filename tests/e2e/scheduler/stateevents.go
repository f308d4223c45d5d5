//go:build !karpenter_1_14_3

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes/scheme"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/events"
)

// recorder keeps Karpenter's events. One that comes again is counted.
type recorder struct {
	clock *clocktesting.FakeClock
	lock  sync.Mutex
	found map[string]*corev1.Event
}

func newRecorder(clock *clocktesting.FakeClock) *recorder {
	return &recorder{clock: clock, found: map[string]*corev1.Event{}}
}

func (r *recorder) Publish(published ...events.Event) {
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, one := range published {
		about, now := one.InvolvedObject.(client.Object), metav1.NewTime(r.clock.Now())
		kind, err := apiutil.GVKForObject(about, scheme.Scheme)
		if err != nil {
			panic(err) // Karpenter publishes events about kinds of its scheme
		}
		hash := fnv.New32a()
		fmt.Fprint(hash, kind.Kind, about.GetNamespace(), one.Reason, one.Message)
		name := fmt.Sprintf("%s.%08x", about.GetName(), hash.Sum32())
		event, ok := r.found[name]
		if !ok {
			event = &corev1.Event{
				ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: or(about.GetNamespace(), "default"), CreationTimestamp: now},
				InvolvedObject: corev1.ObjectReference{
					APIVersion: kind.GroupVersion().String(), Kind: kind.Kind,
					Namespace: about.GetNamespace(), Name: about.GetName(), UID: about.GetUID(),
				},
				Reason: one.Reason, Message: one.Message, Type: one.Type, FirstTimestamp: now,
				Source: corev1.EventSource{Component: "karpenter"},
			}
			event.UID = "event-" + about.GetUID()
			r.found[name] = event
		}
		event.Count++
		event.LastTimestamp = now
	}
}

func (r *recorder) events() []*corev1.Event {
	var found []*corev1.Event
	for _, one := range r.found {
		found = append(found, one)
	}
	return slices.SortedFunc(slices.Values(found), func(a, b *corev1.Event) int {
		return cmp.Or(a.FirstTimestamp.Compare(b.FirstTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
}

func empty(kind string) (client.Object, error) {
	switch kind {
	case "Node":
		return &corev1.Node{}, nil
	case "Pod":
		return &corev1.Pod{}, nil
	case "NodeClaim":
		return &karpv1.NodeClaim{}, nil
	case "NodePool":
		return &karpv1.NodePool{}, nil
	}
	return nil, fmt.Errorf("no step is about a %s", kind)
}

// list are the objects of a kind, in order of their names.
func list[T any, P interface {
	*T
	client.Object
}](ctx context.Context, c *controllers, found client.ObjectList) ([]P, error) {
	if err := c.client.List(ctx, found); err != nil {
		return nil, err
	}
	text, err := json.Marshal(found)
	if err != nil {
		return nil, err
	}
	items := struct{ Items []P }{}
	if err := json.Unmarshal(text, &items); err != nil {
		return nil, err
	}
	return slices.SortedFunc(slices.Values(items.Items), func(a, b P) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	}), nil
}

// written are the objects of the cluster as `kubectl get -o json` prints them.
func (c *controllers) written(ctx context.Context) ([]any, error) {
	classes := &unstructured.UnstructuredList{}
	classes.SetGroupVersionKind(classKind.GroupVersion().WithKind(classKind.Kind + "List"))
	lists := []client.ObjectList{
		classes, &karpv1.NodePoolList{}, &karpv1.NodeClaimList{}, &corev1.NodeList{}, &appsv1.DaemonSetList{},
		&policyv1.PodDisruptionBudgetList{}, &corev1.PodList{},
	}
	if err := c.heartbeat(ctx); err != nil {
		return nil, err
	}
	var found []any
	for _, one := range lists {
		if err := c.client.List(ctx, one); err != nil {
			return nil, err
		}
		sortRequirements(one)
		items, err := read(one)
		if err != nil {
			return nil, err
		}
		found = append(found, items...)
	}
	items, err := read(&corev1.EventList{Items: values(c.recorder.events())})
	return append(found, items...), err
}

// sortRequirements sets the order of what Karpenter writes in any order.
func sortRequirements(of client.ObjectList) {
	claims, ok := of.(*karpv1.NodeClaimList)
	if !ok {
		return
	}
	for _, claim := range claims.Items {
		slices.SortFunc(claim.Spec.Requirements, func(a, b karpv1.NodeSelectorRequirementWithMinValues) int {
			return cmp.Compare(a.Key, b.Key)
		})
	}
}

// heartbeat is the last report of every kubelet that works: a cluster that runs has a node with the time of now.
func (c *controllers) heartbeat(ctx context.Context) error {
	nodes, err := list[corev1.Node](ctx, c, &corev1.NodeList{})
	if err != nil {
		return err
	}
	for _, node := range nodes {
		for at := range node.Status.Conditions {
			if node.Status.Conditions[at].Status != corev1.ConditionUnknown {
				node.Status.Conditions[at].LastHeartbeatTime = metav1.NewTime(c.clock.Now())
			}
		}
		if err := c.client.Status().Update(ctx, node); err != nil {
			return err
		}
	}
	return nil
}

func values[T any](given []*T) []T {
	var found []T
	for _, one := range given {
		found = append(found, *one)
	}
	return found
}

// read are the items of a list as values, each with its kind, without what the API server keeps for itself.
func read(of client.ObjectList) ([]any, error) {
	kind, err := apiutil.GVKForObject(of, scheme.Scheme)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(of)
	if err != nil {
		return nil, err
	}
	parsed := struct{ Items []map[string]any }{}
	if err := json.Unmarshal(text, &parsed); err != nil {
		return nil, err
	}
	var found []any
	for _, item := range parsed.Items {
		item["apiVersion"], item["kind"] = kind.GroupVersion().String(), kind.Kind[:len(kind.Kind)-len("List")]
		metadata := item["metadata"].(map[string]any)
		delete(metadata, "resourceVersion")
		delete(metadata, "managedFields")
		found = append(found, item)
	}
	return found, nil
}
