import {
  AnalyzeRequest,
  AnalyzeResponse,
  RegisterImagesRequest,
  RegisterImagesResponse,
  UploadTargetsRequest,
  UploadTargetsResponse,
} from '../api';
import * as examples from './examples/images';
import type { Operation } from './operation';
import { flag } from './parameters';
import { PROJECT_REPORT, REPORT } from './paths';

export const MUTATION_ERRORS = ['not_found', 'report_discarded', 'report_purge_pending'] as const;

export const IMAGE_OPERATIONS = {
  createUploadTargets: {
    method: 'post',
    api: { path: `${REPORT}/upload-targets`, scope: 'report:write', tag: 'Images' },
    console: { path: `${PROJECT_REPORT}/upload-targets`, access: 'reports.write' },
    capture: { path: '/upload-targets' },
    summary: 'Issue new upload targets.',
    description: 'For the listed slots only: when a URL has expired, or an image is taken again.',
    body: { schema: UploadTargetsRequest, examples: { one_slot: examples.uploadTargetsRequestExample } },
    responses: [
      { status: 201, description: 'New targets.', schema: UploadTargetsResponse, examples: { one_slot: examples.uploadTargetsExample } },
    ],
    errors: [...MUTATION_ERRORS, 'validation_error'],
  },
  registerImages: {
    method: 'post',
    api: { path: `${REPORT}/images`, scope: 'report:write', tag: 'Images' },
    console: { path: `${PROJECT_REPORT}/images`, access: 'reports.write' },
    summary: 'Register uploaded assets; their analysis starts.',
    description:
      'Registering the asset that a slot already has changes nothing. An upload without a `Cache-Control`, or with one that allows reuse ' +
      'for more than 60 seconds, gives 422 with param `asset_id`: issue a new target.',
    query: { replace: flag('`true`: replace the asset of a slot that succeeded or is being replaced.', true) },
    body: { schema: RegisterImagesRequest, examples: { one_slot: examples.registerRequestExample } },
    responses: [
      { status: 202, description: 'Registered.', schema: RegisterImagesResponse, examples: { one_slot: examples.registeredExample } },
    ],
    errors: [...MUTATION_ERRORS, 'slot_already_succeeded', 'validation_error'],
  },
  analyzeSlots: {
    method: 'post',
    api: { path: `${REPORT}/analyze`, scope: 'report:write', tag: 'Images' },
    console: { path: `${PROJECT_REPORT}/analyze`, access: 'reports.write' },
    summary: 'Analyze slots again.',
    description: 'Without slots: every failed one. A listed slot that succeeded is analyzed again; a pending one is left alone.',
    body: { schema: AnalyzeRequest, optional: true, examples: { one_slot: examples.analyzeRequestExample, every_failed_slot: {} } },
    responses: [
      { status: 202, description: 'The analysis starts.', schema: AnalyzeResponse, examples: { one_slot: examples.analyzeExample } },
    ],
    errors: [...MUTATION_ERRORS, 'validation_error'],
  },
} as const satisfies Record<string, Operation>;
