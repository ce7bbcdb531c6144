import { Inject, Injectable } from '@nestjs/common';
import type { shareApi } from '@tire/contracts';
import { DomainError, firstIdAt, isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { CallbackRecords } from './callback.records';
import { SETTINGS, type Settings } from './settings';
import { newWebhookSecret, WebhookSecretsStore } from './webhook-secrets.store';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OVERLAP_HOURS_MAX = 720;

/** What the console does with the secrets of a project, and how much was sent for it. */
@Injectable()
export class WebhookService {
  constructor(
    private readonly database: Database,
    private readonly secrets: WebhookSecretsStore,
    private readonly records: CallbackRecords,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async lives({ projectId }: shareApi.GetWebhookSecretsRequest): Promise<shareApi.GetWebhookSecretsResponse> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    const now = this.settings.clock.now();
    const found = await this.database.withProject(projectId, (tx) => this.secrets.lives(tx, projectId, now));
    return {
      secrets: found.map(({ createdAt, expiresAt }) => ({ createdAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString() })),
    };
  }

  async rotate({ projectId, overlapHours }: shareApi.RotateWebhookSecretRequest): Promise<shareApi.RotateWebhookSecretResponse> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    if (overlapHours > OVERLAP_HOURS_MAX) throw new DomainError('validation_error', { param: 'overlap_hours' });
    const secret = newWebhookSecret();
    const now = this.settings.clock.now();
    await this.database.withProject(projectId, (tx) => this.secrets.replace(tx, projectId, secret, now, overlapHours * HOUR_MS));
    return { secret };
  }

  async usage({ projectId, fromDay, toDay }: shareApi.GetCallbackUsageRequest): Promise<shareApi.GetCallbackUsageResponse> {
    const [fromMs, lastMs] = [Date.parse(fromDay), Date.parse(toDay)];
    if (!isUuid(projectId)) throw new DomainError('not_found');
    if (Number.isNaN(fromMs) || Number.isNaN(lastMs)) throw new DomainError('validation_error', { param: 'from' });
    const days = Array.from({ length: Math.max(0, Math.floor((lastMs - fromMs) / DAY_MS) + 1) }, (_, index) => fromMs + index * DAY_MS);
    if (days.length === 0) return { days: [] };
    const rows = await this.database.withProject(projectId, (tx) =>
      this.records.usage(tx, projectId, days.map(firstIdAt), firstIdAt(lastMs + DAY_MS)),
    );
    return { days: rows.map(({ index, queued, delivered }) => ({ day: dayOf(days[index]!), queued, delivered })) };
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
