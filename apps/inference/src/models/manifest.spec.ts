import { Manifest } from './manifest';
import tread from '../../models/tread/manifest.json';

const faults: [string, (manifest: Record<string, unknown>) => void][] = [
  ['an unknown operation', (m) => (m['operation'] = 'tire.valve')],
  ['an unknown field', (m) => (m['comment'] = 'x')],
  ['an invalid sha256', (m) => (m['files'] = { 'tread.onnx': 'abc' })],
  ['a file outside its folder', (m) => (m['files'] = { '../tread.onnx': '0'.repeat(64) })],
  ['no golden image', (m) => delete m['golden']],
  ['an invalid version', (m) => (m['version'] = 'latest')],
  ['a threshold that is not a number', (m) => (m['thresholds'] = { min_response: '0.02' })],
];

it('accepts the current manifest', () => {
  expect(Manifest.safeParse(tread).success).toBe(true);
});

it.each(faults)('refuses %s', (_, spoil) => {
  const manifest = structuredClone(tread) as Record<string, unknown>;
  spoil(manifest);
  expect(Manifest.safeParse(manifest).success).toBe(false);
});
