import { ALERTS } from '@tire/chart';
import { firstStep } from './runbook';

it.each(ALERTS)('the runbook has a first step for $alert', ({ alert }) => {
  expect(firstStep(alert).trim().length).toBeGreaterThan(0);
});

it('takes the first block of the section', () => {
  const runbook = '# R\n\n## A\n\n```bash\none\ntwo\n```\n\n```bash\nthree\n```\n\n## B\n\nNothing.\n';
  expect(firstStep('A', runbook)).toBe('one\ntwo\n');
  expect(() => firstStep('B', runbook)).toThrow('no first step for B');
  expect(() => firstStep('C', runbook)).toThrow('no first step for C');
});
