import { type Fault, fault } from './errors';

/** Addresses without TLS (`plain`) are for development only. In production every attempt would be refused. */
export const callbackFaults = (url: string, param: string, plain: boolean): Fault[] =>
  plain || new URL(url).protocol === 'https:' ? [] : [fault(param, 'must be an absolute HTTPS URL')];
