import { Anchor } from '@mantine/core';
import { Link, Redirect, Route, Switch } from 'wouter';
import { SignedIn, usePlace, useSession } from './api/session';
import { useTexts } from './i18n/language';
import { ProjectsPage } from './pages/projects';
import { SignInPage } from './pages/sign-in';
import { lazyPage } from './ui/lazy-page';
import { Loaded } from './ui/listing';
import { Page } from './ui/page';
import { Alone, Shell } from './ui/shell';

// Everything but the way from the sign-in page to the list of projects is loaded on first use.
const AcceptInvitationPage = lazyPage(async () => (await import('./pages/accept-invitation')).AcceptInvitationPage);
const AccountPage = lazyPage(async () => (await import('./pages/account')).AccountPage);
const AuditLogPage = lazyPage(async () => (await import('./pages/audit-log')).AuditLogPage);
const ForgottenPasswordPage = lazyPage(async () => (await import('./pages/forgotten-password')).ForgottenPasswordPage);
const MembersPage = lazyPage(async () => (await import('./pages/members')).MembersPage);
const OrganizationUsagePage = lazyPage(async () => (await import('./pages/usage/organization-usage')).OrganizationUsagePage);
const ProjectArea = lazyPage(async () => (await import('./pages/project')).ProjectArea);
const ResetPasswordPage = lazyPage(async () => (await import('./pages/forgotten-password')).ResetPasswordPage);

export function App() {
  return (
    <Switch>
      <Route path="/forgotten-password" component={ForgottenPasswordPage} />
      <Route path="/reset-password" component={ResetPasswordPage} />
      <Route path="/accept-invitation" component={AcceptInvitationPage} />
      <Route path="/organizations/:organizationId/*?" component={Members} />
      <Route component={Members} />
    </Switch>
  );
}

/** Sign-in happens at the current address, so no redirect target is needed. */
function Members() {
  const session = useSession();
  if (session.data === null) return <SignInPage />;
  if (session.data)
    return (
      <SignedIn value={session.data}>
        <SignedInPages />
      </SignedIn>
    );
  return (
    <Alone>
      <Loaded query={session}>{() => null}</Loaded>
    </Alone>
  );
}

function SignedInPages() {
  return (
    <Shell>
      <Switch>
        <Route path="/" component={StartPage} />
        <Route path="/account" component={AccountPage} />
        <Route path="/organizations/:organizationId/projects" component={ProjectsPage} />
        <Route path="/organizations/:organizationId/projects/:projectId/*?" component={ProjectArea} />
        <Route path="/organizations/:organizationId/usage" component={OrganizationUsagePage} />
        <Route path="/organizations/:organizationId/members" component={MembersPage} />
        <Route path="/organizations/:organizationId/audit-log" component={AuditLogPage} />
        <Route component={MissingPage} />
      </Switch>
    </Shell>
  );
}

function StartPage() {
  const t = useTexts();
  const place = usePlace();
  if (place) return <Redirect to={`/organizations/${place.organization_id}/projects`} replace />;
  return <Page title={t.organization.none} text={t.organization.noneText} />;
}

function MissingPage() {
  const t = useTexts();
  return (
    <Page title={t.errors.pageMissing} text={t.errors.pageMissingText}>
      <Anchor component={Link} href="/">
        {t.errors.toStart}
      </Anchor>
    </Page>
  );
}
