# Generated from the schemas of libs/contracts/openapi.json by generate.py, sha256 87d269a8f2fbe503305fd46db6d96fcddd707857ee6393cc08921c446e70621a

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, final

if TYPE_CHECKING:
    from typing_extensions import NotRequired


@final
class AnalysisEngine(TypedDict):
    api: str
    api_version: str
    operation: Literal['tire.tread', 'tire.sidewall']
    result_schema_version: str
    requested_functions: list[str]


@final
class AnalysisQuality(TypedDict):
    recognized: bool
    confidence: float | None


@final
class AnalysisError(TypedDict):
    code: Literal['analysis_failed', 'image_unreachable', 'image_fetch_timeout', 'image_too_large', 'image_url_forbidden', 'image_format_unsupported', 'image_undecodable', 'image_too_small', 'tread_not_found', 'sidewall_not_found']
    retryable: bool


@final
class AnalysisRetakeItemHint(TypedDict):
    ko: str
    en: str


@final
class AnalysisRetakeItem(TypedDict):
    code: Literal['not_a_tread', 'not_a_sidewall', 'wheel_in_tread_slot', 'tread_in_sidewall_slot', 'unreadable', 'unsupported_size', 'too_dark', 'too_bright', 'blurred', 'too_far', 'too_oblique', 'tread_cut_off', 'unmeasurable']
    hint: AnalysisRetakeItemHint


AnalysisStatus: TypeAlias = Literal['awaiting_images', 'processing', 'partial', 'complete', 'failed']


@final
class AnalyzeResponse(TypedDict):
    report_id: str
    analysis_status: AnalysisStatus
    slots: list[str]


@final
class AssetSource(TypedDict):
    kind: Literal['partner_url', 'atrace_upload']
    url: str | None
    client_asset_id: str | None


@final
class Asset(TypedDict):
    asset_id: str
    source: AssetSource


BaldZonePolygonXyNormItem: TypeAlias = float


@final
class BaldZone(TypedDict):
    place: Literal['whole', 'first_shoulder', 'center', 'last_shoulder']
    from_share: float
    to_share: float
    polygon_xy_norm: list[list[BaldZonePolygonXyNormItem]]


@final
class BaldZones(TypedDict):
    share_of_width: float
    worn_smooth: bool
    zones: list[BaldZone]


@final
class Capture(TypedDict):
    state: Literal['issued', 'opened', 'finished', 'expired', 'revoked']
    images: int
    expires_at: str
    opened_at: str | None
    finished_at: str | None
    revoked_at: str | None


@final
class CaptureFinishedDataLinks(TypedDict):
    self: str
    content: str
    share: str | None


@final
class CaptureFinishedData(TypedDict):
    report_id: str
    finished_at: str
    external_inspection_id: str | None
    external_vehicle_id: str | None
    links: CaptureFinishedDataLinks


@final
class CaptureFinished(TypedDict):
    type: Literal['capture.finished']
    timestamp: str
    data: CaptureFinishedData


@final
class CaptureOrder(TypedDict):
    expires_in_hours: NotRequired[int | None]
    language: NotRequired[Literal['ko', 'en'] | None]
    return_url: NotRequired[str | None]


@final
class ContentSource(TypedDict):
    report_schema_version: Literal['report.v1']
    analysis_revision: str | None


@final
class ContentError(TypedDict):
    code: str
    retryable: bool


@final
class ContentLinks(TypedDict):
    self: str
    canonical: str | None
    report: str


@final
class ContentGenerator(TypedDict):
    ruleset_version: str
    copy_version: str
    projection_version: str


@final
class ContentProfile(TypedDict):
    key: str
    version: str
    locale: str


@final
class ContentReadyDataLinks(TypedDict):
    self: str
    content: str
    share: str | None
    canonical: str


@final
class ContentReadyData(TypedDict):
    report_id: str
    analysis_revision: str
    content_revision: str
    external_inspection_id: str | None
    external_vehicle_id: str | None
    links: ContentReadyDataLinks


@final
class ContentReady(TypedDict):
    type: Literal['content.ready']
    timestamp: str
    data: ContentReadyData


@final
class ContentSectionContentSectionMetrics(TypedDict):
    minimum_remaining_depth_mm: float | None
    legal_limit_mm: float
    inspection_threshold_mm: float


