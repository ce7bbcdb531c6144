import { Inject, Injectable } from '@nestjs/common';
import type { shareApi } from '@tire/contracts/grpc';
import { SECRET_OVERLAP_HOURS_MAX } from '@tire/contracts/limits';
import { CLOCK, type Clock, DomainError, faulty, isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import type { Config } from '../config';
import { CONFIG } from '../tokens';
import { newWebhookSecret, replaceSecret, secretLifetimes } from './webhook-secret.store';

const HOUR_MS = 3_600_000;

/** The requests of the console about the secrets that sign the callbacks of a project. */
@Injectable()
export class WebhookSecretService {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
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
    if (overlapHours > SECRET_OVERLAP_HOURS_MAX) {
      throw faulty('overlap_hours', `must be at most ${SECRET_OVERLAP_HOURS_MAX}.`);
    }
    const secret = newWebhookSecret();
    const now = this.clock.now();
    await this.database.withProject(projectId, (tx) =>
      replaceSecret(tx, this.config.SEALING_KEYS, projectId, secret, now, overlapHours * HOUR_MS),
    );
    return { secret };
  }
}
