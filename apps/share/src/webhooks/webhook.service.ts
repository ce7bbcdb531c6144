import { Inject, Injectable } from '@nestjs/common';
import type { shareApi } from '@tire/contracts/grpc';
import { CLOCK, type Clock, DomainError, firstIdAt, isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { countByDay } from '../callbacks/callback-history.store';
import { newWebhookSecret, replaceSecret, secretLifetimes } from './webhook-secret.store';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OVERLAP_HOURS_MAX = 720;

/** The requests of the console about the signing secrets of a project and its number of callbacks. */
@Injectable()
export class WebhookService {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list({ projectId }: shareApi.GetWebhookSecretsRequest): Promise<shareApi.GetWebhookSecretsResponse> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    const now = this.clock.now();
    const found = await this.database.withProject(projectId, (tx) => secretLifetimes(tx, projectId, now));
    return {
      secrets: found.map(({ createdAt, expiresAt }) => ({ createdAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString() })),
    };
  }

  async rotate({ projectId, overlapHours }: shareApi.RotateWebhookSecretRequest): Promise<shareApi.RotateWebhookSecretResponse> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    if (overlapHours > OVERLAP_HOURS_MAX) throw new DomainError('validation_error', { param: 'overlap_hours' });
    const secret = newWebhookSecret();
    const now = this.clock.now();
    await this.database.withProject(projectId, (tx) => replaceSecret(tx, projectId, secret, now, overlapHours * HOUR_MS));
    return { secret };
  }

  async usage({ projectId, fromDay, toDay }: shareApi.GetCallbackUsageRequest): Promise<shareApi.GetCallbackUsageResponse> {
    const [fromMs, lastMs] = [Date.parse(fromDay), Date.parse(toDay)];
    if (!isUuid(projectId)) throw new DomainError('not_found');
    if (Number.isNaN(fromMs) || Number.isNaN(lastMs)) throw new DomainError('validation_error', { param: 'from' });
    const days = Array.from({ length: Math.max(0, Math.floor((lastMs - fromMs) / DAY_MS) + 1) }, (_, index) => fromMs + index * DAY_MS);
    if (days.length === 0) return { days: [] };
    const rows = await this.database.withProject(projectId, (tx) =>
      countByDay(tx, projectId, days.map(firstIdAt), firstIdAt(lastMs + DAY_MS)),
    );
    return { days: rows.map(({ index, queued, delivered }) => ({ day: dayOf(days[index]!), queued, delivered })) };
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
