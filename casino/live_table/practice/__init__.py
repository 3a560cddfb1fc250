"""Practice tables: simulated players with money of their own, and planted faults."""
