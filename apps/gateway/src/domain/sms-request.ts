import { isLongText } from '@tire/contracts/limits';
import { nationalPhone } from './phone';
import type { Outcome } from './sending';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g;
/** In headers too. The others hold what a person wrote, and stand in the body only. */
const HEADER_PLACES = ['id', 'secret'] as const;
const PLACES = [...HEADER_PLACES, 'to', 'to_national', 'from', 'text', 'kind'] as const;
type Values = Readonly<Record<(typeof PLACES)[number], string>>;

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}$/;
const HEADER_VALUE = /^[\x20-\x7e]{0,1000}$/;
/** Of the connection, or made from the body. */
const RESERVED = /^(?:host|connection|content-length|content-type|transfer-encoding|expect|upgrade|te|trailer|keep-alive|proxy-.*)$/i;
const REFERENCE = /^[\w.:@=+/-]{1,100}$/;

/** What the operator says about the interface of the provider. */
export interface SmsInterface {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
  /** Where in the answer which value stands if the message was taken. Null: the status alone decides. */
  readonly success: { readonly path: string; readonly value: string } | null;
  readonly idPath: string | null;
}

export interface TextMessage {
  readonly id: string;
  /** E.164. */
  readonly to: string;
  readonly text: string;
}

const placesIn = (text: string): string[] => [...text.matchAll(PLACE)].map(([, name]) => name!);
const fill = (template: string, values: Values): string =>
  template.replaceAll(PLACE, (_, name: string) => (Object.hasOwn(values, name) ? values[name as keyof Values] : ''));

/** Texts are filled after the JSON was read, so no value can add a field. */
function filled(template: Json, values: Values): Json {
  if (typeof template === 'string') return fill(template, values);
  if (Array.isArray(template)) return (template as readonly Json[]).map((each) => filled(each, values));
  if (template === null || typeof template !== 'object') return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, filled(value, values)]));
}

export const placesOf = (body: Json): string[] => {
  if (typeof body === 'string') return placesIn(body);
  return body === null || typeof body !== 'object' ? [] : Object.values(body).flatMap((each: Json) => placesOf(each));
};

const isOneOf = (places: readonly string[], name: string): boolean => places.includes(name);

/** Why headers cannot be sent; null if they can. */
export function faultOfHeaders(headers: Readonly<Record<string, string>>): string | null {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || RESERVED.test(name)) return `the header ${name.slice(0, 40)} cannot be set`;
    if (!HEADER_VALUE.test(value)) return `the value of ${name} has characters that no header may have`;
    const unknown = placesIn(value).find((place) => !isOneOf(HEADER_PLACES, place));
    if (unknown !== undefined) return `${name} names {{${unknown.slice(0, 40)}}}; a header may name {{id}} and {{secret}}`;
  }
  return null;
}

/** Why a body cannot be sent; null if it can. */
export function faultOfBody(body: Json): string | null {
  const named = placesOf(body);
  const unknown = named.find((name) => !isOneOf(PLACES, name));
  if (unknown !== undefined) return `names {{${unknown.slice(0, 40)}}}, which is none of ${PLACES.map((name) => `{{${name}}}`).join(' ')}`;
  if (!named.includes('to') && !named.includes('to_national')) return 'must name {{to}} or {{to_national}}';
  return named.includes('text') ? null : 'must name {{text}}';
}

interface Sender {
  readonly from: string;
  readonly secret: string;
}

export function requestOf({ headers, body }: SmsInterface, { id, to, text }: TextMessage, { from, secret }: Sender) {
  const kind = isLongText(text) ? 'LMS' : 'SMS';
  const values: Values = { id, secret, from, to, to_national: nationalPhone(to), text, kind };
  return {
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value, values)])),
      'content-type': 'application/json',
    },
    body: JSON.stringify(filled(body, values)),
  };
}

/** Undefined where there is none. */
function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const key of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

const isText = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** About this client or the load: the operator can mend it, or it passes. Nothing was taken. */
const NOT_TAKEN: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 425, 429, 503]);

/**
 * An answer. A server error may come after the message was taken. An answer that should say whether it was taken, and does not, says nothing.
 */
export function outcomeOfAnswer({ success, idPath }: SmsInterface, status: number, body: string): Outcome {
  if (NOT_TAKEN.has(status) || (status >= 300 && status <= 399)) return { kind: 'unavailable' };
  if (status >= 400 && status <= 499) return { kind: status === 408 ? 'unknown' : 'refused' };
  if (status < 200 || status > 299) return { kind: 'unknown' };
  const json = parsed(body);
  if (success) {
    const value = valueAt(json, success.path);
    if (!isText(value)) return { kind: 'unknown' };
    if (String(value) !== success.value) return { kind: 'refused' };
  }
  const id = idPath === null ? undefined : valueAt(json, idPath);
  return isText(id) && REFERENCE.test(String(id)) ? { kind: 'sent', reference: String(id) } : { kind: 'sent' };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
