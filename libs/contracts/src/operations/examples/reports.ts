import { POSITIONS, slotId, type Position } from '@tire/kernel';
import type { CreateReportResponse, Report, ReportCompleted, ReportPage, ReportSlot, Vehicle } from '../../api';
import { uploadTarget } from './images';
import { ANALYSIS_REVISION, COMPLETED_AT, CREATED_AT, REPORT_ID, SHARE_URL, asset, imageUrl, self } from './story';
import { tread } from './tread';

const reportSlot = (position: Position): ReportSlot => ({
  slot_id: slotId({ position, image_type: 'tread' }),
  module_type: 'tire',
  slot: { position, image_type: 'tread' },
  status: 'success',
  asset: asset(position),
  analysis: {
    status: 'success',
    provenance: 'engine',
    engine: {
      api: 'tire-vision',
      api_version: '2.0',
      operation: 'tire.tread',
      result_schema_version: 'tire-tread.v2',
      requested_functions: ['aggregated_depth', 'individual_depths', 'vehicle_side', 'tire_rotation', 'groove_masks', 'tread_roi'],
    },
    result: tread,
    quality: { recognized: true, confidence: 0.94 },
    error: null,
    completed_at: COMPLETED_AT,
  },
});

export const reportExample: Report = {
  schema_version: 'report.v1',
  report_id: REPORT_ID,
  analysis_status: 'complete',
  publication_status: 'published',
  summary_status: 'complete',
  vehicle: { plate_number: '12가 3456' },
  client_context: { external_inspection_id: 'inspection-4711', external_vehicle_id: null, metadata: { branch: 'Seoul 1' } },
  creation: { source_channel: 'partner_api', mode: 'automatic' },
  template: {
    key: 'tire_4t_0s',
    version: '1.0',
    requirements: [{ module_type: 'tire', image_type: 'tread', allowed_positions: [...POSITIONS], minimum_success_count: 4 }],
  },
  analysis_revision: ANALYSIS_REVISION,
  slots: POSITIONS.map(reportSlot),
  warnings: [],
  links: { self, content: `${self}/content`, share: SHARE_URL },
  timestamps: {
    created_at: CREATED_AT,
    analysis_completed_at: COMPLETED_AT,
    published_at: '2026-11-21T04:05:12.600Z',
    updated_at: '2026-11-21T04:05:12.600Z',
  },
};

const unread = (slot: ReportSlot): ReportSlot => ({
  ...slot,
  status: 'failed',
  analysis: { ...slot.analysis, status: 'failed', result: null, quality: null, error: { code: 'tread_not_found', retryable: true } },
});

export const partialReportExample: Report = {
  ...reportExample,
  analysis_status: 'partial',
  publication_status: 'unpublished',
  summary_status: 'partial',
  slots: reportExample.slots.map((slot) => (slot.slot.position === 'rear_right' ? unread(slot) : slot)),
  timestamps: { ...reportExample.timestamps, published_at: null },
};

export const reportCompletedExample: ReportCompleted = {
  type: 'report.completed',
  timestamp: '2026-11-21T04:05:12.700Z',
  data: {
    report_id: REPORT_ID,
    analysis_status: 'complete',
    analysis_revision: ANALYSIS_REVISION,
    external_inspection_id: 'inspection-4711',
    external_vehicle_id: null,
    links: { self, content: `${self}/content`, share: SHARE_URL },
  },
};

export const reportPageExample: ReportPage = {
  reports: [
    {
      report_id: REPORT_ID,
      analysis_status: 'complete',
      publication_status: 'published',
      vehicle: { plate_number: '12가 3456' },
      client_context: { external_inspection_id: 'inspection-4711', external_vehicle_id: null },
      creation: { source_channel: 'partner_api', mode: 'automatic' },
      template: { key: 'tire_4t_0s' },
      links: { self, content: `${self}/content` },
      timestamps: { created_at: CREATED_AT },
    },
  ],
  next_cursor: null,
};

export const vehicleExample: Vehicle = {
  external_vehicle_id: 'car-12',
  inspections: [
    {
      report_id: REPORT_ID,
      analysis_status: 'complete',
      depths_mm: { front_left: 5.1, front_right: 5.2, rear_left: 6.3, rear_right: null },
      treads: {
        front_left: { depth_interval_mm: [4.2, 6.4], is_bald: false, is_partly_unseen: false, is_image_shared: false },
        front_right: { depth_interval_mm: [4.3, 6.5], is_bald: false, is_partly_unseen: true, is_image_shared: false },
        rear_left: { depth_interval_mm: [4.9, 8.1], is_bald: false, is_partly_unseen: false, is_image_shared: false },
        rear_right: null,
      },
      links: { self, content: `${self}/content` },
      timestamps: { created_at: CREATED_AT },
    },
  ],
};

export const createByUrlExample = {
  plate_number: '12가 3456',
  external_inspection_id: 'inspection-4711',
  template: 'tire_4t_0s',
  callback_url: 'https://partner.example/hooks/tires',
  metadata: { branch: 'Seoul 1' },
  images: POSITIONS.map((position) => ({
    module_type: 'tire',
    slot: { position, image_type: 'tread' },
    source: { url: imageUrl(position) },
  })),
};

export const createForUploadExample = { plate_number: '12가 3456', template: 'tire_4t_0s' };
export const acceptedExample: CreateReportResponse = { report_id: REPORT_ID, status: 'processing', share_url: SHARE_URL };

export const awaitingExample: CreateReportResponse = {
  report_id: REPORT_ID,
  status: 'awaiting_images',
  share_url: SHARE_URL,
  upload_targets: POSITIONS.map(uploadTarget),
};

export const discardExample = { report_id: REPORT_ID, discarded_at: '2026-11-22T01:00:00.000Z' };
