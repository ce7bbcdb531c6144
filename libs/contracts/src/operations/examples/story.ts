import { POSITIONS, type Position } from '@tire/kernel';
import type { Asset } from '../../api';

// Invented data of one report, tire_4t_0s, so that the examples of all endpoints belong together.

const API = 'https://tires.example/api/v1';
export const REPORT_ID = '01978a34-5c00-7000-8000-000000000001';
export const ANALYSIS_REVISION = '01978a34-8b00-7000-8000-000000000002';
export const CONTENT_REVISION = '01978a34-9c00-7000-8000-000000000003';
export const CREATED_AT = '2026-11-21T04:05:06.789Z';
export const COMPLETED_AT = '2026-11-21T04:05:12.345Z';
export const SHARE_URL = 'https://share.tires.example/r/1ZcPbQyoW2bUqJYQ0s3C8m5TzK4nA7xvR6dGhEfLiMw';
export const self = `${API}/reports/${REPORT_ID}`;

export const assetId = (position: Position) => `01978a34-5c00-7000-8000-00000000001${POSITIONS.indexOf(position)}`;
export const imageUrl = (position: Position) => `https://images.partner.example/4711/tread-${position}.jpg`;

export const asset = (position: Position): Asset => ({
  asset_id: assetId(position),
  source: { kind: 'partner_url', url: imageUrl(position), client_asset_id: null },
});
