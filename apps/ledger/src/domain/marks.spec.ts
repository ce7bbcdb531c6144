import { ATTENTIONS } from '@tire/kernel';
import { marked, MARKS } from './marks';

it('marks', () => {
  const table = Object.fromEntries(MARKS.map((mark) => [mark, ATTENTIONS.map((before) => `${before} > ${marked(before, mark)}`)]));
  expect(table).toEqual({
    read: ['unread > read', 'read > read', 'handled > handled'],
    handled: ['unread > handled', 'read > handled', 'handled > handled'],
    not_handled: ['unread > unread', 'read > read', 'handled > read'],
  });
});