@final
class ContentSectionContentSection1Metrics(TypedDict):
    reference_speed_kmh: float
    new_tire_distance_m: float | None
    current_tire_distance_m: float | None
    distance_gap_m: float | None
    distance_gap_car_lengths: float | None
    speed_at_new_tire_stop_kmh: float | None
    distance_gap_percent: NotRequired[float | None]
    band: Literal['short', 'moderate', 'long'] | None
    current_tire_distance_range_m: NotRequired[list[float] | None]
    farthest_band: NotRequired[Literal['short', 'moderate', 'long'] | None]
    distance_is_at_least: NotRequired[bool]


@final
class ContentSectionContentSection3Metrics(TypedDict):
    front_axle_delta_mm: float | None
    rear_axle_delta_mm: float | None
    max_axle_delta_mm: float | None


@final
class ContentSectionContentSection4Metrics(TypedDict):
    recognized_count: int
    front_spec: str | None
    rear_spec: str | None
    front_rear_match: bool | None
    mixed_axles: NotRequired[list[Literal['front', 'rear']]]
    diameter_difference_percent: NotRequired[float | None]


@final
class ContentTireBald(TypedDict):
    worn_smooth: bool
    share_of_width: float
    places: list[Literal['whole', 'first_shoulder', 'center', 'last_shoulder']]


@final
class CreateReportRequestContentProfile(TypedDict):
    key: NotRequired[Literal['tire-standard'] | None]
    version: NotRequired[Literal['1.0'] | None]
    locale: NotRequired[Literal['ko-KR', 'en-US'] | None]


@final
class CreateReportResponseWarning(TypedDict):
    code: Literal['unknown_field']
    param: str
    message: str


DepthIntervalDepthIntervalItem: TypeAlias = float


DepthInterval: TypeAlias = list[DepthIntervalDepthIntervalItem]


@final
class DiscardResponse(TypedDict):
    report_id: str
    discarded_at: str


@final
class ErrorEnvelopeErrorError(TypedDict):
    param: str | None
    message: str


@final
class ErrorEnvelopeError(TypedDict):
    type: Literal['authentication_error', 'permission_error', 'invalid_request_error', 'rate_limit_error', 'api_error']
    code: Literal['unauthorized', 'forbidden', 'not_found', 'idempotency_conflict', 'idempotency_in_progress', 'slot_already_succeeded', 'report_discarded', 'report_purge_pending', 'content_unavailable_for_legacy', 'publish_requirements_unmet', 'validation_error', 'rate_limited', 'discard_incomplete', 'internal_error']
    message: str
    param: str | None
    retryable: bool
    errors: NotRequired[list[ErrorEnvelopeErrorError]]
    report_id: NotRequired[str]


@final
class ErrorEnvelope(TypedDict):
    error: ErrorEnvelopeError


@final
class GaugeValue(TypedDict):
    groove: int
    depth_mm: float
    measured_mm: float
    measured_interval_mm: DepthInterval | None
    entered_at: str


GrooveMaskPolygonXyNormItem: TypeAlias = float


@final
class GrooveMask(TypedDict):
    depth_mm: float | None
    score: float | None
    polygon_xy_norm: list[list[GrooveMaskPolygonXyNormItem]]
    depth_interval_mm: NotRequired[DepthInterval | None]


ImageType: TypeAlias = Literal['tread', 'sidewall']


@final
class IssuedCapture(TypedDict):
    report_id: str
    capture_url: str
    expires_at: str


@final
class ListenedCallback(TypedDict):
    callback_id: str
    type: Literal['report.completed', 'report.partial', 'report.failed', 'content.ready', 'share.revoked', 'capture.finished']
    report_id: str
    queued_at: str
    headers: dict[str, str]
    body: str


@final
class ListenedCallbacks(TypedDict):
    callbacks: list[ListenedCallback]
    next_cursor: str
    recorded_since: str


@final
class LoggedRequest(TypedDict):
    at: str
    key_id: str
    method: str
    path: str
    status: int
    duration_ms: int
    request_id: str


@final
class LoggedRequests(TypedDict):
    requests: list[LoggedRequest]
    next_cursor: str


OnePerSlot: TypeAlias = Any


Position: TypeAlias = Literal['front_left', 'front_right', 'rear_left', 'rear_right']


PublicationStatus: TypeAlias = Literal['unpublished', 'published', 'revoked']


@final
class PublishResponse(TypedDict):
    report_id: str
    publication_status: PublicationStatus
    share_url: str | None
    published_at: str | None


