// Command queues asks Kueue's own code about workloads: one case of objects and workloads a line on standard input, one
// line of verdicts on standard output. Its flavor assigner gets the workloads of a case one after the other, and each that
// fits uses its quota. With the argument "cycles", its scheduler gets all of them at once.
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
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
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
	Flavors    []*kueue.ResourceFlavor `json:"flavors"`
	Topologies []*kueue.Topology       `json:"topologies"`
	Nodes      []*corev1.Node          `json:"nodes"`
	Queues     []*kueue.ClusterQueue   `json:"queues"`
	Cohorts    []*kueue.Cohort         `json:"cohorts"`
	Namespaces []*corev1.Namespace     `json:"namespaces"`
	Locals     []*kueue.LocalQueue     `json:"locals"`
	Workloads  []Workload              `json:"workloads"`
}

// Workload is a workload of a ClusterQueue or, if it has a namespace, of a LocalQueue there.
type Workload struct {
	Namespace string      `json:"namespace"`
	Queue     string      `json:"queue"`
	Priority  int32       `json:"priority"`
	Created   metav1.Time `json:"created"`
	Sets      []struct {
		Number   int32                        `json:"number"`
		Topology *kueue.PodSetTopologyRequest `json:"topology"`
		Spec     corev1.PodSpec               `json:"spec"`
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
	cl, err := clientOf(nil)
	if err != nil {
		return nil, err
	}
	cache, flavors, err := cacheOf(ctx, cl, asked)
	if err != nil {
		return nil, err
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
		object := workloadOf(number, each)
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

func clientOf(objects []client.Object) (client.Client, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{kueue.AddToScheme, corev1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).WithStatusSubresource(&kueue.Workload{}).
		WithInterceptorFuncs(interceptor.Funcs{SubResourcePatch: patchStatus}).
		WithIndex(&kueue.LocalQueue{}, indexer.QueueClusterQueueKey, indexer.IndexQueueClusterQueue).
		WithIndex(&kueue.Workload{}, indexer.WorkloadQueueKey, indexer.IndexWorkloadQueue).
		WithIndex(&kueue.Workload{}, indexer.WorkloadClusterQueueKey, indexer.IndexWorkloadClusterQueue).Build(), nil
}

type known = map[kueue.ResourceFlavorReference]*kueue.ResourceFlavor

func cacheOf(ctx context.Context, cl client.Client, asked Case) (*schdcache.Cache, known, error) {
	cache := schdcache.New(cl)
	flavors := known{}
	for _, flavor := range asked.Flavors {
		flavors[kueue.ResourceFlavorReference(flavor.Name)] = flavor
		cache.AddOrUpdateResourceFlavor(log.FromContext(ctx), flavor)
	}
	for _, topology := range asked.Topologies {
		cache.AddOrUpdateTopology(log.FromContext(ctx), topology)
	}
	for _, node := range asked.Nodes {
		cache.TASCache().SyncNode(node)
	}
	for _, cohort := range asked.Cohorts {
		if err := cache.AddOrUpdateCohort(cohort); err != nil {
			return nil, nil, err
		}
	}
	for _, queue := range asked.Queues {
		if err := cache.AddClusterQueue(ctx, queue); err != nil {
			return nil, nil, err
		}
	}
	return cache, flavors, nil
}

func main() {
	ask := judge
	if len(os.Args) > 1 && os.Args[1] == "cycles" {
		ask = submit
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked Case
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		verdicts, err := ask(context.Background(), asked)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := out.Encode(verdicts); err != nil {
			os.Exit(1)
		}
	}
}
