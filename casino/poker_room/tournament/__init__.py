"""Running tournaments: a director for each, their tables, entries and money.

Read in this order: `spec`, `tournament_money` and `journal_store` (what is stored), `tournament_table` (hands),
`director` (one tournament), `tournaments` (all of them), `registration_desk` (players), `staff_desk` (managers),
`announcements`, `second_phases`, `satellite_winners`, and `tournament_recovery`.
"""