@final
class RegisterImagesRequestImages(TypedDict):
    pass


@final
class RegisterImagesResponseImage(TypedDict):
    slot_id: str
    asset_id: str
    status: Literal['accepted', 'unchanged']


@final
class RegisterImagesResponse(TypedDict):
    report_id: str
    analysis_status: AnalysisStatus
    images: list[RegisterImagesResponseImage]


@final
class RenderDataTreadOverlayCoordinateSystem(TypedDict):
    space: Literal['input_image_normalized']
    origin: Literal['top_left']
    x_range: list[Literal[0, 1]]
    y_range: list[Literal[0, 1]]
    rotation_degrees_clockwise: float
    mirror_x: bool
    image_orientation_normalized: bool
    mask_depth_order: Literal['same_index']


RenderDataSidewallSpecSizePolygonXyNormItem: TypeAlias = float


@final
class RenderDataSidewallSpecManufactured(TypedDict):
    week: int
    year: int
    age_months: int


@final
class ReplayRequest(TypedDict):
    queued_from: str
    queued_before: str
    state: NotRequired[Literal['delivered', 'abandoned'] | None]
    types: NotRequired[list[Literal['report.completed', 'report.partial', 'report.failed', 'content.ready', 'share.revoked', 'capture.finished']] | None]
    cursor: NotRequired[str | None]


@final
class ReplayResponse(TypedDict):
    replayed: int
    next_cursor: str | None


@final
class ReportVehicle(TypedDict):
    plate_number: str | None
    vin: NotRequired[str | None]
    mileage_km: NotRequired[int | None]


@final
class ReportClientContext(TypedDict):
    external_inspection_id: str | None
    external_vehicle_id: str | None
    metadata: dict[str, Any]


@final
class ReportCreation(TypedDict):
    source_channel: Literal['partner_api', 'atrace_console', 'mobile_web']
    mode: Literal['automatic', 'manual']


@final
class ReportLinks(TypedDict):
    self: str
    content: str
    share: str | None


@final
class ReportTimestamps(TypedDict):
    created_at: str
    analysis_completed_at: str | None
    published_at: str | None
    updated_at: str


@final
class ReportCompletedDataLinks(TypedDict):
    self: str
    content: str
    share: str | None


@final
class ReportCompletedData(TypedDict):
    report_id: str
    analysis_status: Literal['complete']
    analysis_revision: str
    external_inspection_id: str | None
    external_vehicle_id: str | None
    links: ReportCompletedDataLinks


@final
class ReportCompleted(TypedDict):
    type: Literal['report.completed']
    timestamp: str
    data: ReportCompletedData


@final
class ReportFailedDataLinks(TypedDict):
    self: str
    content: str
    share: str | None


@final
class ReportFailedData(TypedDict):
    report_id: str
    analysis_status: Literal['failed']
    analysis_revision: str
    external_inspection_id: str | None
    external_vehicle_id: str | None
    links: ReportFailedDataLinks


@final
class ReportFailed(TypedDict):
    type: Literal['report.failed']
    timestamp: str
    data: ReportFailedData


@final
class ReportPartialDataLinks(TypedDict):
    self: str
    content: str
    share: str | None


@final
class ReportPartialData(TypedDict):
    report_id: str
    analysis_status: Literal['partial']
    analysis_revision: str
    external_inspection_id: str | None
    external_vehicle_id: str | None
    links: ReportPartialDataLinks


@final
class ReportPartial(TypedDict):
    type: Literal['report.partial']
    timestamp: str
    data: ReportPartialData


@final
class ReportSummaryVehicle(TypedDict):
    plate_number: str | None


@final
class ReportSummaryClientContext(TypedDict):
    external_inspection_id: str | None
    external_vehicle_id: str | None


@final
class ReportSummaryCreation(TypedDict):
    source_channel: Literal['partner_api', 'atrace_console', 'mobile_web']
    mode: Literal['automatic', 'manual']


@final
class ReportSummaryLinks(TypedDict):
    self: str
    content: str


@final
class ReportSummaryTimestamps(TypedDict):
    created_at: str


@final
class ReportWarning(TypedDict):
    code: Literal['same_image', 'similar_image']
    slot_ids: list[str]


@final
class RevokedCapture(TypedDict):
    report_id: str
    revoked_at: str


