package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	qcache "sigs.k8s.io/kueue/pkg/cache/queue"
	"sigs.k8s.io/kueue/pkg/scheduler"
	preemptexpectations "sigs.k8s.io/kueue/pkg/scheduler/preemption/expectations"
)

const (
	namespace = "a"
	// A cycle waits 10 milliseconds at most after one that admitted nothing.
	quiet = 500 * time.Millisecond
)

// silent is a recorder of events that forgets them.
type silent struct{}

func (silent) Eventf(runtime.Object, runtime.Object, string, string, string, string, ...any) {}

// merging is a server-side apply as the client of controller-runtime's tests can do it.
type merging struct{ client.Patch }

func (merging) Type() types.PatchType {
	return types.StrategicMergePatchType
}

func patchStatus(
	ctx context.Context, cl client.Client, part string, object client.Object, patch client.Patch,
	_ ...client.SubResourcePatchOption,
) error {
	if patch.Type() == types.ApplyPatchType {
		patch = merging{patch}
	}
	return cl.SubResource(part).Patch(ctx, object, patch)
}

// submit lets Kueue's scheduler run its cycles over all workloads of a case, until it admits no more of them. Nothing is
// preempted, and nothing ends.
func submit(ctx context.Context, asked Case) ([]Verdict, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if len(asked.Namespaces) == 0 {
		asked = inOneNamespace(asked)
	}
	objects := []client.Object{}
	for _, space := range asked.Namespaces {
		objects = append(objects, space)
	}
	for _, queue := range asked.Queues {
		objects = append(objects, queue)
	}
	queued := []*kueue.Workload{}
	for number, each := range asked.Workloads {
		object := workloadOf(number, each)
		queued = append(queued, object)
		objects = append(objects, object)
	}
	cl, err := clientOf(objects)
	if err != nil {
		return nil, err
	}
	cache, _, err := cacheOf(ctx, cl, asked)
	if err != nil {
		return nil, err
	}
	expectations := preemptexpectations.New()
	manager := qcache.NewManagerForUnitTests(cl, cache, qcache.WithPreemptionExpectations(expectations))
	for _, cohort := range asked.Cohorts {
		manager.AddOrUpdateCohort(ctx, cohort)
	}
	for _, queue := range asked.Queues {
		if err := manager.AddClusterQueue(ctx, queue); err != nil {
			return nil, err
		}
	}
	for _, local := range asked.Locals {
		// The controller of LocalQueues does not add one that is stopped.
		if policy := local.Spec.StopPolicy; policy != nil && *policy != kueue.None {
			continue
		}
		if err := manager.AddLocalQueue(ctx, local); err != nil {
			return nil, err
		}
	}
	for _, object := range queued {
		err := manager.AddOrUpdateWorkload(log.FromContext(ctx), object)
		if err != nil && !errors.Is(err, qcache.ErrLocalQueueDoesNotExistOrInactive) {
			return nil, err
		}
	}
	go manager.CleanUpOnContext(ctx)
	running := scheduler.New(manager, cache, cl, silent{}, scheduler.WithPreemptionExpectations(expectations))
	if err := running.Start(ctx); err != nil {
		return nil, err
	}
	return settled(ctx, cl, queued)
}

// inOneNamespace gives each ClusterQueue a LocalQueue with its name in one namespace, which has all workloads.
func inOneNamespace(asked Case) Case {
	asked.Namespaces = []*corev1.Namespace{{ObjectMeta: metav1.ObjectMeta{Name: namespace}}}
	for _, queue := range asked.Queues {
		asked.Locals = append(asked.Locals, &kueue.LocalQueue{
			ObjectMeta: metav1.ObjectMeta{Name: queue.Name, Namespace: namespace},
			Spec:       kueue.LocalQueueSpec{ClusterQueue: kueue.ClusterQueueReference(queue.Name)},
		})
	}
	return asked
}

// settled returns the verdicts once no workload has been admitted for a while.
func settled(ctx context.Context, cl client.Client, queued []*kueue.Workload) ([]Verdict, error) {
	verdicts, admitted, since := []Verdict{}, -1, time.Now()
	for time.Since(since) < quiet {
		time.Sleep(quiet / 10)
		verdicts = verdicts[:0]
		fitting := 0
		for _, object := range queued {
			var found kueue.Workload
			if err := cl.Get(ctx, client.ObjectKeyFromObject(object), &found); err != nil {
				return nil, err
			}
			verdict := Verdict{Fits: found.Status.Admission != nil}
			if verdict.Fits {
				fitting++
				for _, set := range found.Status.Admission.PodSetAssignments {
					names := map[string]string{}
					for resource, flavor := range set.Flavors {
						names[string(resource)] = string(flavor)
					}
					verdict.Flavors = append(verdict.Flavors, names)
				}
			}
			verdicts = append(verdicts, verdict)
		}
		if fitting != admitted {
			admitted, since = fitting, time.Now()
		}
	}
	return verdicts, nil
}

func nameOf(number int) string {
	return fmt.Sprintf("w%d", number)
}

func workloadOf(number int, each Workload) *kueue.Workload {
	active := true
	space := each.Namespace
	if space == "" {
		space = namespace
	}
	object := &kueue.Workload{
		ObjectMeta: metav1.ObjectMeta{
			Name: nameOf(number), Namespace: space, UID: types.UID(nameOf(number)), CreationTimestamp: each.Created,
		},
		Spec: kueue.WorkloadSpec{
			QueueName: kueue.LocalQueueName(each.Queue),
			Active:    &active,
			Priority:  &each.Priority,
		},
	}
	for index, set := range each.Sets {
		object.Spec.PodSets = append(object.Spec.PodSets, kueue.PodSet{
			Name:            kueue.PodSetReference(fmt.Sprint(index)),
			Count:           set.Number,
			Template:        corev1.PodTemplateSpec{Spec: set.Spec},
			TopologyRequest: set.Topology,
		})
	}
	return object
}
