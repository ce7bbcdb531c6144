import {
  faultsOf,
  lowestTypedMm,
  measuredTires,
  nothingTyped,
  readDepth,
  readSize,
  unusualOf,
  withGrooves,
  type TypedTires,
} from '../web/pages/creation/typed-values';

const usual = (over: Partial<TypedTires> = {}): TypedTires => ({
  front_left: { depths: ['5', '5,2', '5.1'], size: '225/45R17' },
  front_right: { depths: ['5', '5.2', '5.1'], size: null },
  rear_left: { depths: ['5', '5.2', '5.1'], size: null },
  rear_right: { depths: ['5', '5.2', '5.1'], size: null },
  ...over,
});
const tire = (depths: string[], size: string | null = null) => ({ depths, size });

describe('typed depths and sizes', () => {
  it('show the lowest valid groove while they are typed', () => {
    const lowest = (...depths: string[]) => lowestTypedMm(usual({ rear_left: tire(depths) }), 'rear_left');
    expect([lowest('7', '7,1', '2.65'), lowest('', '3.', '52'), lowest('', '.', '-1')]).toEqual([2.65, 3, null]);
  });

  it.each([
    ['5.2', { value: 5.2 }],
    [' 5,2 ', { value: 5.2 }],
    ['5.', { value: 5 }],
    ['.8', { value: 0.8 }],
    ['0', { value: 0 }],
    ['20', { value: 20 }],
    ['20.1', { fault: 'range' }],
    ['52', { fault: 'range' }],
    ['-1', { fault: 'number' }],
    ['5.2.1', { fault: 'number' }],
    ['1e1', { fault: 'number' }],
    ['5 mm', { fault: 'number' }],
    ['', null],
    ['.', null],
  ])('a depth of "%s"', (text, expected) => {
    expect(readDepth(text)).toEqual(expected);
  });

  it.each([
    ['225/45R17', [225, 45, 17]],
    ['225/45 R 17', [225, 45, 17]],
    ['225 45 17', [225, 45, 17]],
    ['2254517', [225, 45, 17]],
    ['p225/45zr17 94Y XL', [225, 45, 17]],
    ['225/45', 'size'],
    ['225/45R', 'size'],
    ['<b>225/45R17</b>', 'size'],
    ['925/45R17', 'sizeRange'],
    ['225/10R17', 'sizeRange'],
    ['225/45R40', 'sizeRange'],
  ])('a size of "%s"', (text, expected) => {
    const [section_width, aspect_ratio, rim_diameter] = expected as number[];
    expect(readSize(text)).toEqual(
      typeof expected === 'string' ? { fault: expected } : { value: { section_width, aspect_ratio, rim_diameter } },
    );
  });

  it('become the request body; the first size applies to each tire whose size was not edited', () => {
    const tires = usual({ rear_left: tire(['1.6'], '255 40 17'), rear_right: tire(['1.7'], '') });
    expect(faultsOf(tires, true)).toEqual([]);
    const size = { section_width: 225, aspect_ratio: 45, rim_diameter: 17 };
    expect(measuredTires(tires)).toEqual([
      { position: 'front_left', groove_depths_mm: [5, 5.2, 5.1], size },
      { position: 'front_right', groove_depths_mm: [5, 5.2, 5.1], size },
      { position: 'rear_left', groove_depths_mm: [1.6], size: { section_width: 255, aspect_ratio: 40, rim_diameter: 17 } },
      { position: 'rear_right', groove_depths_mm: [1.7], size: null },
    ]);
  });

  it('an error in an inherited size is reported once', () => {
    const tires = usual({ front_left: tire(['5'], '226/45R17') });
    expect(unusualOf(tires).map(({ position, what }) => `${position} ${what}`)).toEqual(['front_left rare']);
    const broken = usual({ front_left: tire(['5'], '925/45R17') });
    expect(faultsOf(broken, true)).toEqual([{ position: 'front_left', groove: null, what: 'sizeRange' }]);
  });

  it('a missing value is an error on submit', () => {
    expect(faultsOf(nothingTyped(2), false)).toEqual([]);
    expect(faultsOf(nothingTyped(2), true)[0]).toEqual({ position: 'front_left', groove: 0, what: 'missing' });
    expect(faultsOf(nothingTyped(2), true)).toHaveLength(8);
    const lone = usual({ front_right: tire(['5'], ''), rear_left: tire(['5'], ''), rear_right: tire(['5'], '') });
    expect([faultsOf(lone, false), faultsOf(lone, true)]).toEqual([[], [{ position: 'front_left', groove: null, what: 'loneSize' }]]);
  });

  it.each([
    ['usual depths', usual(), []],
    ['new tires', usual({ front_left: tire(['9', '9']) }), []],
    ['worn to the limit', usual({ front_left: tire(['1.6', '0.5']) }), []],
    ['deeper than new', usual({ front_right: tire(['7', '9.1']) }), ['front_right deep']],
    ['almost no tread', usual({ rear_left: tire(['0.4', '1']) }), ['rear_left shallow']],
    ['worn on one side', usual({ rear_right: tire(['2', '5.1']) }), ['rear_right spread']],
    ['two sizes on an axle', usual({ front_right: tire(['5'], '225/45R18') }), ['front_right axle']],
    [
      'a rare size',
      usual({ rear_left: tire(['5'], '226/45R17'), rear_right: tire(['5'], '226/45R17') }),
      ['rear_left rare', 'rear_right rare'],
    ],
    ['impossible values, which another check reports', usual({ front_right: tire(['52', 'x']) }), []],
  ])('the check for unusual values: %s', (_, tires, expected) => {
    expect(unusualOf(tires).map(({ position, what }) => `${position} ${what}`)).toEqual(expected);
  });

  it('a changed number of grooves keeps the input', () => {
    expect(withGrooves(withGrooves(usual(), 4), 2).front_left.depths).toEqual(['5', '5,2']);
    expect(withGrooves(usual(), 4).rear_right.depths).toEqual(['5', '5.2', '5.1', '']);
  });
});
