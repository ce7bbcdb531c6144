import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackFile } from '@tire/local-stack';

/** Where a partner serves images and receives callbacks. The guard of the stack allows these addresses. */
export type PartnerOrigins = Pick<StackFile, 'images_origin' | 'callback_origin'>;

/** Names the addresses of the partners of all Jest workers but the first, as JSON. Specs of two workers listen at the same time. */
export const PARTNERS = 'TIRE_PARTNERS';

/** What the stack reaches outside, where one spec listens: the collector of traces, the provider of text messages. */
export interface Outside {
  readonly collector_port: number;
  readonly sms_port: number;
}
export const OUTSIDE = 'TIRE_OUTSIDE';

export function outsideOfStack(): Outside {
  const outside = process.env[OUTSIDE];
  if (!outside) throw new Error('A stack that was started by hand has no collector: run this spec without STACK_DIR');
  return JSON.parse(outside) as Outside;
}

function partnerOfThisWorker(): Partial<PartnerOrigins> {
  const partners = JSON.parse(process.env[PARTNERS] ?? '[]') as PartnerOrigins[];
  return partners[Number(process.env['JEST_WORKER_ID'] ?? 1) - 2] ?? {};
}

/** Read again at each use, because a restarted service has a new pid. */
export function stackUnderTest(): StackFile {
  const stack = JSON.parse(readFileSync(join(process.env['STACK_DIR']!, 'stack.json'), 'utf8')) as StackFile;
  return { ...stack, ...partnerOfThisWorker() };
}
