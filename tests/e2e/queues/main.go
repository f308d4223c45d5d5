// Command queues asks Kueue's own flavor assigner about workloads: one case of objects and workloads a line on standard
// input, one line of verdicts on standard output. The workloads of a case are assigned one after the other; each that
// fits uses its quota.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/log"
	configapi "sigs.k8s.io/kueue/apis/config/v1beta2"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	schdcache "sigs.k8s.io/kueue/pkg/cache/scheduler"
	"sigs.k8s.io/kueue/pkg/controller/core/indexer"
	"sigs.k8s.io/kueue/pkg/resources"
	"sigs.k8s.io/kueue/pkg/scheduler/flavorassigner"
	"sigs.k8s.io/kueue/pkg/scheduler/preemption/common"
	"sigs.k8s.io/kueue/pkg/workload"
)

// Case is what one line asks.
type Case struct {
	Flavors   []*kueue.ResourceFlavor `json:"flavors"`
	Queues    []*kueue.ClusterQueue   `json:"queues"`
	Cohorts   []*kueue.Cohort         `json:"cohorts"`
	Workloads []Workload              `json:"workloads"`
}

// Workload is a workload of a ClusterQueue.
type Workload struct {
	Queue string `json:"queue"`
	Sets  []struct {
		Number int32          `json:"number"`
		Spec   corev1.PodSpec `json:"spec"`
	} `json:"sets"`
}

// Verdict is whether a workload fits without preemption, its flavors by resource for each set, and how far it borrows.
type Verdict struct {
	Fits    bool                `json:"fits"`
	Flavors []map[string]string `json:"flavors,omitempty"`
	Level   int                 `json:"level"`
}

// nobody finds no workload to preempt.
type nobody struct{}

func (nobody) SimulatePreemption(
	context.Context, *schdcache.ClusterQueueSnapshot, workload.Info, resources.FlavorResource, resources.Amount,
) (common.PreemptionPossibility, int) {
	return common.NoCandidates, 0
}

func judge(ctx context.Context, asked Case) ([]Verdict, error) {
	scheme := runtime.NewScheme()
	if err := kueue.AddToScheme(scheme); err != nil {
		return nil, err
	}
	client := fake.NewClientBuilder().WithScheme(scheme).
		WithIndex(&kueue.LocalQueue{}, indexer.QueueClusterQueueKey, indexer.IndexQueueClusterQueue).
		WithIndex(&kueue.Workload{}, indexer.WorkloadClusterQueueKey, indexer.IndexWorkloadClusterQueue).Build()
	cache := schdcache.New(client)
	flavors := map[kueue.ResourceFlavorReference]*kueue.ResourceFlavor{}
	for _, flavor := range asked.Flavors {
		flavors[kueue.ResourceFlavorReference(flavor.Name)] = flavor
		cache.AddOrUpdateResourceFlavor(log.FromContext(ctx), flavor)
	}
	for _, cohort := range asked.Cohorts {
		if err := cache.AddOrUpdateCohort(cohort); err != nil {
			return nil, err
		}
	}
	for _, queue := range asked.Queues {
		if err := cache.AddClusterQueue(ctx, queue); err != nil {
			return nil, err
		}
	}
	snapshot, err := cache.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	verdicts := []Verdict{}
	for number, each := range asked.Workloads {
		queue := snapshot.ClusterQueue(kueue.ClusterQueueReference(each.Queue))
		if queue == nil {
			return nil, fmt.Errorf("no queue %s", each.Queue)
		}
		object := &kueue.Workload{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(number), Namespace: "a"}}
		for index, set := range each.Sets {
			object.Spec.PodSets = append(object.Spec.PodSets, kueue.PodSet{
				Name:     kueue.PodSetReference(fmt.Sprint(index)),
				Count:    set.Number,
				Template: corev1.PodTemplateSpec{Spec: set.Spec},
			})
		}
		info := workload.NewInfo(object)
		info.ClusterQueue = kueue.ClusterQueueReference(each.Queue)
		assigner := flavorassigner.New(info, queue, flavors, false, nobody{}, nil,
			configapi.QuotaCheckBlockUndeclared, resources.NewResourceFormatter(), 0)
		assignment := assigner.Assign(ctx, nil)
		verdict := Verdict{Fits: assignment.RepresentativeMode() == flavorassigner.Fit}
		if verdict.Fits {
			verdict.Level = assignment.Borrows()
			for _, set := range assignment.PodSets {
				names := map[string]string{}
				for resource, chosen := range set.Flavors {
					names[string(resource)] = string(chosen.Name)
				}
				verdict.Flavors = append(verdict.Flavors, names)
			}
			queue.AddUsage(assignment.Usage)
		}
		verdicts = append(verdicts, verdict)
	}
	return verdicts, nil
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked Case
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		verdicts, err := judge(context.Background(), asked)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := out.Encode(verdicts); err != nil {
			os.Exit(1)
		}
	}
}
