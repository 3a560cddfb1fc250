"""Finance: exports, day close, overview and round file, enough to close a day from this system alone.

Reading order: `period` and `columns` (request and column types), `settlements`, `summary` and `postings` (the three
exports), `writers` (one per format), `export` (an export with its manifest), `day_close`, `overview`, `round_file`.
"""
