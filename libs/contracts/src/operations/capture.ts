import { z } from 'zod';
import { CaptureOrder, IssuedCapture, RevokedCapture } from '../api/capture';
import { CaptureSettings } from '../console/capture';
import { RegisterImagesResponse } from '../api';
import { CaptureImages, CaptureSession } from '../capture';
import * as examples from './examples/capture';
import { MUTATION_ERRORS } from './images';
import type { Operation } from './operation';
import { PROJECT, PROJECT_REPORT, REPORT } from './paths';

const LINK = `${REPORT}/capture-link` as const;

export const CAPTURE_OPERATIONS = {
  issueCapture: {
    method: 'post',
    api: { path: LINK, scope: 'report:write', tag: 'Images', additional: true },
    console: { path: `${PROJECT_REPORT}/capture-link`, access: 'reports.write' },
    summary: 'Issue a capture link.',
    description:
      'The holder of the link takes the photographs of this report with a phone, without a key. A new link ends the earlier one. Only for ' +
      'reports in Pre-Signed mode. The link ends when it expires, when it is revoked, and 15 minutes after the report was published, or at ' +
      'once if its holder has finished.',
    body: { schema: CaptureOrder, optional: true, examples: { two_days: examples.captureOrderExample, defaults: {} } },
    responses: [{ status: 201, description: 'The new link.', schema: IssuedCapture, examples: { issued: examples.issuedCaptureExample } }],
    errors: [...MUTATION_ERRORS, 'validation_error'],
  },
  revokeCapture: {
    method: 'delete',
    api: { path: LINK, scope: 'report:write', tag: 'Images', additional: true },
    console: { path: `${PROJECT_REPORT}/capture-link`, access: 'reports.write' },
    summary: 'Revoke the capture link.',
    description: 'Repeatable. Images that were registered stay. 404 if no link was issued.',
    responses: [{ status: 200, description: 'Revoked.', schema: RevokedCapture, examples: { revoked: examples.revokedCaptureExample } }],
    errors: MUTATION_ERRORS,
  },
  getCaptureSettings: {
    method: 'get',
    console: { path: `${PROJECT}/capture-settings`, access: 'projects.read' },
    summary: 'How capture pages of the project behave.',
    responses: [{ status: 200, schema: CaptureSettings }],
  },
  changeCaptureSettings: {
    method: 'patch',
    console: { path: `${PROJECT}/capture-settings`, access: 'projects.manage' },
    summary: 'Change which pages may embed capture pages of the project, and whether they link to the share page.',
    body: { schema: CaptureSettings },
    responses: [{ status: 200, schema: CaptureSettings }],
  },
  getCaptureSession: {
    method: 'get',
    capture: { path: '/session' },
    summary: 'What the holder of a capture link gets.',
    responses: [{ status: 200, schema: CaptureSession }],
  },
  registerCaptureImages: {
    method: 'post',
    capture: { path: '/images' },
    summary: 'Register an uploaded photograph; its analysis starts.',
    description: 'slot_already_succeeded: the slot holds another image than the one that this one replaces.',
    body: { schema: CaptureImages },
    responses: [{ status: 202, schema: RegisterImagesResponse }],
    errors: [...MUTATION_ERRORS, 'slot_already_succeeded', 'capture_ended', 'validation_error'],
  },
  finishCapture: {
    method: 'post',
    capture: { path: '/finish' },
    summary: 'Say that all photographs are taken. Repeatable.',
    body: { schema: z.object({}), optional: true },
    responses: [{ status: 200, schema: CaptureSession }],
    errors: ['capture_ended'],
  },
} as const satisfies Record<string, Operation>;
