import type { VisitDetails } from '@tire/contracts/console';
import type { Tx } from '@tire/platform';
import { mobilePhone } from '../domain/phone';
import { takeAttemptIn } from '../identity/sessions/attempts.store';
import type { Channel } from './carrier';
import { missing } from './report-facts';

/** Both fill up again within an hour. */
const OF_RECEIVER = { burst: 5, perSecond: 5 / 3_600 };
const OF_PROJECT = { burst: 300, perSecond: 300 / 3_600 };

/** What reminders leave of the messages of a project, so that its members can send reports. */
export const RESERVE_OF_MEMBERS = 50;

/** Counts the message against the limits of its receiver and its project; false if it is one too many. The receiver comes as a keyed digest. */
export const mayAddMessage = async (tx: Tx, projectId: string, receiver: Buffer, now: Date, reserve = 0): Promise<boolean> =>
  (await takeAttemptIn(tx, `message ${projectId} ${receiver.toString('base64url')}`, OF_RECEIVER, now)) &&
  (await takeAttemptIn(tx, `messages ${projectId}`, OF_PROJECT, now, reserve));

/** Null: the customer has none. */
export const findReceiver = ({ email, phone }: VisitDetails, channel: Channel): string | null =>
  channel === 'email' ? email : phone && mobilePhone(phone);

export function receiverOf(details: VisitDetails, channel: Channel): string {
  const receiver = findReceiver(details, channel);
  if (receiver !== null) return receiver;
  if (channel === 'email') throw missing('email', 'There is no e-mail address of the customer.');
  throw missing('phone', 'There is no mobile number of the customer.');
}
