"""Exact analysis of the game: the return and the value of every decision, for any paytable and outcome table.

Read the modules in this order: `payoffs` (the value of a showdown, taken from the settlement), `starting_hands`,
`result` (the figures), `symmetry` (boards that differ in suits alone are evaluated once), `kernels` (one board),
`enumeration` (all boards), `decision_kernels` and `variance`, `runouts` and `advice` (one situation), `serialization`
(a result as JSON).

Importing this package is cheap: compiled code is loaded when an analysis starts.
"""

from casino.uth.analysis.advice import Advice, advise
from casino.uth.analysis.result import Analysis, StartingHand
from casino.uth.analysis.serialization import cache_key, from_json, to_json

__all__ = ["Advice", "Analysis", "StartingHand", "advise", "cache_key", "from_json", "to_json"]
