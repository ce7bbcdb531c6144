import { types } from 'node:util';

/** Also of an error that another realm made: the core modules' own are of another one inside a test runner. */
export const isError = (value: unknown): value is Error => value instanceof Error || types.isNativeError(value);
