//go:build !karpenter_1_14_3

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/node/termination"
	"sigs.k8s.io/karpenter/pkg/controllers/node/termination/terminator"
	claimdisruption "sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/expiration"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/lifecycle"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/podevents"
	"sigs.k8s.io/karpenter/pkg/controllers/nodepool/counter"
	"sigs.k8s.io/karpenter/pkg/controllers/nodepool/hash"
	"sigs.k8s.io/karpenter/pkg/controllers/nodepool/readiness"
	"sigs.k8s.io/karpenter/pkg/controllers/nodepool/validation"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/state/cost"
	"sigs.k8s.io/karpenter/pkg/state/nodepoolhealth"
)

// Situation is a cluster, and what happens there before its objects are written down.
type Situation struct {
	Case
	Steps []Step `json:"steps"`
}

// Step is one thing that happens. Do is what Karpenter, its cloud, a kubelet or kube-scheduler does once; see actions.
type Step struct {
	Do     string          `json:"do,omitempty"`
	Wait   string          `json:"wait,omitempty"`   // time that passes
	Refuse *Refusal        `json:"refuse,omitempty"` // what Azure answers from now on
	Join   *Kubelet        `json:"join,omitempty"`   // the VMs of launched NodeClaims join the cluster
	Change *Change         `json:"change,omitempty"`
	Create json.RawMessage `json:"create,omitempty"`
	Delete *Named          `json:"delete,omitempty"`
}

// controllers are those of Karpenter, on a cluster in memory.
type controllers struct {
	*world
	azure       *azureCloud
	recorder    *recorder
	times       *times
	pools       []poolController
	lifecycle   *lifecycle.Controller
	podEvents   *podevents.Controller
	conditions  *claimdisruption.Controller
	expiration  *expiration.Controller
	disruption  *disruption.Controller
	evictions   *terminator.Queue
	termination *termination.Controller
	nominated   map[string]string // name of the NodeClaim by pod
	known       map[string]func()
}

func recordState(ctx context.Context, facts *Facts, raw json.RawMessage) ([]any, error) {
	given, classes := &Situation{}, struct{ NodeClasses []json.RawMessage }{}
	if err := json.Unmarshal(raw, given); err != nil {
		return nil, fmt.Errorf("a state cannot be read: %w", err)
	}
	if err := json.Unmarshal(raw, &classes); err != nil {
		return nil, err
	}
	found, err := newControllers(ctx, facts, given)
	if err != nil {
		return nil, err
	}
	if err := found.furnish(ctx, given, classes.NodeClasses); err != nil {
		return nil, fmt.Errorf("state %s: %w", given.Name, err)
	}
	for at, step := range given.Steps {
		if err := found.take(ctx, step); err != nil {
			return nil, fmt.Errorf("state %s, step %d: %w", given.Name, at, err)
		}
	}
	return found.written(ctx)
}

func newControllers(ctx context.Context, facts *Facts, given *Situation) (*controllers, error) {
	found, err := newCloud(facts, &given.Case)
	if err != nil {
		return nil, err
	}
	clock := clocktesting.NewFakeClock(start)
	azure, recorder, times := &azureCloud{cloud: found, instances: map[string]*karpv1.NodeClaim{}}, newRecorder(clock), newTimes(clock)
	kube := times.client()
	cluster := state.NewCluster(clock, kube, azure)
	provisioner := newProvisioner(kube, recorder, azure, cluster, clock)
	queue := disruption.NewQueue(kube, recorder, cluster, clock, provisioner)
	evictions := terminator.NewQueue(kube, recorder)
	return &controllers{
		world:    &world{kube, found, cluster, provisioner, clock},
		azure:    azure,
		recorder: recorder,
		times:    times,
		pools: []poolController{
			validation.NewController(clock, kube, azure), readiness.NewController(clock, kube, azure),
			hash.NewController(kube, azure), counter.NewController(kube, azure, cluster),
		},
		lifecycle:  lifecycle.NewController(clock, kube, azure, recorder, nodepoolhealth.NewState(), nil),
		podEvents:  podevents.NewController(clock, kube, azure),
		conditions: claimdisruption.NewController(clock, kube, azure),
		expiration: expiration.NewController(clock, kube, azure),
		disruption: disruption.NewController(
			clock, kube, provisioner, azure, recorder, cluster, queue, cost.NewClusterCost(ctx, azure, kube),
		),
		evictions: evictions,
		termination: termination.NewController(
			clock, kube, azure, terminator.NewTerminator(clock, kube, evictions, recorder), recorder,
		),
		nominated: map[string]string{},
		known:     map[string]func(){},
	}, nil
}

// furnish puts the objects of the state on the cluster.
func (c *controllers) furnish(ctx context.Context, given *Situation, classes []json.RawMessage) error {
	others, err := readObjects(given.Others)
	if err != nil {
		return err
	}
	for _, raw := range classes {
		class, err := readClass(raw)
		if err != nil {
			return err
		}
		others = append(others, class)
	}
	for _, pool := range given.NodePools {
		others = append(others, pool)
	}
	for _, daemons := range given.DaemonSets {
		others = append(others, daemons)
	}
	for _, other := range others {
		if err := c.client.Create(ctx, other); err != nil {
			return err
		}
	}
	for _, daemons := range given.DaemonSets {
		if err := c.cluster.UpdateDaemonSet(ctx, daemons); err != nil {
			return err
		}
	}
	for at, pod := range given.Pods {
		if err := c.create(ctx, pod, at); err != nil {
			return err
		}
	}
	return c.reconcilePools(ctx)
}

func (c *controllers) create(ctx context.Context, pod *corev1.Pod, at int) error {
	pod.UID = types.UID(fmt.Sprintf("%s-%04d", pod.Name, at))
	return c.place(ctx, pod)
}

// take is what happens in one step, and what Karpenter's picture of the cluster and its NodePools then are.
func (c *controllers) take(ctx context.Context, step Step) (err error) {
	switch {
	case step.Wait != "":
		var length time.Duration
		if length, err = time.ParseDuration(step.Wait); err == nil {
			c.clock.Step(length)
		}
	case step.Refuse != nil:
		c.azure.refusals = append(c.azure.refusals, *step.Refuse)
	case step.Join != nil:
		err = c.joinAll(ctx, step.Join)
	case step.Change != nil:
		err = c.change(ctx, step.Change)
	case step.Create != nil:
		err = c.createOther(ctx, step.Create)
	case step.Delete != nil:
		err = c.remove(ctx, step.Delete)
	default:
		act, ok := actions[step.Do]
		if !ok {
			return fmt.Errorf("there is no step %q", step.Do)
		}
		err = act(c, ctx)
	}
	if err != nil {
		return err
	}
	if err := c.runAllDaemons(ctx); err != nil {
		return err
	}
	if err := c.observe(ctx); err != nil {
		return err
	}
	return c.reconcilePools(ctx)
}
