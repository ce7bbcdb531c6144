import { SECRET_OVERLAP_HOURS_MAX } from '@tire/contracts/limits';
import { isUuid } from '@tire/kernel';
import { runAdminCommand } from '@tire/platform';
import { waitingReceivers } from './callbacks/callback.store';
import { SEALED_COLUMNS } from './sealed-columns';
import { isWebhookSecret, newWebhookSecret, replaceSecret } from './webhook-secrets/webhook-secret.store';

const HOUR_MS = 3_600_000;
// Long enough to give a receiver the new secret in working hours.
const OVERLAP_HOURS = '24';
const RECEIVERS_MAX = 20;

void runAdminCommand({
  service: 'share',
  sealedColumns: SEALED_COLUMNS,
  command: 'rotate-webhook-secret',
  options: ['project', 'secret', 'overlap-hours'],
  synopsis: `rotate-webhook-secret --project ID [--secret whsec_…] [--overlap-hours ${OVERLAP_HOURS}]`,
  description: `rotate-webhook-secret: the new secret signs at once; the one before it signs beside it until the overlap is over (0: it ends now).
The new secret is printed here and nowhere else.`,
  also: {
    'list-receivers': {
      description: `the ${RECEIVERS_MAX} receivers for which most callbacks wait: since when, and how the last attempt ended.`,
      command: async (database) => ({ output: await waitingReceivers(database, RECEIVERS_MAX), code: 0 }),
    },
  },
  read({ project: projectId, secret = newWebhookSecret(), 'overlap-hours': hours = OVERLAP_HOURS }) {
    if (!projectId || !isUuid(projectId) || !isWebhookSecret(secret)) return null;
    if (!/^\d{1,3}$/.test(hours) || Number(hours) > SECRET_OVERLAP_HOURS_MAX) return null;
    return async (database, keys, now) => {
      await database.withProject(projectId, (tx) => replaceSecret(tx, keys, projectId, secret, now, Number(hours) * HOUR_MS));
      return { output: { secret }, code: 0 };
    };
  },
});
