import type { Permission } from '@tire/contracts';
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { Texts } from './i18n/en';

interface ProjectPart {
  readonly path: string;
  readonly needs: Permission;
  readonly page: LazyExoticComponent<ComponentType>;
  /** What it is called in the navigation, where it stands there. */
  readonly name?: keyof Texts['project']['names'];
}

/** Loaded when it is opened. */
const later = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

/** The pages of a project, in the order of its navigation; whose role lacks the right sees neither the entry nor the page. */
export const PROJECT_PARTS: readonly ProjectPart[] = [
  { path: '/reports', name: 'reports', needs: 'reports.read', page: later(async () => (await import('./pages/reports/list')).ReportsPage) },
  {
    path: '/reports/new',
    needs: 'reports.write',
    page: later(async () => (await import('./pages/creation/new-report')).NewReportPage),
  },
  {
    path: '/reports/new-manual',
    needs: 'reports.write',
    page: later(async () => (await import('./pages/creation/manual-report')).ManualReportPage),
  },
  {
    path: '/reports/:reportId/photographs',
    needs: 'reports.write',
    page: later(async () => (await import('./pages/creation/photographs')).PhotographsPage),
  },
  { path: '/reports/:reportId', needs: 'reports.read', page: later(async () => (await import('./pages/reports/report')).ReportPage) },
  {
    path: '/vehicles',
    name: 'vehicles',
    needs: 'reports.read',
    page: later(async () => (await import('./pages/reports/vehicles')).VehiclesPage),
  },
  { path: '/keys', name: 'keys', needs: 'keys.read', page: later(async () => (await import('./pages/keys')).KeysPage) },
  {
    path: '/webhooks',
    name: 'webhooks',
    needs: 'webhooks.read',
    page: later(async () => (await import('./pages/webhooks/webhooks')).WebhooksPage),
  },
  {
    path: '/webhooks/:callbackId',
    needs: 'webhooks.read',
    page: later(async () => (await import('./pages/webhooks/delivery')).DeliveryPage),
  },
  {
    path: '/requests',
    name: 'requests',
    needs: 'request_log.read',
    page: later(async () => (await import('./pages/requests')).RequestsPage),
  },
  { path: '/usage', name: 'usage', needs: 'usage.read', page: later(async () => (await import('./pages/usage/usage')).UsagePage) },
  {
    path: '/developers',
    name: 'developers',
    needs: 'keys.read',
    page: later(async () => (await import('./pages/developers/developers')).DevelopersPage),
  },
];
