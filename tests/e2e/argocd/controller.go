package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"
	"time"

	commitclient "github.com/argoproj/argo-cd/v3/commitserver/apiclient"
	"github.com/argoproj/argo-cd/v3/controller"
	"github.com/argoproj/argo-cd/v3/controller/sharding"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	appclient "github.com/argoproj/argo-cd/v3/pkg/client/clientset/versioned"
	repoclient "github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/argo"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	"github.com/argoproj/argo-cd/v3/util/cache"
	"github.com/argoproj/argo-cd/v3/util/cache/appstate"
	"github.com/argoproj/argo-cd/v3/util/kube"
	"github.com/argoproj/argo-cd/v3/util/settings"
	"github.com/argoproj/argo-cd/v3/util/tls"
	goredis "github.com/redis/go-redis/v9"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	namespace = "argocd"
	workers   = 4 // of each queue; there is one Application
)

// applicationController runs Argo CD's application-controller with the settings that its own command line has by
// default, but for one: that one serves metrics on every interface, this one on loopback.
func applicationController() error {
	kubeconfig := flag.String("kubeconfig", "", "file that says where the API server is")
	repoServer := flag.String("repo-server", "", "address of the repo-server, without TLS")
	redisServer := flag.String("redis", "", "address of Redis")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return err
	}
	if err := v1alpha1.SetK8SConfigDefaults(config); err != nil {
		return err
	}
	clients := kubernetes.NewForConfigOrDie(config)
	var running *controller.ApplicationController
	changed := settings.WithRepoOrClusterChangedHandler(func() { running.InvalidateProjectsCache() })
	manager := settings.NewSettingsManager(ctx, clients, namespace, changed)
	shards, err := sharding.GetClusterSharding(clients, manager, "legacy", false)
	if err != nil {
		return err
	}
	running, err = controller.NewApplicationController(
		namespace, manager, clients, appclient.NewForConfigOrDie(config),
		repoclient.NewRepoServerClientset(*repoServer, 60, tls.Configuration{DisableTLS: true}),
		commitclient.NewCommitServerClientset(""),
		states(*redisServer), kube.NewKubectl(),
		2*time.Minute, 0, time.Minute, // resync, hard resync, jitter
		0, &wait.Backoff{Duration: 2 * time.Second, Factor: 3, Cap: 5 * time.Minute}, // self-heal
		0, 3*time.Minute, // time limit of a sync (none), grace for a repo-server that does not answer
		0, 0, nil, nil, nil, // metrics
		20, false, shards, nil, nil, // kubectl at once, health in Applications, namespaces, rate limits
		false, false, normalizers.IgnoreNormalizerOpts{}, argo.DefaultEnableEventList(), false,
	)
	if err != nil {
		return err
	}
	running.GetMetricsServer().Addr = "127.0.0.1:0"
	go running.Run(ctx, workers, workers, workers)
	<-ctx.Done()
	return nil
}

// states is the cache that the controller keeps in Redis.
func states(address string) *appstate.Cache {
	client := goredis.NewClient(&goredis.Options{Addr: address})
	inRedis := cache.NewRedisCache(client, time.Hour, cache.RedisCompressionGZip)
	return appstate.NewCache(cache.NewCache(cache.NewTwoLevelClient(inRedis, 10*time.Minute)), time.Hour)
}
