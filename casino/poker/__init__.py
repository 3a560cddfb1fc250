"""Poker as pure rules: No-Limit Hold'em and Pot-Limit Omaha without a clock, randomness, database or network.

Read it in this order: `terms` and `stakes` (the game, blinds, rake), `positions` (button and blinds), `streets` and
`state` (a hand and its seats), `betting` (options, sizes, reopening), `commands` and `events`, `acting` (actions
checked against the options), `pots`, `rake`, `omaha` and `showdown` (who wins which pot), `results` (settlement),
`replay` (the effect of events), `hand` (the entry point: `decide` and `evolve`), `views` (a hand on the command line),
`clock` (time bank and connection protection), `notation` (PHH and OHH).
"""
