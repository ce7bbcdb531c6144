import { byTire, verdictOf, tallyLine, tallyOf, type Answer } from './tally';

const answered = (expected: string, actual: string | null, tireId = ''): Answer => ({ expected, actual, tireId });

it.each([
  ['225/45R17', '225/45R17', 'exact'],
  ['225/45R17', '225/55R17', 'wrong'],
  ['225/45R17', null, 'not read'],
  // No sidewall of a car is visible.
  ['none', null, 'refused'],
  ['none', '225/45R17', 'wrong'],
])('label %s, answer %s: %s', (expected, actual, verdict) => {
  expect(verdictOf(expected, actual)).toBe(verdict);
});

it('counts images without a sidewall separately', () => {
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

it("takes the majority of a tire's images", () => {
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
    { tireId: 'a', expected: '225/45R17', actual: '225/45R17' },
    { tireId: 'b', expected: '205/55R16', actual: '205/65R16' },
    // The images disagree.
    { tireId: 'c', expected: '195/65R15', actual: null },
  ]);
});
