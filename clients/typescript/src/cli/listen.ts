import { createHmac } from 'node:crypto';
import { UsageError } from './config.ts';
import { clockTime, interrupted, tell, untilEnded, type Context } from './context.ts';
import type { ListenedCallbacks, ReportNotificationType } from '../types.ts';
import { EVENTS } from './trigger.ts';

type Callback = ListenedCallbacks['callbacks'][number];

const LISTENED = [...EVENTS, 'capture.finished'] as const;

/** As long as the service waits for a `callback_url`. */
const ANSWER_MS_MAX = 15_000;

/** Follows from the key, so it is the same at each start and tells nothing about the key. */
export const listeningSecret = (apiKey: string): string => `whsec_${createHmac('sha256', apiKey).update('tire listen').digest('base64')}`;

/** Beside the signature of the project's own secret: a receiver accepts a callback that one of them signed. */
function withSignature({ headers, body }: Callback, secret: string): Record<string, string> {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const mine = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest('base64');
  return { ...headers, 'webhook-signature': `${headers['webhook-signature'] ?? ''} v1,${mine}`.trim() };
}

function addressIn(forward: string | undefined): string {
  if (!forward || !URL.canParse(forward) || !/^https?:$/.test(new URL(forward).protocol))
    throw new UsageError('--forward is the address of your program, such as http://localhost:3000/hooks.');
  return forward;
}

/** A word that is no event would silently match nothing. */
function eventsIn(list: string | undefined): readonly string[] | undefined {
  const events = list?.split(',').map((event) => event.trim());
  const known: readonly string[] = LISTENED satisfies readonly ReportNotificationType[];
  const unknown = events?.find((event) => !known.includes(event));
  if (unknown !== undefined) throw new UsageError(`--events: ${unknown || 'nothing'} is no event. The events are ${known.join(', ')}.`);
  return events;
}

interface Answered {
  readonly status: number | null;
  readonly fault: string | null;
  readonly ms: number;
}

async function send(address: string, callback: Callback, secret: string, signal: AbortSignal): Promise<Answered> {
  const began = performance.now();
  const timeout = AbortSignal.timeout(ANSWER_MS_MAX);
  const ended = () => Math.round(performance.now() - began);
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: withSignature(callback, secret),
      body: callback.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    await response.body?.cancel();
    return { status: response.status, fault: null, ms: ended() };
  } catch (error) {
    signal.throwIfAborted();
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return { status: null, fault: timeout.aborted ? 'no answer within 15 s' : (code ?? (error as Error).message), ms: ended() };
  }
}

function line({ type, report_id }: Callback, { status, fault, ms }: Answered): string {
  return `${clockTime(new Date())}  ${type.padEnd(16)}  ${report_id}  ${status === null ? fault : `${status} (${ms} ms)`}\n`;
}

/** Sends the callbacks of a test project to a program on this machine, one after the other, until it is ended. */
export function listen(context: Context): Promise<number> {
  const { client, apiKey, options, print } = context;
  const address = addressIn(options.forward);
  const wanted = eventsIn(options.events);
  const secret = listeningSecret(apiKey);
  return untilEnded(context, async (signal) => {
    let since: string | null = null;
    for await (const { callbacks, recorded_since } of client.webhooks.listen({ signal, onInterruption: interrupted(context) })) {
      if (since === null && !options.json) print(`Listening, for ${address}\nThe secret that signs here: ${secret}\n`);
      // Nobody had listened for an hour, or what was recorded is too old or too much to be kept: what happened before is lost.
      if (since !== null && since < recorded_since) tell(context, 'nothing_was_recorded_before', recorded_since);
      since = recorded_since;
      for (const callback of callbacks) {
        if (wanted && !wanted.includes(callback.type)) continue;
        const answered = await send(address, callback, secret, signal);
        const { callback_id, type, report_id } = callback;
        print(options.json ? `${JSON.stringify({ callback_id, type, report_id, ...answered })}\n` : line(callback, answered));
      }
    }
  });
}
