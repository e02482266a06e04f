"""The pipeline: plan, execute, write, and the loop around them. Knows the ports, does no I/O."""
