"""One suite for both clients: a case derives from `ClientCase`, and once each from `Synchronous` and `Asynchronous`."""

from __future__ import annotations

import asyncio
import inspect
import unittest
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

from small_service import ALL_SLOTS, JPEG, KEY, Reply, SmallService

import tire_inspection as ti

ID = "01978a34-5c00-7000-8000-000000000001"
READ = f"GET /reports/{ID}"


def report(analysis_status: str, publication_status: str = "unpublished") -> Reply:
    states = {"analysis_status": analysis_status, "publication_status": publication_status}
    return Reply(200, {"schema_version": "report.v1", "report_id": ID, **states})


class Blocking:
    """The asynchronous client as if each call waited, so that one suite tests both."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target = target
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._target, name)
        if not callable(found):
            return Blocking(found, self._loop)

        def call(*args: Any, **settings: Any) -> Any:
            result = found(*args, **settings)
            if inspect.isasyncgen(result):
                return self._iterate(result)
            return self._loop.run_until_complete(result)

        return call

    def _iterate(self, generator: Any) -> Any:
        try:
            while True:
                try:
                    yield self._loop.run_until_complete(generator.__anext__())
                except StopAsyncIteration:
                    return
        finally:
            self._loop.run_until_complete(generator.aclose())


class ClientCase(unittest.TestCase):
    service: SmallService

    def new_client(self, base_url: str, **settings: Any) -> Any:
        raise NotImplementedError

    def pauses(self) -> AbstractContextManager[Any]:
        """While it is open each pause of the client ends at once, and is noted."""
        raise NotImplementedError

    def setUp(self) -> None:
        self.service = SmallService()
        self.addCleanup(self.service.stop)
        self.client = self.new_client(f"{self.service.base_url}/")

    def only_report(self) -> dict[str, Any]:
        self.assertEqual(len(self.service.reports), 1)
        return next(iter(self.service.reports.values()))

    def files(self, slots: list[str] | None = None) -> dict[str, Any]:
        return dict.fromkeys(slots or ALL_SLOTS, JPEG)

    def failure(self, call: Callable[[], Any]) -> Any:
        with self.assertRaises(Exception) as raised:
            call()
        return raised.exception


class Synchronous(ClientCase):
    def pauses(self) -> AbstractContextManager[Any]:
        return mock.patch("tire_inspection._runner.sleep")

    def new_client(self, base_url: str, api_key: str = KEY, **settings: Any) -> Any:
        client = ti.TireInspection(api_key, base_url, **{"retry_delay": 0.001, **settings})
        self.addCleanup(client.close)
        return client


class Asynchronous(ClientCase):
    def pauses(self) -> AbstractContextManager[Any]:
        return mock.patch("tire_inspection._async_runner.sleep")

    def setUp(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.addCleanup(self.loop.close)
        super().setUp()

    def new_client(self, base_url: str, api_key: str = KEY, **settings: Any) -> Any:
        client = ti.AsyncTireInspection(api_key, base_url, **{"retry_delay": 0.001, **settings})
        self.addCleanup(lambda: self.loop.run_until_complete(client.close()))
        return Blocking(client, self.loop)
