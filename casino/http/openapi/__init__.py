"""OpenAPI document of the service: requests, responses and refusals of every route, generated."""
