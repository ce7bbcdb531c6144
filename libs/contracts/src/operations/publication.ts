import { PublishResponse, ShareRecord } from '../api';
import * as examples from './examples/publication';
import { MUTATION_ERRORS } from './images';
import type { Operation } from './operation';
import { PROJECT_REPORT, REPORT } from './paths';

export const PUBLICATION_OPERATIONS = {
  publishReport: {
    method: 'post',
    api: { path: `${REPORT}/publish`, scope: 'report:publish', tag: 'Publication' },
    console: { path: `${PROJECT_REPORT}/publish`, access: 'reports.publish' },
    summary: 'Publish the share page.',
    description: 'Refused while the minimum success counts of the template are not met.',
    responses: [{ status: 200, description: 'Published.', schema: PublishResponse, examples: { published: examples.publishExample } }],
    errors: [...MUTATION_ERRORS, 'publish_requirements_unmet'],
  },
  getShare: {
    method: 'get',
    api: { path: `${REPORT}/share`, scope: 'report:read', tag: 'Publication' },
    console: { path: `${PROJECT_REPORT}/share`, access: 'reports.read' },
    summary: 'Read the state of the share link.',
    description: 'Expiry and revocation of the link, and whether its page is open.',
    responses: [
      {
        status: 200,
        description: 'The share link.',
        schema: ShareRecord,
        examples: { active: examples.shareExample, revoked: examples.revokedShareExample },
      },
    ],
    errors: ['not_found'],
  },
  reissueShare: {
    method: 'post',
    api: { path: `${REPORT}/share`, scope: 'report:publish', tag: 'Publication', additional: true },
    console: { path: `${PROJECT_REPORT}/share`, access: 'reports.publish' },
    summary: 'Issue a new share link.',
    description: 'The old link never opens again.',
    responses: [{ status: 201, description: 'The new link.', schema: ShareRecord, examples: { active: examples.shareExample } }],
    errors: MUTATION_ERRORS,
  },
  revokeShare: {
    method: 'delete',
    api: { path: `${REPORT}/share`, scope: 'report:publish', tag: 'Publication' },
    console: { path: `${PROJECT_REPORT}/share`, access: 'reports.publish' },
    summary: 'Revoke the share link.',
    description: 'Only the link: `publication_status` stays unchanged and `links.share` becomes `null`.',
    responses: [{ status: 200, description: 'Revoked.', schema: ShareRecord, examples: { revoked: examples.revokedShareExample } }],
    errors: MUTATION_ERRORS,
  },
} as const satisfies Record<string, Operation>;
