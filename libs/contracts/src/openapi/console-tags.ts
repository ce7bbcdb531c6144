interface Tag {
  readonly name: string;
  readonly description: string;
  readonly paths: RegExp;
}

/** The first one that fits is the tag of an operation. */
const TAGS: readonly Tag[] = [
  { name: 'Sessions', description: 'Sign in and out, accept an invitation.', paths: /^\/(session|sign-in-options|invitations)/ },
  { name: 'Account', description: 'What a member changes about themselves.', paths: /^\/account/ },
  { name: 'Organization', description: 'Members, invitations, projects, audit log.', paths: /^\/organizations/ },
  {
    name: 'Reports',
    description: 'Reports of a project and of a vehicle.',
    paths: /^\/projects\/[^/]+\/(reports|manual-reports|vehicle-history|vehicles)/,
  },
  {
    name: 'Projects',
    description: 'The project and what its share pages show of the partner.',
    paths: /^\/projects\/[^/]+(\/(partner|branches|time-zone).*)?$/,
  },
  { name: 'Developers', description: 'Keys, webhooks, requests and usage of a project.', paths: /^\/projects/ },
];

export function tagOf(path: string): string {
  const tag = TAGS.find(({ paths }) => paths.test(path));
  if (!tag) throw new Error(`No tag fits ${path}`);
  return tag.name;
}

export const consoleTags = (): object[] => TAGS.map(({ name, description }) => ({ name, description }));
