"""The operations of the API as requests, and the ones that take several requests as flows."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypedDict, cast, get_args
from urllib.parse import quote

from ._files import ImageFile, OpenedImage, open_all
from ._flows import AtOnce, Call, Flow, Pause, Policy, Put, Until, backoff, body_of, is_reached, polled, sent
from .errors import ApiError, ConnectionFailed, ImageFileError, UploadError
from .models import (
    CreateReportRequest,
    CreateReportResponse,
    ImageType,
    Position,
    RegisteredImage,
    RegisterImagesResponse,
    ReplayRequest,
    UploadTarget,
)

# The signature has expired: the answer to a repeated creation has the addresses of the first one.
EXPIRED_STATUSES = (400, 403, 410)

SLOT_IDS = frozenset(f"tire.{kind}.{position}" for kind in get_args(ImageType) for position in get_args(Position))

CALLBACKS = "/callbacks"
REQUEST_LOG = "/requests"
#: As long as the service waits at most.
WAIT_SECONDS = 25
FOLLOW_DELAY = 0.5
#: The pause grows no further: it is 20 seconds then.
ATTEMPTS_COUNTED = 10

#: So many that the time of the part ends first.
REPLAY_RETRIES = 1_000


class CreatedFromFiles(TypedDict):
    report_id: str
    share_url: str
    registered: RegisterImagesResponse | None
    #: Slots that had an image already: the report of this external_inspection_id exists, and its images stay.
    skipped: list[str]


def at(report_id: str, rest: str = "") -> str:
    return f"/reports/{quote(report_id, safe='')}{rest}"


def slot_id_of(target: UploadTarget) -> str:
    return f"tire.{target['slot']['image_type']}.{target['slot']['position']}"


def listed(slot_ids: Iterable[str]) -> list[dict[str, Any]]:
    def entry(slot_id: str) -> dict[str, Any]:
        if slot_id not in SLOT_IDS:
            raise ValueError(f"{slot_id!r} is no slot: 'tire.tread.front_left' is one.")
        module_type, image_type, position = slot_id.split(".")
        return {"module_type": module_type, "slot": {"position": position, "image_type": image_type}}

    return [entry(slot_id) for slot_id in slot_ids]


def creation(request: CreateReportRequest, idempotency_key: str | None) -> Call:
    key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
    if not (0 < len(key) < 256 and key.isascii() and key.isprintable()):
        raise ValueError("idempotency_key must have 1 to 255 printable ASCII characters.")
    return Call("POST", "/reports", body=request, headers={"Idempotency-Key": key})


def upload_targets(report_id: str, slot_ids: Iterable[str]) -> Call:
    return Call("POST", at(report_id, "/upload-targets"), body={"slots": listed(slot_ids)})


def registration(report_id: str, images: Iterable[RegisteredImage], replacing: bool) -> Call:
    query = {"replace": "true"} if replacing else {}
    return Call("POST", at(report_id, "/images"), query=query, body={"images": list(images)})


def analysis(report_id: str, slot_ids: Iterable[str] | None) -> Call:
    body: dict[str, Any] = {} if slot_ids is None else {"slots": listed(slot_ids)}
    # A slot whose analysis has ended between two attempts would be analyzed twice.
    return Call("POST", at(report_id, "/analyze"), body=body, once=True)


def vehicle(external_vehicle_id: str) -> Call:
    return Call("GET", f"/vehicles/{quote(external_vehicle_id, safe='')}")


def page(filters: Mapping[str, Any], cursor: str | None) -> Call:
    query = {name: value for name, value in {**filters, "cursor": cursor}.items() if value is not None}
    return Call("GET", "/reports", query=query)


def upload(report_id: str, target: UploadTarget, image: OpenedImage, policy: Policy) -> Flow[UploadTarget]:
    def put(to: UploadTarget) -> Put:
        headers = {"Content-Type": image.content_type, **to["required_headers"]}
        return Put(slot_id_of(to), to["upload_url"], headers, image.read)

    try:
        yield from sent(put(target), policy)
        return target
    except UploadError as error:
        if error.status not in EXPIRED_STATUSES:
            raise
    answer = yield from body_of(upload_targets(report_id, [slot_id_of(target)]), policy)
    renewed = cast(UploadTarget, answer["upload_targets"][0])
    yield from sent(put(renewed), policy)
    return renewed


def uploads(
    report_id: str,
    targets: Iterable[UploadTarget],
    images: Mapping[str, OpenedImage],
    policy: Policy,
    concurrency: int,
) -> Flow[list[RegisteredImage]]:
    flows = [upload(report_id, target, images[slot_id_of(target)], policy) for target in targets]
    uploaded: list[UploadTarget] = yield AtOnce(flows, max(concurrency, 1))
    return [{"asset_id": one["asset_id"], "module_type": one["module_type"], "slot": one["slot"]} for one in uploaded]


def slots_taken(report_id: str, targets: Iterable[UploadTarget], policy: Policy) -> Flow[set[str]]:
    """The stored answer to an old Idempotency-Key still has targets of slots that got their image long ago."""
    now = datetime.datetime.now(datetime.timezone.utc)
    # Python 3.10 reads no Z.
    if not any(datetime.datetime.fromisoformat(one["expires_at"].replace("Z", "+00:00")) <= now for one in targets):
        return set()
    report = yield from body_of(Call("GET", at(report_id)), policy)
    return {slot_id_of(slot) for slot in report["slots"] if slot["asset"] is not None}


def create_from_files(
    request: CreateReportRequest,
    files: Mapping[str, ImageFile],
    policy: Policy,
    idempotency_key: str | None,
    concurrency: int,
) -> Flow[CreatedFromFiles]:
    listed(files)
    images = open_all(files)
    for slot_id in images:
        if request.get("template") == "tire_4t_0s" and ".sidewall." in slot_id:
            raise ImageFileError(slot_id, "tire_4t_0s has no sidewalls.")
    created: CreateReportResponse = yield from body_of(creation(request, idempotency_key), policy)
    report_id = created["report_id"]
    offered = created.get("upload_targets", [])
    taken = yield from slots_taken(report_id, offered, policy)
    targets = [target for target in offered if slot_id_of(target) in images and slot_id_of(target) not in taken]
    wanted = {slot_id_of(target) for target in targets}
    registered = yield from uploads(report_id, targets, images, policy, concurrency)
    answer = (yield from body_of(registration(report_id, registered, False), policy)) if registered else None
    return {
        "report_id": report_id,
        "share_url": created["share_url"],
        "registered": answer,
        "skipped": [slot_id for slot_id in images if slot_id not in wanted],
    }


def replace_files(
    report_id: str, files: Mapping[str, ImageFile], policy: Policy, concurrency: int
) -> Flow[RegisterImagesResponse]:
    images = open_all(files)
    answer = yield from body_of(upload_targets(report_id, images), policy)
    registered = yield from uploads(report_id, answer["upload_targets"], images, policy, concurrency)
    return cast(RegisterImagesResponse, (yield from body_of(registration(report_id, registered, True), policy)))


def replay_part(request: ReplayRequest, cursor: str | None, policy: Policy, timeout: float) -> Flow[Any]:
    body = request if cursor is None else {**request, "cursor": cursor}
    # A callback that has ended between two attempts would be sent twice.
    call = Call("POST", "/webhooks/replay", body=body, once=True)
    patient = replace(policy, max_retries=REPLAY_RETRIES)
    return polled("Room for further callbacks", call, lambda _: True, patient, timeout=timeout, poll=0)


def poll(path: str, after: str | None, wait_s: int, policy: Policy) -> Call:
    query = {name: value for name, value in {"after": after, "wait_s": wait_s}.items() if value is not None}
    # The service waits, and answers before the client gives up.
    return Call("GET", path, query=query, timeout=policy.timeout + wait_s)


def next_part(path: str, after: str | None, policy: Policy) -> Flow[Any]:
    """Reads until there is an answer. A lost one is read again from the same cursor: nothing is missed or doubled."""
    attempt = 0
    while True:
        retry_after: float | None = None
        try:
            return (yield from body_of(poll(path, after, WAIT_SECONDS, policy), replace(policy, max_retries=0)))
        except ApiError as error:
            if not error.retryable:
                raise
            retry_after = error.retry_after
        except ConnectionFailed:
            pass
        yield Pause(max(retry_after or 0.0, backoff(attempt, FOLLOW_DELAY)))
        attempt = min(attempt + 1, ATTEMPTS_COUNTED)


def wait_for(report_id: str, until: Until, policy: Policy, timeout: float, poll: float) -> Flow[Any]:
    what = "The awaited state of the report" if callable(until) else f"The state {until} of the report"
    call = Call("GET", at(report_id))
    return polled(what, call, lambda report: is_reached(report, until), policy, timeout=timeout, poll=poll)


def wait_for_content(report_id: str, policy: Policy, timeout: float, poll: float) -> Flow[Any]:
    call = Call("GET", at(report_id, "/content"))
    is_last = lambda content: content["status"] != "pending"  # noqa: E731
    return polled("The content of the report", call, is_last, policy, timeout=timeout, poll=poll)


def content_unless(etag: str | None, report_id: str, policy: Policy) -> Flow[Any]:
    headers = {} if etag is None else {"If-None-Match": etag}
    answer = yield from sent(Call("GET", at(report_id, "/content"), headers=headers), policy)
    return None if answer.status == 304 else (answer.body, answer.headers.get("etag"))
