"""Protocol documents generated from the models: types for the pages, and a reference for client authors."""
