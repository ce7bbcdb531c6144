import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackFile } from '@tire/local-stack';

/** Read again at each use, because a restarted service has a new pid. */
export const stackUnderTest = (): StackFile => JSON.parse(readFileSync(join(process.env['STACK_DIR']!, 'stack.json'), 'utf8')) as StackFile;
