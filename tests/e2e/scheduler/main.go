// Scheduler records what Karpenter's own scheduler decides.
//
// It reads cases from standard input, one JSON document per line, and writes each with its verdicts to standard output:
// clusters to which pods come, edits of a NodePool that has nodes, NodePools to validate, or states of a cluster to write
// down. What Azure offers comes from the file of -facts, which facts.py makes from the catalog. README.md has the format.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const longestCase = 64 << 20

func main() {
	facts := flag.String("facts", "facts.json", "what Azure offers, as facts.py writes it")
	runs := flag.Int("runs", 24, "how often each case is run; Karpenter breaks ties at random")
	flag.Parse()
	if err := record(*facts, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "scheduler:", err)
		os.Exit(1)
	}
}

func record(path string, runs int) error {
	facts, err := readFacts(path)
	if err != nil {
		return err
	}
	facts.register()
	log.SetLogger(logr.Discard())
	ctx, err := operatorContext(context.Background())
	if err != nil {
		return err
	}
	lines, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	lines.Buffer(nil, longestCase)
	for lines.Scan() {
		var line Line
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return fmt.Errorf("a case cannot be read: %w", err)
		}
		if err := line.decide(ctx, facts, runs); err != nil {
			return err
		}
		if err := out.Encode(line); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (l *Line) decide(ctx context.Context, facts *Facts, runs int) (err error) {
	if l.State != nil {
		l.Objects, err = recordState(ctx, facts, l.State)
	} else if l.NodePool != nil {
		l.NotReady, err = judgeNodePool(ctx, l.NodePool)
	} else if l.Edit != nil {
		l.Drift, err = judgeEdit(ctx, facts, l.Edit)
	} else {
		l.Verdicts, err = judge(ctx, facts, l.Case, runs)
	}
	return err
}
