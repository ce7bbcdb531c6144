"""The client for asyncio. synchronous.py writes the synchronous one from this file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from types import TracebackType
from typing import cast

import httpx

from . import _http
from . import _operations as ops
from ._async_runner import Runner
from ._files import ImageFile
from ._flows import Call, Policy, Until
from .models import (
    AnalyzeResponse,
    CaptureOrder,
    Content,
    CreateReportRequest,
    CreateReportResponse,
    DiscardResponse,
    IssuedCapture,
    ListenedCallbacks,
    LoggedRequests,
    PublishResponse,
    RegisteredImage,
    RegisterImagesResponse,
    ReplayRequest,
    ReplayResponse,
    Report,
    ReportPage,
    ReportSummary,
    RevokedCapture,
    ShareRecord,
    UploadTargetsResponse,
    Vehicle,
)


class AsyncReports:
    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    async def create(self, request: CreateReportRequest, *, idempotency_key: str | None = None) -> CreateReportResponse:
        """Customer URL mode with `images`; without them the answer has upload targets, see `create_from_files`."""
        return cast(CreateReportResponse, await self._runner.call(ops.creation(request, idempotency_key)))

    async def create_from_files(
        self,
        files: Mapping[str, ImageFile],
        request: CreateReportRequest | None = None,
        *,
        idempotency_key: str | None = None,
        concurrency: int = 4,
    ) -> ops.CreatedFromFiles:
        """Creates a report, uploads its images and registers them, which starts the analysis.

        After a crash call it again with the same `external_inspection_id`: it goes on where it was.
        """
        flow = ops.create_from_files(request or {}, files, self._runner.policy, idempotency_key, concurrency)
        return cast(ops.CreatedFromFiles, await self._runner.run(flow))

    async def replace_files(
        self, report_id: str, files: Mapping[str, ImageFile], *, concurrency: int = 4
    ) -> RegisterImagesResponse:
        """New photographs for slots that failed or were taken badly; the slots are analyzed again."""
        flow = ops.replace_files(report_id, files, self._runner.policy, concurrency)
        return cast(RegisterImagesResponse, await self._runner.run(flow))

    async def get(self, report_id: str) -> Report:
        return cast(Report, await self._runner.call(Call("GET", ops.at(report_id))))

    async def wait_for(
        self, report_id: str, until: Until = "finished", *, timeout: float = 300, poll: float = 0.5
    ) -> Report:
        """`finished`: the analysis has ended, however. `complete`: with every image that the template needs.
        `published`: the share page is open. Or your own condition on the report."""
        flow = ops.wait_for(report_id, until, self._runner.policy, timeout, poll)
        return cast(Report, await self._runner.run(flow))

    async def list_page(self, *, cursor: str | None = None, **filters: str | int) -> ReportPage:
        """One page; `cursor` is `next_cursor` of the page before."""
        return cast(ReportPage, await self._runner.call(ops.page(filters, cursor)))

    async def list(self, **filters: str | int) -> AsyncIterator[ReportSummary]:
        """Every report that matches, newest first; each page is read when the iteration comes to it."""
        cursor: str | None = None
        while True:
            page = await self.list_page(cursor=cursor, **filters)
            for report in page["reports"]:
                yield report
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def content(self, report_id: str) -> Content:
        return cast(Content, await self._runner.call(Call("GET", ops.at(report_id, "/content"))))

    async def content_revision(self, report_id: str, revision: str) -> Content:
        return cast(Content, await self._runner.call(Call("GET", ops.at(report_id, f"/content/{revision}"))))

    async def content_unless(self, etag: str | None, report_id: str) -> tuple[Content, str | None] | None:
        """The content and its ETag; None while it is that of the ETag, which an earlier call returned."""
        flow = ops.content_unless(etag, report_id, self._runner.policy)
        return cast("tuple[Content, str | None] | None", await self._runner.run(flow))

    async def wait_for_content(self, report_id: str, *, timeout: float = 300, poll: float = 0.5) -> Content:
        """Waits while the content is pending. Its status is `ready` or `failed` then."""
        flow = ops.wait_for_content(report_id, self._runner.policy, timeout, poll)
        return cast(Content, await self._runner.run(flow))

    async def create_upload_targets(self, report_id: str, slot_ids: Iterable[str]) -> UploadTargetsResponse:
        return cast(UploadTargetsResponse, await self._runner.call(ops.upload_targets(report_id, slot_ids)))

    async def register_images(
        self, report_id: str, images: Iterable[RegisteredImage], *, replace: bool = False
    ) -> RegisterImagesResponse:
        """An asset that is registered already stays, so a repetition starts no second analysis."""
        return cast(RegisterImagesResponse, await self._runner.call(ops.registration(report_id, images, replace)))

    async def analyze(self, report_id: str, slot_ids: Iterable[str] | None = None) -> AnalyzeResponse:
        """The slots, or every failed one."""
        return cast(AnalyzeResponse, await self._runner.call(ops.analysis(report_id, slot_ids)))

    async def publish(self, report_id: str) -> PublishResponse:
        return cast(PublishResponse, await self._runner.call(Call("POST", ops.at(report_id, "/publish"))))

    async def share(self, report_id: str) -> ShareRecord:
        return cast(ShareRecord, await self._runner.call(Call("GET", ops.at(report_id, "/share"))))

    async def reissue_share(self, report_id: str) -> ShareRecord:
        """A new link; the one before never opens again."""
        return cast(ShareRecord, await self._runner.call(Call("POST", ops.at(report_id, "/share"), once=True)))

    async def revoke_share(self, report_id: str) -> ShareRecord:
        return cast(ShareRecord, await self._runner.call(Call("DELETE", ops.at(report_id, "/share"))))

    async def issue_capture_link(self, report_id: str, order: CaptureOrder | None = None) -> IssuedCapture:
        """A link with which somebody takes the photographs with a phone; the one before opens nothing from then on."""
        call = Call("POST", ops.at(report_id, "/capture-link"), body=order or {}, once=True)
        return cast(IssuedCapture, await self._runner.call(call))

    async def revoke_capture_link(self, report_id: str) -> RevokedCapture:
        return cast(RevokedCapture, await self._runner.call(Call("DELETE", ops.at(report_id, "/capture-link"))))

    async def discard(self, report_id: str) -> DiscardResponse:
        """Removes everything permanently. It repeats the request while the removal is not complete."""
        return cast(DiscardResponse, await self._runner.call(Call("DELETE", ops.at(report_id))))


class AsyncVehicles:
    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    async def get(self, external_vehicle_id: str) -> Vehicle:
        """The depth of each tire over time."""
        return cast(Vehicle, await self._runner.call(ops.vehicle(external_vehicle_id)))


class AsyncWebhooks:
    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    async def poll(self, *, after: str | None = None, wait_s: int = 0) -> ListenedCallbacks:
        """Callbacks of a test project after the cursor, or none where nothing happens within `wait_s` seconds, 25 at
        most. Without `after` it tells where to begin."""
        call = ops.poll(ops.CALLBACKS, after, wait_s, self._runner.policy)
        return cast(ListenedCallbacks, await self._runner.call(call))

    async def listen(self, *, after: str | None = None) -> AsyncIterator[ListenedCallbacks]:
        """The callbacks of a test project as they are sent, part after part: what `callback_url` gets, of every report
        and event. The first part is empty and tells where it begins; `after` goes on where an earlier iteration was. A
        lost connection is made again, without an end."""
        while True:
            flow = ops.next_part(ops.CALLBACKS, after, self._runner.policy)
            part = cast(ListenedCallbacks, await self._runner.run(flow))
            begins, after = after is None, part["next_cursor"]
            if begins or part["callbacks"]:
                yield part

    async def replay(self, request: ReplayRequest, *, timeout: float = 300) -> AsyncIterator[ReplayResponse]:
        """Sends the ended callbacks of a period again, the oldest first. Each part is sent when the iteration comes to
        it, and waits for `timeout` seconds while the service has no room for more (429). After a fault go on with
        `cursor`, the `next_cursor` of the part before."""
        cursor = request.get("cursor")
        while True:
            flow = ops.replay_part(request, cursor, self._runner.policy, timeout)
            part = cast(ReplayResponse, await self._runner.run(flow))
            yield part
            cursor = part["next_cursor"]
            if cursor is None:
                return


class AsyncRequestLog:
    """What the keys of the project requested. The key needs all scopes."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    async def poll(self, *, after: str | None = None, wait_s: int = 0) -> LoggedRequests:
        """Requests after the cursor, or none where nothing happens within `wait_s` seconds, 25 at most. Without `after`
        it tells where to begin."""
        call = ops.poll(ops.REQUEST_LOG, after, wait_s, self._runner.policy)
        return cast(LoggedRequests, await self._runner.call(call))

    async def tail(self, *, after: str | None = None) -> AsyncIterator[LoggedRequests]:
        """The requests of the project as they are logged, part after part, as `webhooks.listen` does it."""
        while True:
            flow = ops.next_part(ops.REQUEST_LOG, after, self._runner.policy)
            part = cast(LoggedRequests, await self._runner.run(flow))
            begins, after = after is None, part["next_cursor"]
            if begins or part["requests"]:
                yield part


class AsyncTireInspection:
    """The partner API. Use it as an asynchronous context manager, or close it.

    `http_client`: your own httpx client, for example with a proxy; it stays yours to close.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        max_retries: int = 4,
        retry_delay: float = 0.5,
        timeout: float = 30,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        requests = _http.Requests(api_key, base_url, Policy(max_retries, retry_delay, timeout))
        self._own = httpx.AsyncClient() if http_client is None else None
        runner = Runner(requests, http_client or cast(httpx.AsyncClient, self._own))
        self.reports = AsyncReports(runner)
        self.vehicles = AsyncVehicles(runner)
        self.webhooks = AsyncWebhooks(runner)
        self.requests = AsyncRequestLog(runner)

    async def close(self) -> None:
        if self._own is not None:
            await self._own.aclose()

    async def __aenter__(self) -> AsyncTireInspection:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
