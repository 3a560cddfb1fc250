"""Ultimate Texas Hold'em as pure rules: no clock, randomness, database or network.

Reading order: `bets` and `paytable` (stakes and payouts), `settlement` (outcomes), `terms` (a table's offer), `phases`,
`state`, `commands` and `events`, `betting`, `dealing`, `decisions`, `incidents` (effects of commands), `replay`
(effects of events), `round` (entry point: `decide` and `evolve`), `results`, `views`, `analysis` (the exact return).
"""
