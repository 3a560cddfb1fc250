"""Ultimate Texas Hold'em, whole and pure: no clock, no chance, no database, no network.

Read it in this order: `bets` and `paytable` (what is staked, what it pays), `settlement` (who wins what),
`terms` (what a table offers), `phases` (the course of a round), `state` (a round as it stands), `commands` and
`events`, `betting`, `dealing`, `deciding`, `interrupting` (what each command may do), `replay` (how events change a
round), `round` (the one door: `decide` and `evolve`), `results` (who gets what), `views` (who sees what), `analysis`
(the exact return).
"""
