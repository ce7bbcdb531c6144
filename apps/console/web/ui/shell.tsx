import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { usePlace, useSignedIn, useSignedOut } from '../api/session';
import { useTexts } from '../i18n/language';
import { visibleText } from './visible-text';
import { Preferences } from './preferences';
import { Problem } from './problem';
import { SessionEnding } from './session-ending';

export function Brand() {
  const t = useTexts();
  return (
    <span className="brand">
      <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={28} height={28} />
      {t.product}
    </span>
  );
}

/** Whether the page at this location is the one at the address, or one below it. */
export const isAt = (location: string, href: string): boolean => location === href || location.startsWith(`${href}/`);

export function NavItem({ href, children }: { href: string; children: ReactNode }) {
  const [location] = useLocation();
  return (
    <li>
      <Link href={href} className="nav-item" aria-current={isAt(location, href) ? 'page' : undefined}>
        {children}
      </Link>
    </li>
  );
}

function Navigation() {
  const t = useTexts();
  const place = usePlace();
  const { memberships } = useSignedIn();
  const at = place && `/organizations/${place.organization_id}`;
  return (
    <nav aria-label={t.menu.main}>
      {place && memberships.length > 1 && (
        <ul className="organizations" aria-label={t.organization.choose}>
          {memberships.map(({ organization_id, organization_name }) => (
            <li key={organization_id}>
              <Link
                href={`/organizations/${organization_id}/projects`}
                className="nav-item"
                aria-current={organization_id === place.organization_id ? 'true' : undefined}
              >
                <bdi>{visibleText(organization_name)}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {place && memberships.length === 1 && <Text className="organization">{visibleText(place.organization_name)}</Text>}
      <ul>
        {place && <NavItem href={`${at}/projects`}>{t.nav.projects}</NavItem>}
        {place?.can('members.read') && <NavItem href={`${at}/members`}>{t.nav.members}</NavItem>}
        {place?.can('audit_log.read') && <NavItem href={`${at}/audit-log`}>{t.nav.audit}</NavItem>}
        <NavItem href="/account">{t.nav.account}</NavItem>
        <li>
          <a className="nav-item" href="/docs">
            {t.nav.developers}
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Foot() {
  const t = useTexts();
  const { user } = useSignedIn();
  const signOut = useMutation({ mutationFn: useSignedOut() });
  return (
    <div className="side-foot">
      <Text size="sm" className="wraps" c="dimmed">
        {t.menu.signedInAs(user.email)}
      </Text>
      <Problem error={signOut.error} />
      <Button variant="default" size="xs" onClick={() => signOut.mutate()} loading={signOut.isPending}>
        {t.signOut}
      </Button>
      <Preferences />
    </div>
  );
}

export function Shell({ children }: { children: ReactNode }) {
  const t = useTexts();
  const [location] = useLocation();
  // The page where the menu was opened. Navigation closes the menu.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === location;
  return (
    <div className="shell">
      <a href="#content" className="skip">
        {t.skipToContent}
      </a>
      <header className="side">
        <div className="side-head">
          <Brand />
          <Button
            className="menu-button"
            variant="default"
            size="xs"
            aria-expanded={open}
            aria-controls="menu"
            onClick={() => setOpenAt(open ? null : location)}
          >
            {open ? t.common.close : t.menu.open}
          </Button>
        </div>
        <div id="menu" className={open ? 'side-menu open' : 'side-menu'}>
          <Navigation />
          <Foot />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <SessionEnding />
    </div>
  );
}

/** The frame of pages for people without a session or an organization. */
export function Alone({ children }: { children: ReactNode }) {
  return (
    <div className="alone">
      <header>
        <Brand />
      </header>
      <main className="card">{children}</main>
      <footer>
        <Preferences />
      </footer>
    </div>
  );
}
