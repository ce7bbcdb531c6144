import { ERROR_CODES, publicCode } from '@tire/kernel';
import { z } from 'zod';
import { ErrorEnvelope } from '../api/responses';

const { error } = ErrorEnvelope.shape;

/** The envelope of the public API, with the codes that only the console has. */
export const ConsoleError = z
  .object({ error: error.extend({ code: z.enum([...new Set(ERROR_CODES.map(publicCode))]) }) })
  .meta({ id: 'ConsoleError' });
export type ConsoleError = z.infer<typeof ConsoleError>;
