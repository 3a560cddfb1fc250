"""Practice tables: simulated players with money of their own, and things that go wrong on purpose."""
