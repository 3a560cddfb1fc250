"""Liveness: says that the process answers, and nothing about tables or database."""

from aiohttp import web


async def healthz(_request: web.Request) -> web.Response:
    return web.json_response({"status": "ok"}, headers={"Cache-Control": "no-store"})