Severity: TypeAlias = Literal['good', 'caution', 'critical', 'unknown']


@final
class ShareRecord(TypedDict):
    report_id: str
    status: Literal['active', 'closed', 'revoked', 'expired']
    share_url: str | None
    expires_at: str | None
    revoked_at: str | None
    created_at: str


@final
class ShareRevokedDataLinks(TypedDict):
    self: str
    content: str
    share: str | None


@final
class ShareRevokedData(TypedDict):
    report_id: str
    external_inspection_id: str | None
    external_vehicle_id: str | None
    links: ShareRevokedDataLinks


@final
class ShareRevoked(TypedDict):
    type: Literal['share.revoked']
    timestamp: str
    data: ShareRevokedData


SidewallResultSizePolygonXyNormItem: TypeAlias = float


@final
class SidewallResultManufactured(TypedDict):
    week: int
    year: int
    age_months: int


@final
class Slot(TypedDict):
    position: Position
    image_type: ImageType


@final
class SubmittedImageSource(TypedDict):
    url: str
    client_asset_id: NotRequired[str | None]


@final
class SubmittedImage(TypedDict):
    module_type: Literal['tire']
    slot: Slot
    source: SubmittedImageSource


@final
class TemplateRequirement(TypedDict):
    module_type: Literal['tire']
    image_type: ImageType
    allowed_positions: list[Position]
    minimum_success_count: int


TemplateKey: TypeAlias = Literal['tire_4t_2s', 'tire_4t_4s', 'tire_4t_0s']


@final
class TireSize(TypedDict):
    section_width: int | None
    aspect_ratio: int | None
    rim_diameter: int | None


@final
class TreadResultAggregatedDepth(TypedDict):
    aggregated_remaining_depth: float | None
    estimated_lifetime: float | None
    depth_interval_mm: NotRequired[DepthInterval | None]


@final
class TreadResultIndividualDepths(TypedDict):
    individual_remaining_depth: list[float]
    depth_intervals_mm: NotRequired[list[DepthInterval]]


TreadRoiBboxXyxyNormItem: TypeAlias = float


@final
class TreadRoi(TypedDict):
    bbox_xyxy_norm: list[TreadRoiBboxXyxyNormItem] | None


@final
class UnseenPart(TypedDict):
    place: Literal['first_shoulder', 'center', 'last_shoulder']
    reason: Literal['outside_image', 'groove_unclear']


@final
class UploadTarget(TypedDict):
    asset_id: str
    module_type: Literal['tire']
    slot: Slot
    upload_url: str
    required_headers: dict[str, str]
    expires_at: str


@final
class UploadTargetsRequestSlots(TypedDict):
    pass


@final
class UploadTargetsResponse(TypedDict):
    report_id: str
    upload_targets: list[UploadTarget]


@final
class VehicleInspectionDepthsMm(TypedDict):
    front_left: float | None
    front_right: float | None
    rear_left: float | None
    rear_right: float | None


@final
class VehicleInspectionLinks(TypedDict):
    self: str
    content: str


@final
class VehicleInspectionTimestamps(TypedDict):
    created_at: str


@final
class VehicleTread(TypedDict):
    depth_interval_mm: DepthInterval | None
    is_bald: bool
    is_partly_unseen: bool
    is_image_shared: bool


WearPatternCode: TypeAlias = Literal['even_wear', 'center_wear_overinflation_candidate', 'both_shoulder_wear_underinflation_candidate', 'one_shoulder_wear_alignment_candidate', 'mixed_or_uncertain']


@final
class AnalyzeRequestSlots(TypedDict):
    pass


@final
class ContentReportContext(TypedDict):
    plate_number: str | None
    inspected_at: str | None
    template_key: TemplateKey


@final
class ContentOverall(TypedDict):
    severity: Severity
    severity_label: str
    headline: str
    paragraphs: list[str]


@final
class ContentSectionContentSection(TypedDict):
    section_id: Literal['tread_wear']
    order: int
    title: str
    severity: Severity
    badge_label: str | None
    paragraphs: list[str]
    metrics: ContentSectionContentSectionMetrics


@final
class ContentSectionContentSection1(TypedDict):
    section_id: Literal['braking_distance']
    order: int
    title: str
    severity: Severity
    badge_label: str | None
    paragraphs: list[str]
    metrics: ContentSectionContentSection1Metrics


