import { Analysis } from '@tire/contracts';
import { enteredSlots } from './manual';

const AT = '2026-11-21T04:05:06.789Z';

describe('what was measured by hand', () => {
  it('is a success without engine, photograph, confidence and lifetime', () => {
    const size = { section_width: 225, aspect_ratio: 45, rim_diameter: 17 };
    const slots = enteredSlots([{ position: 'rear_left', grooveDepthsMm: [5.1, 4.9, 5.3], size }], AT);
    expect(slots.map(({ slotId }) => slotId)).toEqual(['tire.tread.rear_left', 'tire.sidewall.rear_left']);
    for (const { state } of slots) {
      if (state.phase !== 'succeeded') throw new Error('A slot did not succeed');
      expect(state.asset).toBeNull();
      expect(Analysis.parse(state.analysis)).toMatchObject({ provenance: 'manual', engine: null, quality: { confidence: null } });
    }
    expect(slots[1]?.state).toMatchObject({ analysis: { result: { size } } });
  });

  it.each([
    [[5], 5],
    [[5.1, 4.9], 5],
    [[5.3, 4.9, 5.1], 5.1],
    [[1.6, 1.65, 7, 7.1], 4.33],
    [[0], 0],
  ])('grooves of %j mm together are %f mm', (grooveDepthsMm, aggregated_remaining_depth) => {
    const [slot] = enteredSlots([{ position: 'front_left', grooveDepthsMm, size: null }], AT);
    expect(slot?.state).toMatchObject({
      analysis: {
        result: {
          aggregated_depth: { aggregated_remaining_depth, estimated_lifetime: null },
          individual_depths: { individual_remaining_depth: grooveDepthsMm },
        },
      },
    });
  });
});
