"""The GPU software on nodes, as rules read it: daemons, drivers, MIG layouts, sharing."""
