import { figureLines, figuresOf, type Drawn, type Comparison, type Measured } from './figures';

const drawn = (part: Partial<Drawn> = {}): Drawn => ({
  ...{ tread: 'yes', rotationDeg: 0, vehicleSide: 'unknown', grooves: [{ number: 1, depthMm: 4 }] },
  ...part,
});
const measured = (part: Partial<Measured> = {}): Measured => ({
  ...{ rotationDeg: 0, vehicleSide: 'unknown', grooves: [{ number: 1, depthMm: 4 }] },
  ...part,
});
const judged = (part: Partial<Comparison> = {}): Comparison => ({
  drawn: drawn(),
  measured: measured(),
  bothPx: 10,
  eitherPx: 10,
  ...part,
});

describe('figures of renders', () => {
  it('counts a refusal as no groove: wrong where grooves were drawn, right where there are none', () => {
    const bald = judged({ drawn: drawn({ grooves: [] }), measured: null });
    const missed = judged({ measured: null, bothPx: 0 });
    expect(figuresOf([judged(), bald, missed])).toMatchObject({ treads: 3, countExact: 2 / 3, refused: 1 / 3, grooveIou: 20 / 30 });
  });

  it('compares the depths of matching grooves, by millimetre', () => {
    const deep = judged({ measured: measured({ grooves: [1, 0].map((number) => ({ number, depthMm: 5.5 })) }) });
    const { depthMae, depthWithin1, depthBias } = figuresOf([judged(), deep]);
    expect({ depthMae, depthWithin1 }).toEqual({ depthMae: 0.75, depthWithin1: 0.5 });
    expect(depthBias[3]).toEqual({ fromMm: 4, grooves: 2, biasMm: 0.75 });
  });

  it.each([
    [10, -10, 20],
    [85, -85, 10],
    [-90, 90, 0],
  ])('ignores half turns: %d and %d degrees differ by %d', (a, b, rotationMedianDeg) => {
    expect(figuresOf([judged({ drawn: drawn({ rotationDeg: a }), measured: measured({ rotationDeg: b }) })])).toMatchObject({
      rotationMedianDeg,
    });
  });

  it('counts visible and invisible sides separately', () => {
    const of = (a: Drawn['vehicleSide'], b: Drawn['vehicleSide']) =>
      judged({ drawn: drawn({ vehicleSide: a }), measured: measured({ vehicleSide: b }) });
    const all = [of('left', 'left'), of('left', 'unknown'), of('unknown', 'unknown'), of('unknown', 'right')];
    expect(figuresOf(all)).toMatchObject({ sideKnown: 2, sideRight: 0.5, sideUnknownRight: 0.5 });
  });

  it('orders two renders of one tire by mean depth, and uses them for nothing else', () => {
    const of = (id: number, extraMm: number, depthMm: number) =>
      judged({
        drawn: drawn({ pair: { id, extraMm }, grooves: [{ number: 1, depthMm: 4 + extraMm }] }),
        measured: measured({ grooves: [{ number: 1, depthMm }] }),
      });
    const unpaired = judged({ drawn: drawn({ pair: { id: 3, extraMm: 0 } }) });
    // A new tire has no half millimetre more.
    const alike = [0, 0.1].map((extraMm) => of(4, extraMm, 9 - extraMm));
    const all = [of(1, 0.5, 4.4), of(1, 0, 4.1), of(2, 0, 4), of(2, 0.5, 4), unpaired, ...alike];
    expect(figuresOf(all)).toMatchObject({ treads: 0, pairs: 2, pairsInOrder: 0.5 });
  });

  it('expects a refusal without a tread, and ignores slivers', () => {
    const all = [null, measured()].map((one) => judged({ drawn: drawn({ tread: 'no' }), measured: one }));
    expect(figuresOf([...all, judged({ drawn: drawn({ tread: 'unsure' }) })])).toMatchObject({ treads: 0, others: 2, othersRefused: 0.5 });
  });

  it('compare the bald share of the width, and count zones that are not there and those that are missed', () => {
    const of = (baldShare: number, measuredShare: number) =>
      judged({ drawn: drawn({ baldShare }), measured: measured({ baldShare: measuredShare }) });
    const figures = figuresOf([of(0, 0), of(0, 0.2), of(0.5, 0.4), of(0.3, 0), of(0.05, 0)]);
    expect(figures).toMatchObject({ baldShareMae: expect.closeTo(0.13, 9) as number, baldFalse: 0.5, baldFound: 0.5 });
    expect(figuresOf([judged()]).baldShareMae).toBeNaN();
  });

  it('print one column per engine', () => {
    const lines = figureLines([
      { name: 'new', figures: figuresOf([judged()]) },
      { name: 'old', figures: figuresOf([judged({ measured: null, bothPx: 0 })]) },
    ]);
    expect(lines[0]).toBe('| | new | old |');
    expect(lines).toContain('| groove mask IoU | 1.000 | 0.000 |');
    expect(lines).toContain('| depth, mean absolute error in mm | 0.00 | – |');
    expect(lines).toContain('| rotation, median error in degrees | 0.0 | – |');
  });
});
