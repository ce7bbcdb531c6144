import { ATTENTIONS } from '@tire/kernel';
import { isStale, marked, MARKS, resultName } from './marks';

it('marks', () => {
  const table = Object.fromEntries(MARKS.map((mark) => [mark, ATTENTIONS.map((before) => `${before} > ${marked(before, mark)}`)]));
  expect(table).toEqual({
    read: ['unread > read', 'read > read', 'handled > handled'],
    handled: ['unread > handled', 'read > handled', 'handled > handled'],
    not_handled: ['unread > unread', 'read > read', 'handled > read'],
  });
});

it.each([
  ['handled', 'good/1/1', true],
  ['read', 'good/1/1', true],
  ['not_handled', 'good/1/1', false],
  ['handled', 'critical/2/2', false],
  ['handled', '', true],
  ['handled', null, false],
] as const)('%s of a member who saw %s: stale %s', (mark, seen, expected) => {
  expect(isStale(mark, seen, 'critical/2/2')).toBe(expected);
});

it('a result has another name after each change of values, content or verdict', () => {
  const result = { standing: 'good', revisionId: '1', contentRevision: '2' } as const;
  const names = [
    result,
    { ...result, standing: 'critical' as const },
    { ...result, revisionId: '3' },
    { ...result, contentRevision: null },
    { ...result, revisionId: null, contentRevision: '1' },
  ].map(resultName);
  expect(new Set(names).size).toBe(names.length);
});
