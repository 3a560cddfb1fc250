"""How fast the parts are that must be: `python -m benchmarks [NAME …]`.

Figures in seconds say much about the machine and little about the code. So everything is measured beside a known
peer in the same run, and what counts is the ratio.
"""
