import { KeyScope, type ApiKey, type IssuedApiKey, type IssueKeyRequest, type KeyList } from '@tire/contracts/console';
import { CLOCK, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange } from '../audit/audit.store';
import type { ProjectMember } from '../edge/callers';
import { AccountMails } from '../identity/accounts/account-mails';
import { createKey, findKey, listKeys, revokeKey, type KeyRow } from './key.store';

/**
 * Keys as members manage them. Who may: the permission of each row of `KEY_OPERATIONS`.
 * Each transaction runs as the project: row-level security hides the keys of every other one.
 */
@Injectable()
export class KeysService {
  constructor(
    private readonly database: Database,
    private readonly mails: AccountMails,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(projectId: string): Promise<KeyList> {
    const rows = await this.database.withProject(projectId, (tx) => listKeys(tx, projectId));
    return { keys: rows.map(shownKey) };
  }

  issue({ projectId, organizationId, actor, client }: ProjectMember, { name, scopes }: IssueKeyRequest): Promise<IssuedApiKey> {
    return this.database.withProject(projectId, async (tx) => {
      const { keyId, key } = await createKey(tx, { projectId, name, scopes });
      const details = { name, scopes: scopes.join(' ') };
      await recordChange(tx, organizationId, actor, { action: 'key.issued', projectId, subject: keyId, details }, this.clock.now());
      await this.mails.alert(tx, actor, 'key_issued', client, { name, projectId });
      const row = await findKey(tx, projectId, keyId);
      if (!row) throw new Error('A key that was just issued is missing');
      return { key: shownKey(row), value: key };
    });
  }

  revoke({ projectId, organizationId, actor }: ProjectMember, keyId: string): Promise<void> {
    return this.database.withProject(projectId, async (tx) => {
      const now = this.clock.now();
      const { name, isFirst } = await revokeKey(tx, keyId, now);
      if (!isFirst) return;
      const details = { name };
      await recordChange(tx, organizationId, actor, { action: 'key.revoked', projectId, subject: keyId, details }, now);
    });
  }
}

const shownKey = ({ keyId, name, prefix, last4, scopes, createdAt, lastUsedAt, revokedAt }: KeyRow): ApiKey => ({
  key_id: keyId,
  name,
  shown: `${prefix}…${last4}`,
  scopes: scopes.map((scope) => KeyScope.parse(scope)),
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  revoked_at: revokedAt?.toISOString() ?? null,
});
