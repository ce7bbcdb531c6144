import { Analysis } from '@tire/contracts/api';
import { newId } from '@tire/kernel';
import { enteredAnalyses } from './manual';

const AT = '2026-11-21T04:05:06.789Z';

describe('values entered by a person', () => {
  it('are a success without engine, image, confidence and lifetime', () => {
    const size = { section_width: 225, aspect_ratio: 45, rim_diameter: 17 };
    const records = enteredAnalyses([{ position: 'rear_left', grooveDepthsMm: [5.1, 4.9, 5.3], size }], AT, newId);
    expect(records.map(({ slotId }) => slotId)).toEqual(['tire.tread.rear_left', 'tire.sidewall.rear_left']);
    expect(new Set(records.map(({ analysisId }) => analysisId)).size).toBe(2);
    const analyses = records.map(({ provenance, errorCode, model, json }) => {
      expect({ provenance, errorCode, model }).toEqual({ provenance: 'manual', errorCode: null, model: null });
      return Analysis.parse(JSON.parse(json));
    });
    for (const analysis of analyses) expect(analysis).toMatchObject({ provenance: 'manual', engine: null, quality: { confidence: null } });
    expect(analyses[1]).toMatchObject({ result: { size } });
  });

  it.each([
    [[5], 5],
    [[5.1, 4.9], 5],
    [[5.3, 4.9, 5.1], 5.1],
    [[1.6, 1.65, 7, 7.1], 4.33],
    [[0], 0],
  ])('grooves of %j mm together are %f mm', (grooveDepthsMm, aggregated_remaining_depth) => {
    const [record] = enteredAnalyses([{ position: 'front_left', grooveDepthsMm, size: null }], AT, newId);
    expect(JSON.parse(record!.json)).toMatchObject({
      result: {
        aggregated_depth: { aggregated_remaining_depth, estimated_lifetime: null },
        individual_depths: { individual_remaining_depth: grooveDepthsMm },
      },
    });
  });
});
