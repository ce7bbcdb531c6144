import type { ReportMoment } from '@tire/contracts';
import { Database } from '@tire/platform';
import { Injectable } from '@nestjs/common';

type Named = NonNullable<ReportMoment['by']>;

const NAMES = `
  SELECT 'user:' || user_id AS actor, email AS name FROM users WHERE user_id = ANY($1::uuid[])
  UNION ALL
  SELECT 'key:' || key_id, name FROM api_keys WHERE key_id = ANY($1::uuid[])`;

const KINDS: Readonly<Record<string, Named['kind']>> = { user: 'user', key: 'api_key', service: 'service' };

/** Other services know who asked by id only: their names are here. */
@Injectable()
export class Actors {
  constructor(private readonly database: Database) {}

  async named(actors: readonly string[]): Promise<Map<string, Named>> {
    const wanted = [...new Set(actors)].map((actor) => {
      const [kind = '', id = ''] = actor.split(':', 2);
      return { actor, kind, id };
    });
    const ids = wanted.filter(({ kind }) => kind !== 'service').map(({ id }) => id);
    const rows = ids.length > 0 ? await this.database.systemQuery<{ actor: string; name: string }>(NAMES, [ids]) : [];
    const names = new Map(rows.map(({ actor, name }) => [actor, name]));
    return new Map(wanted.map(({ actor, kind, id }) => [actor, { kind: KINDS[kind] ?? 'service', name: names.get(actor) ?? id }]));
  }
}
