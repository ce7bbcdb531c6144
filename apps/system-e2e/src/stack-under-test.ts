import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackFile } from '@tire/local-stack';

/** Read anew at each use: a service that was started again has another pid. */
export const stackUnderTest = (): StackFile => JSON.parse(readFileSync(join(process.env['STACK_DIR']!, 'stack.json'), 'utf8')) as StackFile;
