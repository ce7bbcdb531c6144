import { logger } from '@tire/platform';
import { readFileSync } from 'node:fs';
import type { NodemailerError } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { MAIL_RETRIES, type Outcome } from '../domain/sending';
import type { Carrier, OutgoingMessage } from './carrier';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** none: on this machine only. */
  readonly tls: 'starttls' | 'implicit' | 'none';
  readonly user: string | null;
  readonly password: string | null;
  readonly from: string;
  /** PEM file of authorities that are trusted instead of the usual ones. */
  readonly caFile: string | null;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 15_000;
/** Less than the lease of a message. */
const WHOLE_MS = 30_000;

/** About the receiver or the message. Other refusals are about this client, and the operator can mend them. */
const ABOUT_MESSAGE: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);
const AUTHENTICATION_REQUIRED = 530;
/** The server receives the message from now on. If its reply is missing, the outcome is unknown. */
const TAKES_MESSAGE = /^354/;

function outcomeOf({ code = '', responseCode, permanent }: NodemailerError, lastReply: string): Outcome {
  const isAnswered = responseCode !== undefined;
  const isFinal = isAnswered ? permanent === true && responseCode !== AUTHENTICATION_REQUIRED : code === 'EENVELOPE';
  if (isFinal && ABOUT_MESSAGE.has(code)) return { kind: 'refused' };
  return { kind: !isAnswered && TAKES_MESSAGE.test(lastReply) ? 'unknown' : 'unavailable' };
}

/** The server's words name the receiver, so neither they nor the error itself are logged. */
const faultOf = ({ code, originalCode, responseCode }: NodemailerError, { host, port }: SmtpSettings) => ({
  ...{ host, port, code },
  system_code: originalCode,
  response_code: responseCode,
});

function connectionOptions({ host, port, tls, caFile }: SmtpSettings) {
  return {
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { minVersion: 'TLSv1.2' as const, ...(caFile === null ? {} : { ca: readFileSync(caFile, 'utf8') }) },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    logger: false,
  };
}

/**
 * One connection for each message, and no transport of the library: a transport does not tell whether the server had the message when the
 * connection ended. The text is plain: there is no markup that a value could add to.
 */
export function smtpCarrier(settings: SmtpSettings): Carrier {
  const log = logger('smtp');
  const { user, password, from } = settings;
  const domain = from.slice(from.lastIndexOf('@') + 1).replace('>', '');
  const options = connectionOptions(settings);

  const compose = ({ id, to, subject, text, stopUrl }: OutgoingMessage) =>
    new MailComposer({
      from,
      // An object is one address, whatever is in it; text would be read as a list.
      to: { name: '', address: to },
      subject,
      text,
      messageId: `<${id}@${domain}>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(stopUrl === undefined ? {} : { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      },
      disableFileAccess: true,
      disableUrlAccess: true,
    }).compile();

  const deliver = async (message: OutgoingMessage, connection: SMTPConnection): Promise<void> => {
    const mail = compose(message);
    const raw = await mail.build();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(Object.assign(new Error('The server is too slow'), { code: 'ETIMEDOUT' })), WHOLE_MS);
      const end = (error?: Error | null): void => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve();
      };
      // It stays: a connection may fail again while it closes.
      connection.on('error', end);
      connection.connect((failure) => {
        if (failure) return end(failure);
        const send = () => connection.send(mail.getEnvelope(), raw, end);
        if (user === null) return send();
        connection.login({ user, pass: password ?? '' }, (refusal) => (refusal ? end(refusal) : send()));
      });
    });
  };

  return {
    retries: MAIL_RETRIES,
    async send(message: OutgoingMessage): Promise<Outcome> {
      const connection = new SMTPConnection(options);
      try {
        await deliver(message, connection);
        connection.quit();
        return { kind: 'sent' };
      } catch (error) {
        const outcome = outcomeOf(error as NodemailerError, String(connection.lastServerResponse));
        log.warn({ message_id: message.id, outcome: outcome.kind, ...faultOf(error as NodemailerError, settings) }, 'A mail was not sent');
        connection.close();
        return outcome;
      }
    },
  };
}
