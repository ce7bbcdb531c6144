import type { ReportMoment } from '@tire/contracts/console';
import type { Database } from '@tire/platform';

export type NamedActor = NonNullable<ReportMoment['by']>;

const NAMES = `
  SELECT 'user:' || user_id AS actor, email AS name FROM users WHERE user_id = ANY($1::uuid[])
  UNION ALL
  SELECT 'key:' || key_id, name FROM api_keys WHERE key_id = ANY($1::uuid[])`;

const KINDS: Readonly<Record<string, NamedActor['kind']>> = { user: 'user', key: 'api_key', service: 'service' };

/** Other services store only the id of an actor; the names are stored here. */
export async function findActors(database: Database, actors: readonly string[]): Promise<Map<string, NamedActor>> {
  const parsed = [...new Set(actors)].map((actor) => {
    const [kind = '', id = ''] = actor.split(':', 2);
    return { actor, kind, id };
  });
  const ids = parsed.filter(({ kind }) => kind !== 'service').map(({ id }) => id);
  const rows = ids.length > 0 ? await database.systemQuery<{ actor: string; name: string }>(NAMES, [ids]) : [];
  const names = new Map(rows.map(({ actor, name }) => [actor, name]));
  return new Map(parsed.map(({ actor, kind, id }) => [actor, { kind: KINDS[kind] ?? 'service', name: names.get(actor) ?? id }]));
}
