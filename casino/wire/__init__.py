"""Wire messages as typed models, and the documents generated from them."""
