import type { SubjectKind } from '@tire/contracts/limits';
import { isUuid } from '@tire/kernel';
import { normalizedPhone } from './phone';

const SEPARATORS = /[\s\-.·‐-―−]/g;

const name = (text: string): string => text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

const NORMALIZED: Readonly<Record<SubjectKind, (text: string) => string | null>> = {
  plate: (text) => text.normalize('NFKC').toUpperCase().replaceAll(SEPARATORS, '') || null,
  vin: (text) => text.normalize('NFKC').toUpperCase().replaceAll(SEPARATORS, '') || null,
  vehicle: (text) => text.normalize('NFKC').trim() || null,
  report: (text) => (isUuid(text.trim()) ? text.trim().toLowerCase() : null),
  phone: normalizedPhone,
  email: (text) => (text.includes('@') ? text.trim().toLowerCase() : null),
  name: (text) => name(text) || null,
};

/** One form for each person or vehicle, however the value is written. Null if it can name none. */
export const normalizedSubject = (kind: SubjectKind, written: string): string | null => NORMALIZED[kind](written);

/** Whether the customer of a report is the one that is asked for. */
export const isCustomer = (kind: 'email' | 'name', normalized: string, held: { email: string | null; name: string | null }): boolean => {
  const value = held[kind];
  return value !== null && normalizedSubject(kind, value) === normalized;
};
