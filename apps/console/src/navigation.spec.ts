import type { Permission } from '@tire/contracts/console';
import { navigationOf, type Part } from '../web/navigation';

const PARTS: readonly Part[] = [
  { path: '/reports', name: 'reports', needs: 'reports.read' },
  { path: '/reports/:reportId', needs: 'reports.read' },
  { path: '/keys', name: 'keys', group: 'api', needs: 'keys.read' },
  { path: '/share-page', name: 'sharePage', group: 'settings', needs: 'projects.read' },
  { path: '/requests', name: 'requests', group: 'api', needs: 'request_log.read' },
  { path: '/usage', name: 'usage', group: 'settings', needs: 'usage.read' },
];

it.each<[Permission[], ...(string | undefined)[][]]>([
  [[]],
  [['reports.read'], [undefined, 'reports']],
  [['usage.read'], [undefined, 'usage']],
  [
    ['keys.read', 'projects.read', 'usage.read'],
    [undefined, 'keys'],
    ['settings', 'sharePage', 'usage'],
  ],
  [
    ['reports.read', 'keys.read', 'request_log.read', 'projects.read', 'usage.read'],
    [undefined, 'reports'],
    ['api', 'keys', 'requests'],
    ['settings', 'sharePage', 'usage'],
  ],
])('a member with %j sees what it may open; a group of one part is that part', (permissions, ...expected) => {
  const entries = navigationOf(PARTS, (permission) => permissions.includes(permission));
  expect(entries.map(({ group, parts }) => [group, ...parts.map(({ name }) => name)])).toEqual(expected);
});