@final
class ContentSectionContentSection2Metrics(TypedDict):
    affected_tire_count: int
    codes: list[WearPatternCode]


@final
class ContentSectionContentSection2(TypedDict):
    section_id: Literal['wear_pattern']
    order: int
    title: str
    severity: Severity
    badge_label: str | None
    paragraphs: list[str]
    metrics: ContentSectionContentSection2Metrics


@final
class ContentSectionContentSection3(TypedDict):
    section_id: Literal['position_variance']
    order: int
    title: str
    severity: Severity
    badge_label: str | None
    paragraphs: list[str]
    metrics: ContentSectionContentSection3Metrics


@final
class ContentSectionContentSection4(TypedDict):
    section_id: Literal['sidewall_spec']
    order: int
    title: str
    severity: Severity
    badge_label: str | None
    paragraphs: list[str]
    metrics: ContentSectionContentSection4Metrics


ContentSection: TypeAlias = ContentSectionContentSection | ContentSectionContentSection1 | ContentSectionContentSection2 | ContentSectionContentSection3 | ContentSectionContentSection4


@final
class ContentTireWearPattern(TypedDict):
    code: WearPatternCode
    worn_shoulder: Literal['left', 'right'] | None
    label: str
    description: str


@final
class ContentTire(TypedDict):
    slot_id: str
    tire_index: Literal['T1', 'T2', 'T3', 'T4']
    position: Position
    position_label: str
    minimum_remaining_depth_mm: float | None
    severity: Severity
    severity_label: str
    decision_label: str
    wear_pattern: ContentTireWearPattern | None
    narrative: str | None
    depth_interval_mm: NotRequired[DepthInterval | None]
    certainty: NotRequired[Literal['sure', 'likely', 'near_limit'] | None]
    bald: NotRequired[ContentTireBald | None]
    unseen_parts: NotRequired[list[UnseenPart]]
    remaining_distance_km: NotRequired[list[float] | None]
    age_advice: NotRequired[Literal['check', 'replace'] | None]
    same_image_slot_ids: NotRequired[list[str]]


@final
class CreateReportRequestImages(TypedDict):
    pass


@final
class CreateReportRequest(TypedDict):
    plate_number: NotRequired[str | None]
    external_inspection_id: NotRequired[str | None]
    external_vehicle_id: NotRequired[str | None]
    template: NotRequired[TemplateKey | None]
    callback_url: NotRequired[str | None]
    content_profile: NotRequired[CreateReportRequestContentProfile | None]
    metadata: NotRequired[dict[str, Any] | None]
    branch_id: NotRequired[str | None]
    vin: NotRequired[str | None]
    mileage_km: NotRequired[int | None]
    capture: NotRequired[CaptureOrder | None]
    images: NotRequired[list[SubmittedImage] | CreateReportRequestImages | None]


@final
class CreateReportResponse(TypedDict):
    report_id: str
    status: Literal['awaiting_images', 'processing']
    share_url: str
    upload_targets: NotRequired[list[UploadTarget]]
    capture_url: NotRequired[str]
    warnings: NotRequired[list[CreateReportResponseWarning]]


@final
class ListedSlot(TypedDict):
    module_type: Literal['tire']
    slot: Slot


@final
class RegisteredImage(TypedDict):
    asset_id: str
    module_type: Literal['tire']
    slot: Slot


@final
class RenderDataTreadOverlay(TypedDict):
    slot_id: str
    asset: Asset
    tire_rotation: float | None
    vehicle_side: Literal['left', 'right', 'unknown'] | None
    remaining_depths_mm: list[float]
    groove_masks: list[GrooveMask]
    tread_roi: TreadRoi | None
    bald_zones: NotRequired[BaldZones | None]
    unseen_parts: NotRequired[list[UnseenPart]]
    coordinate_system: RenderDataTreadOverlayCoordinateSystem


@final
class RenderDataSidewallSpec(TypedDict):
    slot_id: str
    asset: Asset
    size: TireSize | None
    recognized: bool
    size_polygon_xy_norm: NotRequired[list[list[RenderDataSidewallSpecSizePolygonXyNormItem]] | None]
    load_index: NotRequired[int | None]
    manufactured: NotRequired[RenderDataSidewallSpecManufactured | None]
    brand: NotRequired[str | None]
    same_image_slot_ids: NotRequired[list[str]]


