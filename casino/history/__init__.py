"""Game history: rounds of a player with pagination, and single rounds with all their steps."""
