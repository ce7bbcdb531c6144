import { meantName } from './misspelling';

const KNOWN = [
  'plate_number',
  'external_inspection_id',
  'external_vehicle_id',
  'template',
  'callback_url',
  'content_profile',
  'metadata',
  'images',
];

describe('a field that looks like a slip of a known one', () => {
  it.each([
    ['plateNumber', 'plate_number'],
    ['Plate-Number', 'plate_number'],
    ['palte_number', 'plate_number'],
    ['plate', 'plate_number'],
    ['image', 'images'],
    ['imges', 'images'],
    ['externalInspectionID', 'external_inspection_id'],
    ['inspection_id', 'external_inspection_id'],
    ['vehicle_id', 'external_vehicle_id'],
    ['templates', 'template'],
    ['template_key', 'template'],
    ['callbackUrl', 'callback_url'],
    ['callback', 'callback_url'],
    ['profile', 'content_profile'],
    ['meta_data', 'metadata'],
  ])('%s means %s', (unknown, known) => {
    expect(meantName(unknown, KNOWN)).toBe(known);
  });

  it.each(['color', 'vin', 'id', 'url', 'customer_name', '', '___', '차량', 'x'.repeat(10_000)])('%s means none', (unknown) => {
    expect(meantName(unknown, KNOWN)).toBeNull();
  });
});
