"""The client for programs that wait for each call. synchronous.py writes it: do not edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import cast

import httpx

from . import _http
from . import _operations as ops
from ._files import ImageFile
from ._flows import Call, Policy, Until
from ._runner import Runner
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


class Reports:
    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def create(self, request: CreateReportRequest, *, idempotency_key: str | None = None) -> CreateReportResponse:
        """Customer URL mode with `images`; without them the answer has upload targets, see `create_from_files`."""
        return cast(CreateReportResponse, self._runner.call(ops.creation(request, idempotency_key)))

    def create_from_files(
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
        return cast(ops.CreatedFromFiles, self._runner.run(flow))

    def replace_files(
        self, report_id: str, files: Mapping[str, ImageFile], *, concurrency: int = 4
    ) -> RegisterImagesResponse:
        """New photographs for slots that failed or were taken badly; the slots are analyzed again."""
        flow = ops.replace_files(report_id, files, self._runner.policy, concurrency)
        return cast(RegisterImagesResponse, self._runner.run(flow))

    def get(self, report_id: str) -> Report:
        return cast(Report, self._runner.call(Call("GET", ops.at(report_id))))

    def wait_for(self, report_id: str, until: Until = "finished", *, timeout: float = 300, poll: float = 0.5) -> Report:
        """`finished`: the analysis has ended, however. `complete`: with every image that the template needs.
        `published`: the share page is open. Or your own condition on the report."""
        flow = ops.wait_for(report_id, until, self._runner.policy, timeout, poll)
        return cast(Report, self._runner.run(flow))

    def list_page(self, *, cursor: str | None = None, **filters: str | int) -> ReportPage:
        """One page; `cursor` is `next_cursor` of the page before."""
        return cast(ReportPage, self._runner.call(ops.page(filters, cursor)))

    def list(self, **filters: str | int) -> Iterator[ReportSummary]:
        """Every report that matches, newest first; each page is read when the iteration comes to it."""
        cursor: str | None = None
        while True:
            page = self.list_page(cursor=cursor, **filters)
            yield from page["reports"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def content(self, report_id: str) -> Content:
        return cast(Content, self._runner.call(Call("GET", ops.at(report_id, "/content"))))

    def content_revision(self, report_id: str, revision: str) -> Content:
        return cast(Content, self._runner.call(Call("GET", ops.at(report_id, f"/content/{revision}"))))

    def content_unless(self, etag: str | None, report_id: str) -> tuple[Content, str | None] | None:
        """The content and its ETag; None while it is that of the ETag, which an earlier call returned."""
        flow = ops.content_unless(etag, report_id, self._runner.policy)
        return cast("tuple[Content, str | None] | None", self._runner.run(flow))

    def wait_for_content(self, report_id: str, *, timeout: float = 300, poll: float = 0.5) -> Content:
        """Waits while the content is pending. Its status is `ready` or `failed` then."""
        flow = ops.wait_for_content(report_id, self._runner.policy, timeout, poll)
        return cast(Content, self._runner.run(flow))

    def create_upload_targets(self, report_id: str, slot_ids: Iterable[str]) -> UploadTargetsResponse:
        return cast(UploadTargetsResponse, self._runner.call(ops.upload_targets(report_id, slot_ids)))

    def register_images(
        self, report_id: str, images: Iterable[RegisteredImage], *, replace: bool = False
    ) -> RegisterImagesResponse:
        """An asset that is registered already stays, so a repetition starts no second analysis."""
        return cast(RegisterImagesResponse, self._runner.call(ops.registration(report_id, images, replace)))

    def analyze(self, report_id: str, slot_ids: Iterable[str] | None = None) -> AnalyzeResponse:
        """The slots, or every failed one."""
        return cast(AnalyzeResponse, self._runner.call(ops.analysis(report_id, slot_ids)))

    def publish(self, report_id: str) -> PublishResponse:
        return cast(PublishResponse, self._runner.call(Call("POST", ops.at(report_id, "/publish"))))

    def share(self, report_id: str) -> ShareRecord:
        return cast(ShareRecord, self._runner.call(Call("GET", ops.at(report_id, "/share"))))

    def reissue_share(self, report_id: str) -> ShareRecord:
        """A new link; the one before never opens again."""
        return cast(ShareRecord, self._runner.call(Call("POST", ops.at(report_id, "/share"), once=True)))

    def revoke_share(self, report_id: str) -> ShareRecord:
        return cast(ShareRecord, self._runner.call(Call("DELETE", ops.at(report_id, "/share"))))

    def issue_capture_link(self, report_id: str, order: CaptureOrder | None = None) -> IssuedCapture:
        """A link with which somebody takes the photographs with a phone; the one before opens nothing from then on."""
        call = Call("POST", ops.at(report_id, "/capture-link"), body=order or {}, once=True)
        return cast(IssuedCapture, self._runner.call(call))

    def revoke_capture_link(self, report_id: str) -> RevokedCapture:
        return cast(RevokedCapture, self._runner.call(Call("DELETE", ops.at(report_id, "/capture-link"))))

    def discard(self, report_id: str) -> DiscardResponse:
        """Removes everything permanently. It repeats the request while the removal is not complete."""
        return cast(DiscardResponse, self._runner.call(Call("DELETE", ops.at(report_id))))


class Vehicles:
    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def get(self, external_vehicle_id: str) -> Vehicle:
        """The depth of each tire over time."""
        return cast(Vehicle, self._runner.call(ops.vehicle(external_vehicle_id)))


class Webhooks:
    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def poll(self, *, after: str | None = None, wait_s: int = 0) -> ListenedCallbacks:
        """Callbacks of a test project after the cursor, or none where nothing happens within `wait_s` seconds, 25 at
        most. Without `after` it tells where to begin."""
        call = ops.poll(ops.CALLBACKS, after, wait_s, self._runner.policy)
        return cast(ListenedCallbacks, self._runner.call(call))

    def listen(self, *, after: str | None = None) -> Iterator[ListenedCallbacks]:
        """The callbacks of a test project as they are sent, part after part: what `callback_url` gets, of every report
        and event. The first part is empty and tells where it begins; `after` goes on where an earlier iteration was. A
        lost connection is made again, without an end."""
        while True:
            flow = ops.next_part(ops.CALLBACKS, after, self._runner.policy)
            part = cast(ListenedCallbacks, self._runner.run(flow))
            begins, after = after is None, part["next_cursor"]
            if begins or part["callbacks"]:
                yield part

    def replay(self, request: ReplayRequest, *, timeout: float = 300) -> Iterator[ReplayResponse]:
        """Sends the ended callbacks of a period again, the oldest first. Each part is sent when the iteration comes to
        it, and waits for `timeout` seconds while the service has no room for more (429). After a fault go on with
        `cursor`, the `next_cursor` of the part before."""
        cursor = request.get("cursor")
        while True:
            flow = ops.replay_part(request, cursor, self._runner.policy, timeout)
            part = cast(ReplayResponse, self._runner.run(flow))
            yield part
            cursor = part["next_cursor"]
            if cursor is None:
                return


class RequestLog:
    """What the keys of the project requested. The key needs all scopes."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def poll(self, *, after: str | None = None, wait_s: int = 0) -> LoggedRequests:
        """Requests after the cursor, or none where nothing happens within `wait_s` seconds, 25 at most. Without `after`
        it tells where to begin."""
        call = ops.poll(ops.REQUEST_LOG, after, wait_s, self._runner.policy)
        return cast(LoggedRequests, self._runner.call(call))

    def tail(self, *, after: str | None = None) -> Iterator[LoggedRequests]:
        """The requests of the project as they are logged, part after part, as `webhooks.listen` does it."""
        while True:
            flow = ops.next_part(ops.REQUEST_LOG, after, self._runner.policy)
            part = cast(LoggedRequests, self._runner.run(flow))
            begins, after = after is None, part["next_cursor"]
            if begins or part["requests"]:
                yield part


class TireInspection:
    """The partner API. Use it as a context manager, or close it.

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
        http_client: httpx.Client | None = None,
    ) -> None:
        requests = _http.Requests(api_key, base_url, Policy(max_retries, retry_delay, timeout))
        self._own = httpx.Client() if http_client is None else None
        runner = Runner(requests, http_client or cast(httpx.Client, self._own))
        self.reports = Reports(runner)
        self.vehicles = Vehicles(runner)
        self.webhooks = Webhooks(runner)
        self.requests = RequestLog(runner)

    def close(self) -> None:
        if self._own is not None:
            self._own.close()

    def __enter__(self) -> TireInspection:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
