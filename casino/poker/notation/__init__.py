"""Hand histories in open formats: PHH (TOML) written and replayed, OHH (JSON 1.4.7) written."""
