import { types } from 'node:util';

/** Returns true also for an error of another realm: inside a test runner the errors of core modules belong to another realm. */
export const isError = (value: unknown): value is Error => value instanceof Error || types.isNativeError(value);
