import type { Delivery, DeliveryDetail, WebhookEvents, WebhookSecretState } from '@tire/contracts/console';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call } from './client';

/** The polling interval during an attempt, which ends soon: a receiver has 15 seconds to respond. */
const UNDER_WAY_MS = 2_000;
const HOUR_MS = 3_600_000;

export const secretsOf = (projectId: string) => ['project', projectId, 'webhook-secret'] as const;
export const deliveriesOf = (projectId: string) => ['project', projectId, 'deliveries'] as const;

export const useSecrets = (projectId: string): UseQueryResult<WebhookSecretState> =>
  useQuery({ queryKey: secretsOf(projectId), queryFn: () => call<WebhookSecretState>('GET', `/projects/${projectId}/webhook-secret`) });

export const eventsOf = (projectId: string) => ['project', projectId, 'webhook-events'] as const;

export const useEvents = (projectId: string): UseQueryResult<WebhookEvents> =>
  useQuery({ queryKey: eventsOf(projectId), queryFn: () => call<WebhookEvents>('GET', `/projects/${projectId}/webhook-events`) });

/** Polls during an attempt, and shortly after the time of the next one. */
export const useDelivery = (projectId: string, callbackId: string): UseQueryResult<DeliveryDetail> =>
  useQuery({
    queryKey: [...deliveriesOf(projectId), callbackId],
    queryFn: () => call<DeliveryDetail>('GET', `/projects/${projectId}/deliveries/${callbackId}`),
    refetchInterval: ({ state: { data } }) => (data?.delivery.state === 'pending' ? pollingDelayMs(data.delivery) : false),
  });

function pollingDelayMs({ next_attempt_at }: Delivery): number {
  const waitMs = next_attempt_at === null ? 0 : Date.parse(next_attempt_at) - Date.now();
  return Math.min(Math.max(UNDER_WAY_MS, waitMs + UNDER_WAY_MS), HOUR_MS);
}
