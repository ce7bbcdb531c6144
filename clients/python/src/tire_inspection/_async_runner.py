"""Carries out flows, with asyncio."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from typing import Any

import httpx

from . import _http
from ._flows import Answer, AtOnce, Call, Effect, Flow, Pause, Put, body_of
from .errors import TireInspectionError


class Runner:
    def __init__(self, requests: _http.Requests, client: httpx.AsyncClient) -> None:
        self._requests = requests
        self._client = client
        self.policy = requests.policy

    async def call(self, call: Call) -> Any:
        return await self.run(body_of(call, self.policy))

    async def run(self, flow: Flow[Any]) -> Any:
        result: Any = None
        fault: Exception | None = None
        while True:
            try:
                effect = flow.send(result) if fault is None else flow.throw(fault)
            except StopIteration as end:
                return end.value
            result, fault = None, None
            try:
                result = await self._carry_out(effect)
            except TireInspectionError as error:
                fault = error

    async def _carry_out(self, effect: Effect) -> Any:
        if isinstance(effect, Pause):
            return await sleep(effect.seconds)
        if isinstance(effect, AtOnce):
            return await self._at_once(effect)
        return await self._send(effect)

    async def _send(self, effect: Call | Put) -> Answer[Any]:
        answer: Answer[Any] | TireInspectionError
        try:
            # In a thread: the file of an upload is read here.
            request = await asyncio.to_thread(self._requests.request, self._client, effect)
            if isinstance(effect, Put):
                with _http.unlogged():
                    answer = _http.read(effect, await self._client.send(request, follow_redirects=False))
            else:
                answer = _http.read(effect, await self._client.send(request, follow_redirects=False))
        except httpx.HTTPError as error:
            answer = _http.failed(effect, error)
        # Not in the handler: the error of httpx, which has the request with the key, must not be the context of this.
        if isinstance(answer, TireInspectionError):
            raise answer
        return answer

    async def _at_once(self, effect: AtOnce) -> list[Any]:
        places = asyncio.Semaphore(effect.limit)

        async def in_place(flow: Flow[Any]) -> Any:
            async with places:
                return await self.run(flow)

        tasks = [asyncio.ensure_future(in_place(flow)) for flow in effect.flows]
        try:
            return await asyncio.gather(*tasks)
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise
