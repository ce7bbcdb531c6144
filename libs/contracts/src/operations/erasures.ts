import {
  CheckCertificateRequest,
  CheckedCertificate,
  ConfirmErasureRequest,
  Erasure,
  ErasureList,
  SubjectExportRequest,
  SubjectRequest,
} from '../console/erasures';
import type { Operation } from './operation';
import { PROJECT } from './paths';

const ERASURES = `${PROJECT}/erasures` as const;
const ERASURE = `${ERASURES}/{erasure_id}` as const;

export const ERASURE_OPERATIONS = {
  listErasures: {
    method: 'get',
    console: { path: ERASURES, access: 'erasures.manage' },
    summary: 'Erasures of the project. Each has its certificate on its own page.',
    responses: [{ status: 200, schema: ErasureList }],
  },
  requestErasure: {
    method: 'post',
    console: { path: ERASURES, access: 'erasures.manage' },
    summary: 'Count what is kept about a person or a vehicle. Nothing is removed before the confirmation.',
    description: 'The value is in the body, so that no address and no log has it. 409 conflict: ten requests of the project are open.',
    body: { schema: SubjectRequest },
    responses: [{ status: 202, schema: Erasure }],
    errors: ['conflict'],
  },
  getErasure: {
    method: 'get',
    console: { path: ERASURE, access: 'erasures.manage' },
    summary: 'One erasure.',
    responses: [{ status: 200, schema: Erasure }],
  },
  confirmErasure: {
    method: 'post',
    console: { path: `${ERASURE}/confirm`, access: 'erasures.manage' },
    summary: 'Remove what was counted, and what was recorded about the same person or vehicle since then.',
    description: 'Cannot be undone. 409 conflict: it is not counted yet, or has ended. Repeatable.',
    body: { schema: ConfirmErasureRequest },
    responses: [{ status: 202, schema: Erasure }],
    errors: ['conflict'],
  },
  cancelErasure: {
    method: 'post',
    console: { path: `${ERASURE}/cancel`, access: 'erasures.manage' },
    summary: 'End an erasure that was not confirmed. Repeatable.',
    description: '409 conflict: it was confirmed.',
    responses: [{ status: 200, schema: Erasure }],
    errors: ['conflict'],
  },
  checkCertificate: {
    method: 'post',
    console: { path: `${PROJECT}/erasure-certificates/check`, access: 'erasures.manage' },
    summary: 'Whether this service signed a certificate, and whether it is about a value.',
    body: { schema: CheckCertificateRequest },
    responses: [{ status: 200, schema: CheckedCertificate }],
  },
  exportSubject: {
    method: 'post',
    console: { path: `${PROJECT}/subject-exports`, access: 'erasures.manage' },
    summary: 'What is kept about a person or a vehicle, as a ZIP file.',
    description:
      'The file is written while it is read and is not stored. Addresses of photographs in it are valid for some minutes. 409 conflict: the value names too many reports.',
    body: { schema: SubjectExportRequest },
    responses: [{ status: 200, description: 'A ZIP file.' }],
    errors: ['conflict'],
  },
} as const satisfies Record<string, Operation>;
