import { EVENTS } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { createDataSource, Database } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { Claims } from './claims';
import { outboxMessage } from './outbox';
import { claimOfEach, claimOldest, deleteMessages } from './outbox.store';
import { imageFetched } from './testing/facts.fixture';
import { Suite } from './testing/suite.fixture';

const BATCH = 100;
const BACKLOG = 1_500;

/** So many messages of a project, with ids that show their order. */
const messagesOf = (projectId: string, count: number, name: string) =>
  Array.from({ length: count }, (_, index) => outboxMessage(EVENTS.imageFetched, imageFetched(projectId), { id: `${name} ${index}` }));

describe('an outbox with the messages of many projects', () => {
  let suite: Suite;
  beforeEach(async () => void (suite = await Suite.start()));
  afterEach(() => suite.stop());

  /** The ids in the order of the stream, when all are published. */
  async function published(total: number): Promise<string[]> {
    await eventually(async () => (await suite.count('outbox')) === 0, { message: 'The outbox is not empty' });
    const { streams } = await suite.manager();
    const messages = await Promise.all(Array.from({ length: total }, (_, index) => streams.getMessage('FACTS_ASSETS', { seq: index + 1 })));
    return messages.map(({ header }) => header.get('Nats-Msg-Id'));
  }

  it('publishes the message of a victim before the backlog of another project, and each project in its order', async () => {
    const { database, outbox } = await suite.service();
    const messages = [...messagesOf(newId(), BACKLOG, 'backlog'), ...messagesOf(newId(), 3, 'victim')];
    await database.asSystem((tx) => outbox.addAll(tx, messages));
    const ids = await published(messages.length);
    const positionsOf = (name: string) => ids.flatMap((id, position) => (id.startsWith(name) ? [position] : []));
    // The first batch is taken in the order of addition. It finds the backlog.
    expect(Math.max(...positionsOf('victim'))).toBeLessThan(2 * BATCH);
    for (const name of ['victim', 'backlog'])
      expect(ids.filter((id) => id.startsWith(name))).toEqual(messages.map(({ id }) => id).filter((id) => id.startsWith(name)));
  });

  it('serves more projects than a batch has places, each before any is served twice', async () => {
    const { database, outbox } = await suite.service();
    const many = Array.from({ length: 2 * BATCH + 50 }, (_, index) => `project-${index}`);
    const later = many.flatMap((name) => messagesOf(newId(), 2, name));
    await database.asSystem((tx) => outbox.addAll(tx, [...messagesOf(newId(), BATCH, 'first'), ...later]));
    const ids = (await published(BATCH + later.length)).filter((id) => id.startsWith('project'));
    expect(new Set(ids.slice(0, many.length).map((id) => id.split(' ')[0])).size).toBe(many.length);
  });

  it('gives a message to one relay at a time, and the next ones to another relay that does not wait', async () => {
    // No relay runs.
    const source = await createDataSource({ url: suite.database.url, poolSize: 2, applicationName: 'claims' }).initialize();
    const database = new Database(source);
    const projectId = newId();
    await suite.sql.query(`
      INSERT INTO outbox (id, project_id, stream, subject, payload, headers)
      SELECT n, '${projectId}', 'WORK_FETCH', 'assets.fetch', '', '{}' FROM generate_series(1, 6) AS n`);
    const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
    const claimed = await database.asSystem(async (tx) => [
      idsOf(await claimOldest(tx, 2, [])),
      ...(await database.asSystem(async (other) => [
        idsOf(await claimOldest(other, 2, [])),
        idsOf(await claimOfEach(other, [projectId], 6)),
      ])),
    ]);
    await source.destroy();
    expect(claimed).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['3', '4', '5', '6'],
    ]);
  });

  it('reads a share of a long backlog and not all of it, also where Postgres has no statistics of it', async () => {
    const source = await createDataSource({ url: suite.database.url, poolSize: 1, applicationName: 'claims' }).initialize();
    const database = new Database(source);
    await suite.sql.query(`
      INSERT INTO outbox (id, project_id, stream, subject, payload, headers)
      SELECT n, '${newId()}', 'WORK_FETCH', 'assets.fetch', '', '{}' FROM generate_series(1, ${3 * BACKLOG}) AS n`);
    const claims = new Claims(BATCH);
    const readNow = async () =>
      database.asSystem(async (tx) => {
        const rows = await claims.next(tx);
        const [read] = await tx.rows<{ count: number }>(
          `SELECT (seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables WHERE relname = 'outbox'`,
        );
        return [rows.length, read!.count];
      });
    await readNow();
    const [claimed, read] = await readNow();
    await source.destroy();
    expect(claims.isBehind).toBe(true);
    expect(claimed).toBe(BATCH);
    expect(read).toBeLessThan(5 * BATCH);
  });

  it('stays in turns until a whole round is empty, also if a page of projects has only messages that are not due', async () => {
    // No relay runs.
    const source = await createDataSource({ url: suite.database.url, poolSize: 1, applicationName: 'claims' }).initialize();
    const database = new Database(source);
    const claims = new Claims(2);
    const projects = Array.from({ length: 3 }, () => newId()).toSorted();
    await suite.sql.query(`
      INSERT INTO outbox (id, project_id, stream, subject, payload, headers, next_attempt_at)
      SELECT 'due ' || n, '${projects[0]}'::uuid, 'WORK_FETCH', 'assets.fetch', ''::bytea, '{}'::jsonb, now() - interval '1 hour' FROM generate_series(1, 9) AS n
      UNION ALL SELECT id, id::uuid, 'WORK_FETCH', 'assets.fetch', '', '{}', now() + interval '1 hour' FROM unnest(ARRAY['${projects[1]}', '${projects[2]}']) AS id`);
    const claimed: string[] = [];
    const turn = () =>
      database.asSystem(async (tx) => {
        const rows = await claims.next(tx);
        claimed.push(...rows.map(({ id }) => id));
        await deleteMessages(
          tx,
          rows.map(({ position }) => position),
        );
      });
    for (await turn(); claims.isBehind;) await turn();
    await source.destroy();
    expect(claimed).toEqual(Array.from({ length: 9 }, (_, index) => `due ${index + 1}`));
  });
});
