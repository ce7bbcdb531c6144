import { CONSOLE_OPERATIONS, API_OPERATIONS, OPERATIONS, type Operation } from '@tire/contracts/operations';
import { DomainError, newId } from '@tire/kernel';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseBody, requestParser } from './validation';

const asBody = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

function messagesOf(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.faults.map(({ message }) => message);
    throw error;
  }
}

const refusals = (operation: Operation, request: { query?: object; headers?: object; body?: unknown }): string[] =>
  messagesOf(() => requestParser(operation)({ query: {}, headers: {}, ...request } as FastifyRequest));

/** Words of zod that no partner should have to know. */
const FOREIGN = /invalid|expected|received|undefined|input|NaN|too (small|big)|nonoptional|>=|<=/i;

describe('the words of a fault', () => {
  const { createReport, createUploadTargets, registerImages, replayCallbacks, listReports, getUsage, listenToCallbacks } = OPERATIONS;
  const slot = { position: 'front_left', image_type: 'tread' };
  const image = { module_type: 'tire', slot, source: { url: 'https://a.example/' } };
  const { rotateWebhookSecret } = OPERATIONS;

  it.each<[string, Operation, { query?: object; body?: unknown }, string[]]>([
    ['a missing list', createUploadTargets, { body: asBody({}) }, ['slots: is required.']],
    ['a missing id', registerImages, { body: asBody({ images: [{ module_type: 'tire', slot }] }) }, ['images[0].asset_id: is required.']],
    ['a missing object', createReport, { body: asBody({ images: [{ module_type: 'tire', slot }] }) }, ['images[0].source: is required.']],
    [
      'a missing constant',
      createReport,
      { body: asBody({ images: [{ ...image, module_type: undefined }] }) },
      ['images[0].module_type: is required.'],
    ],
    [
      'a missing choice',
      createReport,
      { body: asBody({ images: [{ ...image, slot: { image_type: 'tread' } }] }) },
      ['images[0].slot.position: is required.'],
    ],
    ['a missing time', replayCallbacks, { body: asBody({ queued_from: '2026-11-21T00:00:00Z' }) }, ['queued_before: is required.']],
    ['no text', createReport, { body: asBody({ plate_number: 7 }) }, ['plate_number: must be text.']],
    ['null where it means nothing', createUploadTargets, { body: asBody({ slots: null }) }, ['slots: must be a list.']],
    ['no list', createReport, { body: asBody({ images: {} }) }, ['images: must be a list.']],
    ['an empty list', createUploadTargets, { body: asBody({ slots: [] }) }, ['slots: must have at least 1 entry.']],
    ['no object', createReport, { body: asBody({ images: [7] }) }, ['images[0]: must be an object.']],
    ['no object of the partner', createReport, { body: asBody({ metadata: [] }) }, ['metadata: must be an object.']],
    ['another choice', createReport, { body: asBody({ template: 'x' }) }, ['template: must be tire_4t_2s, tire_4t_4s or tire_4t_0s.']],
    [
      'another constant',
      createReport,
      { body: asBody({ images: [{ ...image, module_type: 'x' }] }) },
      ['images[0].module_type: must be tire.'],
    ],
    [
      'no id',
      registerImages,
      { body: asBody({ images: [{ module_type: 'tire', slot, asset_id: 'x' }] }) },
      ['images[0].asset_id: must be an id, as in 01978a34-5c00-7000-8000-000000000001.'],
    ],
    [
      'no time',
      listReports,
      { query: { created_from: 'x' } },
      ['created_from: must be a time in UTC, as in 2026-11-21T04:05:06Z.', 'created_from: must be in the years 1970 to 2999.'],
    ],
    ['a missing day', getUsage, { query: { from: '2026-11-21' } }, ['to: must be a day, as in 2026-11-21.']],
    ['no number of seconds', listenToCallbacks, { query: { wait_s: 'x' } }, ['wait_s: must be 0 to 25.']],
    ['too many', rotateWebhookSecret, { body: asBody({ overlap_hours: 721 }) }, ['overlap_hours: must be at most 720.']],
    ['too few', rotateWebhookSecret, { body: asBody({ overlap_hours: -1 }) }, ['overlap_hours: must be at least 0.']],
    ['no whole number', rotateWebhookSecret, { body: asBody({ overlap_hours: 1.5 }) }, ['overlap_hours: must be a whole number.']],
    ['no number', rotateWebhookSecret, { body: asBody({ overlap_hours: 'x' }) }, ['overlap_hours: must be a number.']],
    ['a body that is a list', createReport, { body: asBody([]) }, ['The body must be a JSON object.']],
    [
      'a text that is too long',
      createReport,
      { body: asBody({ plate_number: 'x'.repeat(33) }) },
      ['plate_number: must have at most 32 characters'],
    ],
  ])('are plain: %s', (_, operation, request, messages) => {
    expect(refusals(operation, request)).toEqual(messages);
  });

  it('of lengths count in their unit', () => {
    const schema = z.object({
      a: z.string().min(2),
      b: z.string().max(1),
      c: z.array(z.int()).max(1),
      d: z.number().gt(3),
      e: z.boolean(),
    });
    expect(messagesOf(() => parseBody(schema, asBody({ a: 'x', b: 'xy', c: [1, 2], d: 3, e: 'no' })))).toEqual([
      'a: must have at least 2 characters.',
      'b: must have at most 1 character.',
      'c: must have at most 1 entry.',
      'd: must be more than 3.',
      'e: must be true or false.',
    ]);
  });

  /** Each place of a body of the wrong kind, or left out. */
  const WRONG = [undefined, null, 7, -1, 1.5, 'x', true, [], {}, [{}], [null], { slot: {} }, [{ slot: {}, source: {} }], newId()];

  it.each([...API_OPERATIONS, ...CONSOLE_OPERATIONS].map((operation) => [operation.operationId, operation] as const))(
    'are nowhere those of the validator: %s',
    (_id, operation) => {
      const names = operation.body?.schema instanceof z.ZodObject ? Object.keys(operation.body.schema.shape) : [];
      const bodies = [{}, ...names.flatMap((name) => WRONG.map((value) => ({ [name]: value })))];
      const parameters = Object.keys(operation.query ?? {});
      const queries = [{}, ...parameters.flatMap((name) => ['', 'x', '-1', '1.5', ['1', '2']].map((value) => ({ [name]: value })))];
      const messages = [
        ...(operation.body ? bodies.flatMap((body) => refusals(operation, { body: asBody(body) })) : []),
        ...queries.flatMap((query) => refusals({ ...operation, body: undefined } as Operation, { query })),
      ];
      expect(messages.filter((message) => FOREIGN.test(message))).toEqual([]);
    },
  );
});
