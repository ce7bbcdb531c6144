import { decodeMemoryBytes, decodeProcessesOfOneMib } from '@tire/platform/images';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { BYTES_OF_REGISTRATIONS } from '../uploads/registrations';
import { HEAVIEST_MIB } from './derivatives';

const MIB = 1024 * 1024;

describe('the memory of a decode', () => {
  it.each([
    ['a progressive JPEG of 48 megapixels', { widthPx: 8_000, heightPx: 6_000, samplesPerPixel: 1.5 }],
    ['a progressive JPEG of 60 megapixels with full colour', { widthPx: 9_488, heightPx: 6_324, samplesPerPixel: 3 }],
  ])('of %s is within the bound', (_, size) => {
    expect(decodeMemoryBytes({ format: 'jpeg', channels: 3, keepsCoefficients: true, ...size })).toBeLessThanOrEqual(HEAVIEST_MIB * MIB);
  });

  it('fits into the limit of the chart with all that the service may hold at once', () => {
    const values = parse(readFileSync(join(__dirname, '../../../../helm/tire-inspection/values.yaml'), 'utf8')) as {
      services: { assets: { resources: { limits: { memory: string } } } };
    };
    expect(values.services.assets.resources.limits.memory).toBe('1280Mi');
    const [fetchedMib, serviceMib] = [24, 256];
    const mib = decodeProcessesOfOneMib(HEAVIEST_MIB) + BYTES_OF_REGISTRATIONS / MIB + fetchedMib + serviceMib;
    expect(mib).toBeLessThanOrEqual(1_280);
  });
});
