"""Behaviour of bots, shared by `casino play`, practice tables, the load generator and the simulation."""
