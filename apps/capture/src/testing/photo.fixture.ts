import type { Photo, Target } from '../../web/uploads/photo';

export const TARGET: Target = { asset_id: 'asset', upload_url: 'https://objects.example/asset', required_headers: {} };

export const photoOf = (change: Partial<Photo>): Photo => ({
  id: 'photo',
  reportId: 'report',
  slotId: 'tire.tread.front_left',
  slot: { position: 'front_left', image_type: 'tread' },
  order: 1,
  mayReplace: [],
  insisted: 0,
  stage: { at: 'waiting' },
  failures: 0,
  refusedAddresses: 0,
  refusedUploads: 0,
  thumbnail: '',
  hash: '0000000000000000',
  ...change,
});
