import {
  ALIASES_OF_KIND_MAX,
  attachment,
  identifiersOf,
  normalizedPlate,
  normalizedVin,
  searchKey,
  type Identifier,
} from './vehicle-identity';

it.each([
  ['12가3456', '12가3456'],
  ['123가 4567', '123가4567'],
  [' 12 가-3456 ', '12가3456'],
  ['１２가３４５６', '12가3456'],
  ['12\u1100\u11613456', '12가3456'],
  ['서울 12가 3456', '서울12가3456'],
  ['b-ab 123', 'BAB123'],
  ['미등록', null],
  ['신차 1', null],
  ['-', null],
  ['', null],
])('the plate %j is %j', (text, plate) => expect(normalizedPlate(text)).toBe(plate));

it.each([
  ['kmhxx00xxxx000001', 'KMHXX00XXXX000001'],
  ['KMH XX00 XXXX-000001', 'KMHXX00XXXX000001'],
  ['KMHXX00XXXX00000I', null],
  ['KMHXX00XXXX00000', null],
])('the VIN %j is %j', (text, vin) => expect(normalizedVin(text)).toBe(vin));

it('normalising twice changes nothing, for any text', () => {
  let seed = 7;
  const random = (max: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % max;
  for (let round = 0; round < 2_000; round++) {
    const text = Array.from({ length: random(12) }, () =>
      String.fromCodePoint([32 + random(95), 0xac00 + random(1_000), 0xff10 + random(10), 0x2010 + random(6)][random(4)]!),
    ).join('');
    expect(searchKey(searchKey(text))).toBe(searchKey(text));
  }
});

const [VIN, OWN, PLATE] = [
  { kind: 'vin', value: 'KMHXX00XXXX000001', shown: 'KMHXX00XXXX000001' },
  { kind: 'own', value: 'car-7', shown: 'car-7' },
  { kind: 'plate', value: '12가3456', shown: '12가 3456' },
] as const satisfies readonly Identifier[];
const known = (identifier: Identifier, vehicleId: string) => ({ ...identifier, aliasId: `${vehicleId} ${identifier.kind}`, vehicleId });

it.each<[string, readonly Identifier[], Parameters<typeof attachment>[1], Record<string, object>, ReturnType<typeof attachment>]>([
  ['names nothing', [], [], {}, null],
  ['is new', [VIN, PLATE], [], {}, { vehicleId: null, added: [VIN, PLATE], by: VIN }],
  ['is known by its plate', [PLATE], [known(PLATE, 'a')], { a: { plate: 1 } }, { vehicleId: 'a', added: [], by: PLATE }],
  [
    'is known by its plate and gets an own id',
    [OWN, PLATE],
    [known(PLATE, 'a')],
    { a: { plate: 1 } },
    { vehicleId: 'a', added: [OWN], by: OWN },
  ],
  [
    'has the plate of a vehicle with another own id',
    [OWN, PLATE],
    [known(PLATE, 'a')],
    { a: { own: 1 } },
    { vehicleId: null, added: [OWN], by: OWN },
  ],
  [
    'has a VIN and the plate of another vehicle',
    [VIN, PLATE],
    [known(VIN, 'a'), known(PLATE, 'b')],
    {},
    { vehicleId: 'a', added: [], by: VIN },
  ],
  ['has a new plate', [OWN, PLATE], [known(OWN, 'a')], { a: { plate: 1 } }, { vehicleId: 'a', added: [PLATE], by: OWN }],
  [
    'has one plate too many',
    [OWN, PLATE],
    [known(OWN, 'a')],
    { a: { plate: ALIASES_OF_KIND_MAX } },
    { vehicleId: 'a', added: [], by: OWN },
  ],
])('a report that %s', (_, identifiers, aliases, counts, expected) =>
  expect(attachment(identifiers, aliases, new Map(Object.entries(counts)))).toEqual(expected),
);

it('a report is attached by its strongest identifier', () => {
  const facts = { vin: 'kmhxx00xxxx000001', externalVehicleId: ' car-7 ', plateNumber: '12가 3456' };
  expect(identifiersOf(facts).map(({ kind, value }) => [kind, value])).toEqual([
    ['vin', VIN.value],
    ['own', 'car-7'],
    ['plate', '12가3456'],
  ]);
  expect(identifiersOf({ vin: 'no vin', externalVehicleId: ' ', plateNumber: '미등록' })).toEqual([]);
});
