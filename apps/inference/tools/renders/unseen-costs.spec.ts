import type { Unseen } from '../../src/domain/tread/unseen-parts';
import { costLines, goodTreads, type Row } from './unseen-costs';

const seen: Unseen = { cutShares: [0, 0], gaps: [{ at: 0.5, width: 0.25 }], lines: [] };
const groove = (number: number) => ({ number, depthMm: 5 });
const row = (part: Partial<Row> = {}, drawn: Partial<Row['drawn']> = {}): Row => ({
  drawn: {
    ...{ tread: 'yes', rotationDeg: 0, vehicleSide: 'unknown', widthSeen: [0, 1], grooves: [groove(1), groove(2)] },
    ...drawn,
  },
  measured: { rotationDeg: 0, vehicleSide: 'unknown', grooves: [groove(1), groove(2)] },
  ...{ unseen: seen, truth: 'deep', verdict: 'good' },
  ...part,
});
const missed = row({
  measured: { rotationDeg: 0, vehicleSide: 'unknown', grooves: [groove(1)] },
  unseen: { ...seen, lines: [{ at: 0.8, strength: 0.12 }] },
});
const cut = row({ unseen: { ...seen, cutShares: [0, 0.92] } }, { widthSeen: [0, 0.7] });
const worn = row({ truth: 'legal', unseen: { ...seen, gaps: [{ at: 0.5, width: 0.43 }] } });
const bald = row({}, { baldShare: 0.2 });

describe('what the thresholds of unseen parts cost', () => {
  const lines = costLines(goodTreads([row(), missed, cut, worn, bald]));

  it('is shown for each threshold alone', () => {
    expect(lines).toEqual(
      expect.arrayContaining([
        '| line above 0.1 | 100.0 % of 1 | 0.0 % of 4 |',
        '| line above 0.15 | 0.0 % of 1 | 0.0 % of 4 |',
        '| gap above 0.42 | 0.0 % of 1 | 25.0 % of 4 |',
        '| edge at the border above 0.9 | 100.0 % of 1 | 0.0 % of 4 |',
        '| edge at the border above 0.95 | 0.0 % of 1 | 0.0 % of 4 |',
      ]),
    );
  });

  it('is shown for all together: the wrong treads that are still good, and the good ones that are lost', () => {
    expect(lines).toEqual(
      expect.arrayContaining([
        '| 0.8 | 0.4 | 0.075 | 0 of 1 | 1 of 1 | 60.0 % of 5 | 100.0 % of 1 | 100.0 % of 1 | 0.0 % of 1 |',
        '| 0.8 | 0.45 | 0.15 | 1 of 1 | 1 of 1 | 20.0 % of 5 | 100.0 % of 1 | 0.0 % of 1 | 0.0 % of 1 |',
        '| – | – | – | 1 of 1 | 1 of 1 | 0.0 % of 5 | 0.0 % of 1 | 0.0 % of 1 | 0.0 % of 1 |',
      ]),
    );
  });

  it('counts no tread that is not good anyway, no other image, and no pair', () => {
    const others = [
      row({ verdict: 'near' }),
      row({}, { tread: 'no' }),
      row({}, { pair: { id: 1, extraMm: 0 } }),
      row({ verdict: undefined }),
    ];
    expect(goodTreads(others)).toEqual([]);
  });

  it('needs rows with what was compared', () => {
    expect(() => goodTreads([row({ unseen: undefined })])).toThrow('measure the renders again');
  });
});
