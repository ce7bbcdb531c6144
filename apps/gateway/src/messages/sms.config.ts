import { outboundFrom, type OutboundConfig } from '@tire/platform';
import { z } from 'zod';
import { faultOfBody, faultOfHeaders, placesOf, type Json, type SmsInterface } from '../domain/sms-request';
import type { SmsSettings } from './sms';

const PATH = '[\\w-]{1,60}(?:\\.[\\w-]{1,60}){0,7}';

/** JSON that passes `faultOf`. */
const json = <T>(shape: z.ZodType<T>, faultOf: (value: T) => string | null) =>
  z
    .string()
    .max(8_000)
    .transform((text, context) => {
      const { data, success } = shape.safeParse(parsed(text));
      const fault = success ? faultOf(data) : 'is not JSON of this form';
      if (success && fault === null) return data;
      context.addIssue({ code: 'custom', message: fault ?? '' });
      return z.NEVER;
    });

export const smsConfig = {
  SMS_URL: z
    .url()
    .max(2_048)
    .optional()
    .describe(
      'Address of the provider of text messages, https. The guard of outgoing requests applies to it. Without it the gateway sends no text messages.',
    ),
  SMS_METHOD: z.enum(['POST', 'PUT']).default('POST').describe('Method of the request to SMS_URL.'),
  SMS_HEADERS: json(z.record(z.string(), z.string()), faultOfHeaders)
    .optional()
    .describe('Headers of the request, as a JSON object: {"Authorization": "Bearer {{secret}}"}. {{secret}} and {{id}} are filled in.'),
  SMS_BODY: json(z.json() as z.ZodType<Json>, faultOfBody)
    .optional()
    .describe(
      'Body of the request, as JSON in whose texts these are filled in: {{to}} (E.164), {{to_national}} (01012345678; E.164 for other countries than Korea), {{from}}, {{text}}, {{kind}} (SMS, or LMS above 90 bytes), {{id}} (the same at each attempt), {{secret}}. Needed with SMS_URL.',
    ),
  SMS_SECRET: z
    .string()
    .max(1_024)
    .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
    .optional()
    .describe('The value of {{secret}}.'),
  SMS_FROM: z
    .string()
    .regex(/^\+?[\dA-Za-z-]{1,20}$/, 'must be a number or a name')
    .optional()
    .describe('The value of {{from}}: the registered number of the sender.'),
  SMS_SUCCESS: z
    .string()
    .regex(new RegExp(`^${PATH}=[^=]{1,100}$`), 'must be path=value')
    .optional()
    .describe(
      'Which value of the JSON answer says that the message was taken, as in header.isSuccessful=true. Without it every status of 200 to 299 does.',
    ),
  SMS_ID_PATH: z
    .string()
    .regex(new RegExp(`^${PATH}$`), 'must be a path, as in body.data.requestId')
    .optional()
    .describe("Where in the JSON answer the provider's id of the message is, as in body.data.requestId."),
  SMS_IDEMPOTENT: z
    .stringbool()
    .default(false)
    .describe(
      'true: the provider recognizes a repetition by {{id}}, so a message without an answer is sent again. false: it is not, because it may have arrived.',
    ),
};

/** With the settings of the guard of outgoing requests. */
export type SmsConfiguration = z.infer<z.ZodObject<typeof smsConfig>> & OutboundConfig;

interface SmsFault {
  readonly variable: keyof SmsConfiguration;
  readonly message: string;
}

export function smsFaults({ SMS_URL, SMS_BODY, SMS_HEADERS = {}, SMS_SECRET, SMS_FROM, SMS_IDEMPOTENT }: SmsConfiguration): SmsFault[] {
  if (SMS_URL === undefined)
    return (SMS_BODY ?? SMS_SECRET) ? [{ variable: 'SMS_URL', message: 'needed with the other settings of SMS' }] : [];
  if (SMS_BODY === undefined) return [{ variable: 'SMS_BODY', message: 'needed with SMS_URL' }];
  const named = [...placesOf(SMS_BODY), ...placesOf(SMS_HEADERS)];
  const faults: SmsFault[] = [];
  if (named.includes('secret') !== (SMS_SECRET !== undefined))
    faults.push({ variable: 'SMS_SECRET', message: 'needed where {{secret}} is named, and only there' });
  if (named.includes('from') && SMS_FROM === undefined) faults.push({ variable: 'SMS_FROM', message: 'needed where {{from}} is named' });
  if (SMS_IDEMPOTENT && !named.includes('id'))
    faults.push({ variable: 'SMS_IDEMPOTENT', message: 'needs {{id}} in SMS_HEADERS or SMS_BODY' });
  return faults;
}

/** Null: the gateway sends no text messages. */
export function smsSettings(config: SmsConfiguration): SmsSettings | null {
  const { SMS_URL: url, SMS_METHOD: method, SMS_BODY: body, SMS_IDEMPOTENT: isIdempotent } = config;
  if (url === undefined || body === undefined) return null;
  const [path, value] = config.SMS_SUCCESS?.split('=') ?? [];
  const provider: SmsInterface = {
    headers: config.SMS_HEADERS ?? {},
    body,
    success: path !== undefined && value !== undefined ? { path, value } : null,
    idPath: config.SMS_ID_PATH ?? null,
  };
  const sender = { from: config.SMS_FROM ?? '', secret: config.SMS_SECRET ?? '' };
  return { url, method, provider, sender, isIdempotent, outbound: outboundFrom(config) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
