import { account } from './en/account';
import { branches } from './en/branches';
import { capture } from './en/capture';
import { customers, reminders, send, templates } from './en/customers';
import { creation } from './en/creation';
import { developer } from './en/developer';
import { exportSchedules } from './en/export-schedules';
import { organization } from './en/organization';
import { prices } from './en/prices';
import { privacy } from './en/privacy';
import { reports } from './en/reports';
import { retention } from './en/retention';

/** Every text of the console. The compiler checks that other languages have the same keys. */
export const en = {
  ...account,
  ...developer,
  branches,
  capture,
  creation,
  customers,
  send,
  reminders,
  templates,
  ...organization,
  exportSchedules,
  prices,
  retention,
  privacy,
  ...reports,
  product: 'Tire inspection',
  language: { label: 'Language' },
  theme: { label: 'Appearance', auto: 'Auto', light: 'Light', dark: 'Dark' },
  skipToContent: 'Skip to the content',
  menu: { open: 'Menu', main: 'Main', signedInAs: (email: string) => `Signed in as ${email}` },
  common: {
    cancel: 'Cancel',
    close: 'Close',
    save: 'Save',
    saved: 'Saved.',
    loading: 'Loading',
    again: 'Try again',
    more: 'Show more',
    moreOf: (shown: number, all: number) => `Show more (${shown} of ${all} are shown)`,
    copy: 'Copy',
    copied: 'Copied',
    copyByHand: 'Copy it by hand',
    never: 'never',
    you: 'You',
    refresh: 'Refresh',
    showPassword: 'Show or hide the password',
  },
  errors: {
    title: 'That did not work',
    unreachable: 'The service did not answer. Check your connection and try again.',
    forbidden: 'Your role does not allow this.',
    not_found: 'This does not exist, or it is not yours to see.',
    rate_limited: 'Too many attempts. Wait a minute and try again.',
    unauthorized: 'You are not signed in any more.',
    other: 'The service could not do this. Try again in a moment.',
    request: (id: string) => `Reference for support: ${id}`,
    pageMissing: 'There is no such page',
    pageMissingText: 'The address may be mistyped, or what it showed is gone.',
    toStart: 'To the start page',
  },
  nav: { projects: 'Projects', members: 'Members', audit: 'Audit log', account: 'Account', developers: 'API reference' },
};

export type Texts = typeof en;
