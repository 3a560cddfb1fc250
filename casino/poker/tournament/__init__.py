"""Tournaments as pure rules: no clock, randomness, database or network.

Read it in this order: `structure` (blind levels), `prizes` (places paid and prizes), `icm` (equity of stacks),
`cancel` (refunds after a failure), `hexapro` and `hexapro_terms` (three players, a drawn prize pool), `balance` (moves
between tables), `ranking` (order of elimination), `bounty`, `entries` (prices, satellites, tickets, flights),
`waiting` (lines of entries); then the tournament itself: `terms`, `state`, `commands`, `events`, `replay` and
`director` (`decide` and `evolve`).

Functions that need a random choice take it as an argument, so that a replay repeats it.
"""
