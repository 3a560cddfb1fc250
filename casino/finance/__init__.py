"""What finance needs to close a day from this system alone: exports, the closed day, the overview, the round file.

Read it in this order: `period` and `columns` (what is asked for, what a column holds), `settlements`, `summary` and
`postings` (the three exports), `writers` (one for each format), `export` (an export with its manifest), `closing`,
`overview`, `round_file`.
"""
