// Command argocd is what of Argo CD brings a cluster to what Git holds, as one binary: its application-controller and
// its repo-server as they are, the kustomize that its image has, and an in-memory stand-in for the Redis between them.
// The name under which it is called says which of them it is, as with Argo CD's own binary.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/alicebob/miniredis/v2"
	reposerver "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	kustomize "sigs.k8s.io/kustomize/kustomize/v5/commands"
)

var components = map[string]func() error{
	"argocd-application-controller": applicationController,
	"argocd-repo-server":            func() error { return reposerver.NewCommand().Execute() },
	"kustomize":                     func() error { return kustomize.NewDefaultCommand().Execute() },
	"redis-server":                  redis,
}

func main() {
	name := filepath.Base(os.Args[0])
	run, known := components[name]
	if !known {
		fmt.Fprintf(os.Stderr, "%s is not a component of this binary\n", name)
		os.Exit(2)
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// redis serves the address given as the only argument until the process is ended.
func redis() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: redis-server ADDRESS")
	}
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr(os.Args[1]); err != nil {
		return err
	}
	defer server.Close()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	return nil
}
