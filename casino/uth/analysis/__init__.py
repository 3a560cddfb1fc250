"""The exact return of the game and the exact worth of every decision, for any paytable and any outcome table.

Read it in this order: `payoffs` (what a showdown is worth, taken from the settlement), `starting_hands`, `result`
(what is found out), `symmetry` (boards that differ in suits alone are looked at once), `kernels` (one board),
`enumeration` (all boards), `runouts` and `advice` (one situation), `record` (a result as JSON).

Importing this package is cheap: compiled code is loaded only once something has to be counted.
"""

from casino.uth.analysis.advice import Advice, advise
from casino.uth.analysis.record import cache_key, from_json, to_json
from casino.uth.analysis.result import Analysis, StartingHand

__all__ = ["Advice", "Analysis", "StartingHand", "advise", "cache_key", "from_json", "to_json"]
