interface Tag {
  readonly name: string;
  readonly description: string;
  readonly paths: RegExp;
}

/** The first one that fits is the tag of an operation. */
const TAGS: readonly Tag[] = [
  {
    name: 'Sessions',
    description: 'Sign in and out, accept an invitation.',
    paths: /^\/(session|sign-in-options|password-reset|invitations)/,
  },
  { name: 'Account', description: 'What a member changes about themselves.', paths: /^\/account/ },
  { name: 'Organization', description: 'Members, invitations, projects, audit log.', paths: /^\/organizations/ },
  {
    name: 'Reports',
    description: 'Reports of a project and of a vehicle, and their customers.',
    paths: /^\/projects\/[^/]+\/(reports|report-[a-z-]+|manual-reports|vehicle-history|vehicles|visits)/,
  },
  {
    name: 'Projects',
    description: 'The project, what its share pages show of the partner, and what it writes to customers.',
    paths: /^\/projects\/[^/]+(\/(partner|branches|time-zone|kakao-key|message-templates).*)?$/,
  },
  {
    name: 'Privacy',
    description: 'Erasure and export of what is kept about a person or a vehicle.',
    paths: /^\/projects\/[^/]+\/(erasures|erasure-certificates|subject-exports)/,
  },
  { name: 'Developers', description: 'Keys, webhooks, requests and usage of a project.', paths: /^\/projects/ },
];

export function tagOf(path: string): string {
  const tag = TAGS.find(({ paths }) => paths.test(path));
  if (!tag) throw new Error(`No tag fits ${path}`);
  return tag.name;
}

export const consoleTags = (): object[] => TAGS.map(({ name, description }) => ({ name, description }));
