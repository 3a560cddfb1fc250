"""Metrics route in the Prometheus text format.

Access is limited by network address: `[metrics] allowed_from`, loopback by default. Requests with forwarding headers
are refused, because a local proxy would otherwise open the route to all.
"""

import time
from typing import Final

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, GCCollector, Histogram, PlatformCollector, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from casino.errors import Code, Refusal
from casino.http.authorization import PUBLIC, add_route
from casino.http.client_address import came_through_a_proxy
from casino.http.errors import Handler
from casino.security.client_address import Networks

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS")


class MetricsEndpoint:
    """Exposes the registry that other modules fill."""

    def __init__(self, allowed_from: Networks, registry: CollectorRegistry) -> None:
        self._allowed_from = allowed_from
        self.registry = registry
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self._requests = Counter(
            "casino_http_requests", "Requests answered", ["method", "route", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "casino_http_request_seconds",
            "Time from a request to its answer",
            ["route"],
            buckets=_BUCKETS,
            registry=self.registry,
        )

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/metrics", self.show, PUBLIC)

    async def show(self, request: web.Request) -> web.Response:
        if (request.remote or "") not in self._allowed_from or came_through_a_proxy(request):
            raise Refusal(Code.FORBIDDEN, "This address may not read the metrics.")
        text = generate_latest(self.registry)
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"})

    @web.middleware
    async def count(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Outermost middleware, so that refused requests count too."""
        begun = time.perf_counter()
        answer = await handler(request)
        resource = request.match_info.route.resource
        route = resource.canonical if resource else "none"
        method = request.method if request.method in _METHODS else "other"  # clients can invent any method
        self._requests.labels(method, route, answer.status).inc()
        if answer.status != 101:  # a WebSocket stays open for as long as its client plays
            self._seconds.labels(route).observe(time.perf_counter() - begun)
        return answer


METRICS: Final = web.AppKey("metrics", MetricsEndpoint)
