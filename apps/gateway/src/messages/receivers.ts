import type { VisitDetails } from '@tire/contracts/console';
import type { Tx } from '@tire/platform';
import { mobilePhone } from '../domain/phone';
import { takeAttemptIn } from '../identity/sessions/attempts.store';
import type { Channel } from './carrier';
import { missing } from './report-facts';

/** Both fill up again within an hour. */
const OF_RECEIVER = { burst: 5, perSecond: 5 / 3_600 };
const OF_PROJECT = { burst: 300, perSecond: 300 / 3_600 };

/** Counts the message against the limits of its receiver and its project; false if it is one too many. */
export const mayAddMessage = async (tx: Tx, projectId: string, to: string, now: Date): Promise<boolean> =>
  (await takeAttemptIn(tx, `message ${projectId} ${to}`, OF_RECEIVER, now)) &&
  (await takeAttemptIn(tx, `messages ${projectId}`, OF_PROJECT, now));

/** Null: the customer has none. */
export const findReceiver = ({ email, phone }: VisitDetails, channel: Channel): string | null =>
  channel === 'email' ? email : phone && mobilePhone(phone);

export function receiverOf(details: VisitDetails, channel: Channel): string {
  const receiver = findReceiver(details, channel);
  if (receiver !== null) return receiver;
  if (channel === 'email') throw missing('email', 'There is no e-mail address of the customer.');
  throw missing('phone', 'There is no mobile number of the customer.');
}
