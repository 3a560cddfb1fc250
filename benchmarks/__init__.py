"""Benchmarks of the parts that must be fast: `python -m benchmarks [NAME …]`.

Figures in seconds say much about the machine and little about the code. So everything is measured beside a known
peer in the same run, and what counts is the ratio.
"""
