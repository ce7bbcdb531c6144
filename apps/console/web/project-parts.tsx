import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { Part } from './navigation';

interface ProjectPart extends Part {
  readonly page: LazyExoticComponent<ComponentType>;
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
    path: '/keys',
    name: 'keys',
    group: 'api',
    needs: 'keys.read',
    page: lazily(async () => (await import('./pages/keys')).KeysPage),
  },
  {
    path: '/webhooks',
    name: 'webhooks',
    group: 'api',
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
    group: 'api',
    needs: 'request_log.read',
    page: lazily(async () => (await import('./pages/requests')).RequestsPage),
  },
  {
    path: '/developers',
    name: 'developers',
    group: 'api',
    needs: 'keys.read',
    page: lazily(async () => (await import('./pages/developers/developers')).DevelopersPage),
  },
  {
    path: '/share-page',
    name: 'sharePage',
    group: 'settings',
    needs: 'projects.read',
    page: lazily(async () => (await import('./pages/partner')).PartnerPage),
  },
  {
    path: '/branches',
    name: 'branches',
    group: 'settings',
    needs: 'reports.read',
    page: lazily(async () => (await import('./pages/branches')).BranchesPage),
  },
  {
    path: '/usage',
    name: 'usage',
    group: 'settings',
    needs: 'usage.read',
    page: lazily(async () => (await import('./pages/usage/usage')).UsagePage),
  },
  {
    path: '/exports',
    name: 'exports',
    group: 'settings',
    needs: 'projects.manage',
    page: lazily(async () => (await import('./pages/exports/export-schedules')).ExportSchedulesPage),
  },
  {
    path: '/retention',
    name: 'retention',
    group: 'settings',
    needs: 'projects.read',
    page: lazily(async () => (await import('./pages/retention')).RetentionPage),
  },
  {
    path: '/privacy',
    name: 'privacy',
    group: 'settings',
    needs: 'erasures.manage',
    page: lazily(async () => (await import('./pages/privacy/privacy')).PrivacyPage),
  },
  {
    path: '/privacy/:erasureId',
    needs: 'erasures.manage',
    page: lazily(async () => (await import('./pages/privacy/erasure')).ErasurePage),
  },
];
