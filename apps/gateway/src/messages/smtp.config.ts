import { loopbackOrigin } from '@tire/platform';
import { z } from 'zod';
import type { SmtpSettings } from './smtp';

/** An address, or a name with an address in angle brackets. Nothing in it can end a header. */
const SENDER = /^(?:[^\p{Cc}<>@,;:"\\]{1,60} )?<?[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*>?$/u;

export const smtpConfig = {
  SMTP_HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:-]{1,253}$/, 'must be a host')
    .optional()
    .describe(
      'Server that sends mail: invitations, links to reset a password, alerts about an account, messages to customers. Without it the gateway sends none.',
    ),
  SMTP_PORT: z.coerce.number().int().min(1).max(65_535).default(587).describe('Port of SMTP_HOST.'),
  SMTP_TLS: z
    .enum(['starttls', 'implicit', 'none'])
    .default('starttls')
    .describe(
      'starttls: the connection must change to TLS before anything else is sent. implicit: TLS from the first byte (port 465). none: only to a server on this machine.',
    ),
  SMTP_USER: z.string().max(256).optional().describe('User at SMTP_HOST. Without it the gateway does not sign in there.'),
  SMTP_PASSWORD: z.string().max(1_024).optional().describe('Password of SMTP_USER.'),
  SMTP_FROM: z
    .string()
    .regex(SENDER, 'must be an address, or a name and <address>')
    .optional()
    .describe('Sender of every mail: name@host, or Name <name@host>. Needed with SMTP_HOST.'),
  SMTP_CA_FILE: z
    .string()
    .optional()
    .describe('PEM file of certificate authorities that SMTP_HOST is trusted by, instead of the usual ones.'),
};

export interface SmtpConfiguration {
  readonly SMTP_HOST?: string;
  readonly SMTP_PORT: number;
  readonly SMTP_TLS: SmtpSettings['tls'];
  readonly SMTP_USER?: string;
  readonly SMTP_PASSWORD?: string;
  readonly SMTP_FROM?: string;
  readonly SMTP_CA_FILE?: string;
}

interface SmtpFault {
  readonly variable: keyof SmtpConfiguration;
  readonly message: string;
}

export function smtpFaults({ SMTP_HOST, SMTP_TLS, SMTP_USER, SMTP_PASSWORD, SMTP_FROM }: SmtpConfiguration): SmtpFault[] {
  const faults: SmtpFault[] = [];
  if (SMTP_HOST === undefined) {
    if (SMTP_FROM ?? SMTP_USER ?? SMTP_PASSWORD) faults.push({ variable: 'SMTP_HOST', message: 'needed with the other settings of SMTP' });
    return faults;
  }
  if (SMTP_FROM === undefined) faults.push({ variable: 'SMTP_FROM', message: 'needed with SMTP_HOST' });
  if ((SMTP_USER === undefined) !== (SMTP_PASSWORD === undefined))
    faults.push({ variable: 'SMTP_PASSWORD', message: 'needed with SMTP_USER, and only with it' });
  if (SMTP_TLS === 'none' && loopbackOrigin(`http://${SMTP_HOST.includes(':') ? `[${SMTP_HOST}]` : SMTP_HOST}`) === undefined)
    faults.push({ variable: 'SMTP_TLS', message: 'may be none only for a server on this machine' });
  return faults;
}

/** Null: the gateway sends no mail. */
export function smtpSettings(config: SmtpConfiguration): SmtpSettings | null {
  const { SMTP_HOST: host, SMTP_PORT: port, SMTP_TLS: tls, SMTP_FROM: from } = config;
  if (host === undefined || from === undefined) return null;
  return {
    host,
    port,
    tls,
    from,
    user: config.SMTP_USER ?? null,
    password: config.SMTP_PASSWORD ?? null,
    caFile: config.SMTP_CA_FILE ?? null,
  };
}
