"""Carries out flows, and waits for each effect."""

from __future__ import annotations

import threading
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextvars import copy_context
from time import sleep
from typing import Any

import httpx

from . import _http
from ._flows import Answer, AtOnce, Call, Effect, Flow, Pause, Put, body_of
from .errors import TireInspectionError


class _Stopped(Exception):
    """Another flow beside this one has failed."""


class Runner:
    def __init__(self, requests: _http.Requests, client: httpx.Client) -> None:
        self._requests = requests
        self._client = client
        self.policy = requests.policy

    def call(self, call: Call) -> Any:
        return self.run(body_of(call, self.policy))

    def run(self, flow: Flow[Any], stopped: threading.Event | None = None) -> Any:
        result: Any = None
        fault: Exception | None = None
        while True:
            try:
                effect = flow.send(result) if fault is None else flow.throw(fault)
            except StopIteration as end:
                return end.value
            result, fault = None, None
            if stopped is not None and stopped.is_set():
                flow.close()
                raise _Stopped
            try:
                result = self._carry_out(effect, stopped)
            except TireInspectionError as error:
                fault = error

    def _carry_out(self, effect: Effect, stopped: threading.Event | None) -> Any:
        if isinstance(effect, Pause):
            return sleep(effect.seconds) if stopped is None else stopped.wait(effect.seconds)
        if isinstance(effect, AtOnce):
            return self._at_once(effect)
        return self._send(effect)

    def _send(self, effect: Call | Put) -> Answer[Any]:
        answer: Answer[Any] | TireInspectionError
        try:
            request = self._requests.request(self._client, effect)
            if isinstance(effect, Put):
                with _http.unlogged():
                    answer = _http.read(effect, self._client.send(request, follow_redirects=False))
            else:
                answer = _http.read(effect, self._client.send(request, follow_redirects=False))
        except httpx.HTTPError as error:
            answer = _http.failed(effect, error)
        # Not in the handler: the error of httpx, which has the request with the key, must not be the context of this.
        if isinstance(answer, TireInspectionError):
            raise answer
        return answer

    def _at_once(self, effect: AtOnce) -> list[Any]:
        stopped = threading.Event()
        # Its end waits for the attempts in flight: some versions of httpx refuse to close a client before.
        with ThreadPoolExecutor(effect.limit) as pool:
            try:
                futures = [pool.submit(copy_context().run, self.run, flow, stopped) for flow in effect.flows]
                done, waiting = wait(futures, return_when=FIRST_EXCEPTION)
            # Ctrl-C among them: nothing is repeated or begun any more.
            except BaseException:
                stopped.set()
                raise
            if waiting:
                stopped.set()
        for future in done:
            if error := future.exception():
                raise error
        return [future.result() for future in futures]
