"""The HTTP side in writing: what every route takes, answers and refuses, generated as an OpenAPI document."""
