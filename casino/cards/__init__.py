"""Cards, their ranking and their shuffling: shared by every card game, and aware of none."""
