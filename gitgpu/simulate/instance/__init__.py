"""Instance types: what Azure sells, at which price, and what a node of each type offers to pods."""
