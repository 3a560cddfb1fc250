"""Online casino service: game rules, tables, ledger and web pages."""
