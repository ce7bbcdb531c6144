import type { Position } from '@tire/kernel';
import type { UploadTarget } from '../../api';
import { REPORT_ID, assetId } from './story';

export const uploadTarget = (position: Position): UploadTarget => ({
  asset_id: assetId(position),
  module_type: 'tire',
  slot: { position, image_type: 'tread' },
  upload_url: `https://storage.tires.example/${assetId(position)}?signature=5f0c`,
  required_headers: { 'Cache-Control': 'max-age=60' },
  expires_at: '2026-11-21T06:05:06.789Z',
});

const listed = { module_type: 'tire', slot: { position: 'front_left', image_type: 'tread' } };
export const uploadTargetsRequestExample = { slots: [listed] };
export const uploadTargetsExample = { report_id: REPORT_ID, upload_targets: [uploadTarget('front_left')] };
export const registerRequestExample = { images: [{ asset_id: assetId('front_left'), ...listed }] };

export const registeredExample = {
  report_id: REPORT_ID,
  analysis_status: 'processing',
  images: [{ slot_id: 'tire.tread.front_left', asset_id: assetId('front_left'), status: 'accepted' }],
};

export const analyzeRequestExample = { slots: [listed] };
export const analyzeExample = { report_id: REPORT_ID, analysis_status: 'processing', slots: ['tire.tread.front_left'] };