@final
class RenderData(TypedDict):
    tread_overlays: list[RenderDataTreadOverlay]
    sidewall_specs: list[RenderDataSidewallSpec]


@final
class ReportSummaryTemplate(TypedDict):
    key: TemplateKey


@final
class ReportSummary(TypedDict):
    report_id: str
    analysis_status: AnalysisStatus
    publication_status: PublicationStatus
    vehicle: ReportSummaryVehicle
    client_context: ReportSummaryClientContext
    creation: ReportSummaryCreation
    template: ReportSummaryTemplate
    links: ReportSummaryLinks
    timestamps: ReportSummaryTimestamps


@final
class SidewallResult(TypedDict):
    size: TireSize | None
    size_polygon_xy_norm: NotRequired[list[list[SidewallResultSizePolygonXyNormItem]]]
    load_index: NotRequired[int]
    manufactured: NotRequired[SidewallResultManufactured]
    brand: NotRequired[str]


@final
class Template(TypedDict):
    key: TemplateKey
    version: str
    requirements: list[TemplateRequirement]


@final
class TreadResult(TypedDict):
    aggregated_depth: TreadResultAggregatedDepth | None
    individual_depths: TreadResultIndividualDepths
    tire_rotation: float | None
    vehicle_side: Literal['left', 'right', 'unknown'] | None
    groove_masks: list[GrooveMask]
    tread_roi: TreadRoi
    bald_zones: NotRequired[BaldZones]
    unseen_parts: NotRequired[list[UnseenPart]]


@final
class UploadTargetsRequest(TypedDict):
    slots: list[ListedSlot] | UploadTargetsRequestSlots


@final
class VehicleInspectionTreads(TypedDict):
    front_left: VehicleTread | None
    front_right: VehicleTread | None
    rear_left: VehicleTread | None
    rear_right: VehicleTread | None


@final
class VehicleInspection(TypedDict):
    report_id: str
    analysis_status: AnalysisStatus
    depths_mm: VehicleInspectionDepthsMm
    treads: VehicleInspectionTreads
    links: VehicleInspectionLinks
    timestamps: VehicleInspectionTimestamps


@final
class Vehicle(TypedDict):
    external_vehicle_id: str
    inspections: list[VehicleInspection]


@final
class Analysis(TypedDict):
    status: Literal['pending', 'success', 'failed']
    provenance: Literal['engine', 'manual', 'legacy_projection'] | None
    engine: AnalysisEngine | None
    result: TreadResult | SidewallResult | None
    quality: AnalysisQuality | None
    error: AnalysisError | None
    completed_at: str | None
    retake: NotRequired[list[AnalysisRetakeItem]]
    gauge: NotRequired[list[GaugeValue]]
    sandbox: NotRequired[str]


@final
class AnalyzeRequest(TypedDict):
    slots: NotRequired[list[ListedSlot] | AnalyzeRequestSlots | None]


@final
class Content(TypedDict):
    schema_version: Literal['report-content.v1']
    report_id: str
    status: Literal['pending', 'ready', 'failed']
    content_revision: str | None
    content_profile: ContentProfile
    generator: ContentGenerator
    source: ContentSource
    generated_at: str | None
    report_context: ContentReportContext
    overall: ContentOverall | None
    tires: list[ContentTire]
    sections: list[ContentSection]
    render_data: RenderData
    error: ContentError | None
    links: ContentLinks


@final
class RegisterImagesRequest(TypedDict):
    images: list[RegisteredImage] | RegisterImagesRequestImages


@final
class ReportPage(TypedDict):
    reports: list[ReportSummary]
    next_cursor: str | None


@final
class ReportSlot(TypedDict):
    slot_id: str
    module_type: Literal['tire']
    slot: Slot
    status: Literal['pending', 'success', 'failed']
    asset: Asset | None
    analysis: Analysis


@final
class Report(TypedDict):
    schema_version: Literal['report.v1']
    report_id: str
    analysis_status: AnalysisStatus
    publication_status: PublicationStatus
    summary_status: Literal['pending', 'complete', 'partial', 'failed']
    vehicle: ReportVehicle
    branch_id: NotRequired[str | None]
    client_context: ReportClientContext
    creation: ReportCreation
    template: Template
    analysis_revision: str | None
    slots: list[ReportSlot]
    warnings: NotRequired[list[ReportWarning]]
    capture: NotRequired[Capture | None]
    links: ReportLinks
    timestamps: ReportTimestamps
