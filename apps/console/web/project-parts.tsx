import type { Permission } from '@tire/contracts/console';
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { Texts } from './i18n/en';

interface ProjectPart {
  readonly path: string;
  readonly needs: Permission;
  readonly page: LazyExoticComponent<ComponentType>;
  /** The label in the navigation, if it is listed there. */
  readonly name?: keyof Texts['project']['names'];
}

const lazily = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

/** The pages of a project in navigation order. A member without the permission sees neither the entry nor the page. */
export const PROJECT_PARTS: readonly ProjectPart[] = [
  {
    path: '/reports',
    name: 'reports',
    needs: 'reports.read',
    page: lazily(async () => (await import('./pages/reports/list')).ReportsPage),
  },
  {
    path: '/reports/new',
    needs: 'reports.write',
    page: lazily(async () => (await import('./pages/creation/new-report')).NewReportPage),
  },
  {
    path: '/reports/new-manual',
    needs: 'reports.write',
    page: lazily(async () => (await import('./pages/creation/manual-report')).ManualReportPage),
  },
  {
    path: '/reports/:reportId/images',
    needs: 'reports.write',
    page: lazily(async () => (await import('./pages/creation/images')).ImagesPage),
  },
  { path: '/reports/:reportId', needs: 'reports.read', page: lazily(async () => (await import('./pages/reports/report')).ReportPage) },
  {
    path: '/vehicles',
    name: 'vehicles',
    needs: 'reports.read',
    page: lazily(async () => (await import('./pages/reports/vehicles')).VehiclesPage),
  },
  {
    path: '/customers',
    name: 'customers',
    needs: 'customers.manage',
    page: lazily(async () => (await import('./pages/customers/search')).CustomersPage),
  },
  {
    path: '/vehicles/:vehicleId',
    needs: 'reports.read',
    page: lazily(async () => (await import('./pages/reports/passport')).PassportPage),
  },
  {
    path: '/share-page',
    name: 'sharePage',
    needs: 'projects.read',
    page: lazily(async () => (await import('./pages/partner')).PartnerPage),
  },
  {
    path: '/branches',
    name: 'branches',
    needs: 'reports.read',
    page: lazily(async () => (await import('./pages/branches')).BranchesPage),
  },
  {
    path: '/privacy',
    name: 'privacy',
    needs: 'erasures.manage',
    page: lazily(async () => (await import('./pages/privacy/privacy')).PrivacyPage),
  },
  {
    path: '/privacy/:erasureId',
    needs: 'erasures.manage',
    page: lazily(async () => (await import('./pages/privacy/erasure')).ErasurePage),
  },
  { path: '/keys', name: 'keys', needs: 'keys.read', page: lazily(async () => (await import('./pages/keys')).KeysPage) },
  {
    path: '/webhooks',
    name: 'webhooks',
    needs: 'webhooks.read',
    page: lazily(async () => (await import('./pages/webhooks/webhooks')).WebhooksPage),
  },
  {
    path: '/webhooks/:callbackId',
    needs: 'webhooks.read',
    page: lazily(async () => (await import('./pages/webhooks/delivery')).DeliveryPage),
  },
  {
    path: '/requests',
    name: 'requests',
    needs: 'request_log.read',
    page: lazily(async () => (await import('./pages/requests')).RequestsPage),
  },
  { path: '/usage', name: 'usage', needs: 'usage.read', page: lazily(async () => (await import('./pages/usage/usage')).UsagePage) },
  {
    path: '/retention',
    name: 'retention',
    needs: 'projects.read',
    page: lazily(async () => (await import('./pages/retention')).RetentionPage),
  },
  {
    path: '/exports',
    name: 'exports',
    needs: 'projects.manage',
    page: lazily(async () => (await import('./pages/exports/export-schedules')).ExportSchedulesPage),
  },
  {
    path: '/developers',
    name: 'developers',
    needs: 'keys.read',
    page: lazily(async () => (await import('./pages/developers/developers')).DevelopersPage),
  },
];
