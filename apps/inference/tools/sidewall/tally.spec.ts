import { byTire, judgedSize, tallyLine, tallyOf, type Answered } from './tally';

const answered = (expected: string, given: string | null, tireId = ''): Answered => ({ expected, given, tireId });

it.each([
  ['225/45R17', '225/45R17', 'exact'],
  ['225/45R17', '225/55R17', 'wrong'],
  ['225/45R17', null, 'not read'],
  // A picture that shows no sidewall of a car.
  ['none', null, 'refused'],
  ['none', '225/45R17', 'wrong'],
])('where %s stands, %s is %s', (expected, given, verdict) => {
  expect(judgedSize(expected, given)).toBe(verdict);
});

it('counts photographs and those that show no sidewall apart', () => {
  const answers = [
    answered('225/45R17', '225/45R17'),
    answered('225/45R17', null),
    answered('205/55R16', '225/45R17'),
    answered('none', null),
    answered('none', null),
    answered('none', '155/80R13'),
  ];
  expect(tallyOf(answers)).toEqual({ exact: 1, wrong: 1, notRead: 1, others: 3, othersWithSize: 1 });
  expect(tallyLine(tallyOf(answers))).toBe(
    'exact 1 (33.3 %), wrong 1 (33.3 %), not read 1 of 3; without a sidewall: a size given for 1 of 3 (33.3 %)',
  );
  expect(tallyLine(tallyOf(answers.slice(0, 2)))).toBe('exact 1 (50.0 %), wrong 0 (0.0 %), not read 1 of 2');
});

it('gives each tire what most of its photographs say', () => {
  const tires = byTire([
    answered('225/45R17', '225/45R17', 'a'),
    answered('225/45R17', null, 'a'),
    answered('205/55R16', '205/55R16', 'b'),
    answered('205/55R16', '205/65R16', 'b'),
    answered('205/55R16', '205/65R16', 'b'),
    answered('195/65R15', '195/65R15', 'c'),
    answered('195/65R15', '185/65R15', 'c'),
    answered('195/65R15', null, ''),
    answered('none', null, 'd'),
  ]);
  expect(tires).toEqual([
    { tireId: 'a', expected: '225/45R17', given: '225/45R17' },
    { tireId: 'b', expected: '205/55R16', given: '205/65R16' },
    // One says this, one that.
    { tireId: 'c', expected: '195/65R15', given: null },
  ]);
});
