import { otherSize, type OtherKind } from './other-sizes';

const surely = (text: string, certainty = 1) => ({ text, certainty: [...text].map(() => certainty) });

describe('sizes of other vehicles', () => {
  it.each<[OtherKind, string[]]>([
    [
      'truck',
      [
        '295/80R22.5',
        '295/80 R 22.5 152/148M',
        '385/65R22,5',
        '225/70R19.5',
        '245/70R17.5 TL',
        '245/70R175',
        '265/70 R 19 . 5',
        'HANKOOK 315/80R22.5 AH11',
        '12R22.5',
        '11 R 22.5 16PR',
        '9.5R17.5',
        '10.00R20',
        '10.00-20 16PR',
        '8.25R16',
        '7.50R16LT',
        '12.00 R 24',
      ],
    ],
    [
      'motorcycle',
      [
        '120/70ZR17',
        '120/70 ZR 17 (58W)',
        '180/55ZR17',
        '110/90-13',
        '100/90-19 57H',
        '130/70B18',
        '130/70R18',
        '4.00-18',
        '2.75-17',
        '90/90-10',
      ],
    ],
    ['flotation', ['31x10.50R15LT', '31X10.50 R 15', 'LT31X10.5R15', '35x12.50R17LT', '33 X 12.50 R 20']],
    [
      'no_aspect_ratio',
      ['155R13', '155 R 13 78T', '185SR14', '185 SR 14', '165HR15', '195R14C', '145R13C 88/86R', '6.00-16', '5.60 - 15', '6.95-14'],
    ],
  ])('%s', (kind, texts) => {
    for (const text of texts) expect([text, otherSize(surely(text))?.kind]).toEqual([text, kind]);
  });

  it.each([
    '225/45R17 91W',
    '225/45ZR17 94Y XL',
    '225/45RF17',
    'P225/45R17',
    'LT245/75R16 120/116S',
    'ST225/75R15',
    'HL285/35R22',
    '215/65R16C 109/107T',
    '225/45R1791V',
    '225/45R17 95Y',
    '245/70R17 119/116S',
    // The stroke between width and ratio read as a digit.
    '205155R16',
    '205755R16',
    '20555R16',
    '2055/55R16',
    '205/155R16',
    '',
    'HANKOOK',
    'RADIAL TUBELESS',
    'TREADWEAR 400 TRACTION A TEMPERATURE A',
    'MAX LOAD 615 KG (1356 LBS)',
    'MAX PRESS 350 KPA (51 PSI)',
    'DOT 1NTR 4DHR 2319',
    'E4 0233516-S2WR2',
    'TREAD 2 STEEL + 1 POLYAMIDE',
    '15R',
    '1/2',
  ])('finds none in "%s"', (text) => {
    expect(otherSize(surely(text))).toBeUndefined();
  });

  it('has the certainty of the characters of the size', () => {
    const text = 'TL 12R22.5';
    const certainty = [...text].map((_, i) => (i < 3 ? 0.2 : i === 3 ? 0.5 : 1));
    expect(otherSize({ text, certainty })).toEqual({ kind: 'truck', certainty: 0.5 });
  });
});
