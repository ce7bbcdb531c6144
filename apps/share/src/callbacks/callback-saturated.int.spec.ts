import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { CLAIM, sealedBody, SELECT_DUE_RECEIVERS } from './callback.store';
import { keys, type RunningShare, secretsFor, startOwnShare } from '../testing/service.fixture';

const CALLBACKS_AT_ONCE = 64;
/** Each has two callbacks. A receiver without history holds two attempts. */
const RECEIVERS = 60;
const ENDED_ONE_BY_ONE = 20;
const SCAN_EVERY_MS = 1_000;
const PATIENCE = { timeoutMs: 60_000 };

interface Due {
  readonly projectId: string;
  readonly url: string;
  readonly attemptsBefore: number;
}

async function makeDue({ owner }: RunningShare, all: readonly Due[]): Promise<void> {
  const column = <T>(valueOf: (one: Due) => T) => all.map(valueOf);
  const projects = [...new Set(column(({ projectId }) => projectId))];
  await owner.query(
    `INSERT INTO webhook_secrets (id, project_id, secret, created_at)
     SELECT i, p, s, now() FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS g (p, i, s)`,
    [projects, ...secretsFor(projects)],
  );
  const ids = all.map(() => newId());
  await owner.query(
    `INSERT INTO callbacks (id, project_id, report_id, analysis_revision, url, body, trace_headers, attempt_count, queued_at, next_attempt_at)
     SELECT i, p, gen_random_uuid(), gen_random_uuid(), u, b, '{}', n, now(), now()
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::int[]) AS g (p, i, u, b, n)`,
    [
      column(({ projectId }) => projectId),
      ids,
      column(({ url }) => url),
      all.map(({ projectId }, index) => sealedBody(keys, projectId, ids[index]!, '{}')),
      column(({ attemptsBefore }) => attemptsBefore),
    ],
  );
}

const claimed = 'callbacks WHERE claimed_until > now()';

async function counted({ owner }: RunningShare, sql: string): Promise<number> {
  return (await owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)).rows[0]!.n;
}

/** A share ends when its attempts have ended: receivers that hang would hold it for 15 s. */
async function closed(share: RunningShare | undefined): Promise<void> {
  share?.receiver.answers.delete('/hangs');
  share?.receiver.hangUp();
  await share?.close();
}

describe.each([
  ['tried before', 1, CALLBACKS_AT_ONCE / 2],
  ['never tried', 0, CALLBACKS_AT_ONCE],
])('callbacks that were %s, to receivers that hang', (_, attemptsBefore, underWayMax) => {
  let share: RunningShare;

  beforeEach(async () => {
    share = await startOwnShare({ callbacksAtOnce: CALLBACKS_AT_ONCE, receivers: RECEIVERS });
    share.receiver.answers.set('/hangs', [{ status: 503, hangs: true }]);
  });
  afterEach(() => closed(share));

  it('more than the limit in flight do not cause more scans, and get the capacity of attempts that end', async () => {
    const queries = jest.spyOn(share.app.get(Database), 'systemQuery');
    const scans = () => queries.mock.calls.filter(([sql]) => sql === SELECT_DUE_RECEIVERS).length;
    // One project for each receiver, with two due callbacks.
    const projects = Array.from({ length: RECEIVERS }, () => newId());
    const url = `${share.receiver.origin}/hangs`;
    await makeDue(
      share,
      [...projects, ...projects].map((projectId) => ({ projectId, url, attemptsBefore })),
    );
    const { hanging } = share.receiver;
    await eventually(() => hanging.length >= underWayMax, PATIENCE);
    expect(await counted(share, claimed)).toBe(underWayMax);

    const [beganMs, before] = [performance.now(), scans()];
    for (let ended = 1; ended <= ENDED_ONE_BY_ONE; ended += 1) {
      hanging.shift()!.writeHead(503).end();
      await eventually(async () => (await counted(share, 'callback_attempts')) >= ended, PATIENCE);
    }
    const scansByTime = (performance.now() - beganMs) / SCAN_EVERY_MS;
    expect(scans() - before).toBeLessThanOrEqual(scansByTime + 1);
    await eventually(() => share.receiver.callsTo('/hangs').length >= underWayMax + ENDED_ONE_BY_ONE, PATIENCE);
  }, 120_000);

  it('of one project hold half of the capacity, however many receivers there are, and those of another project are sent', async () => {
    const heavy = newId();
    const urls = Array.from({ length: RECEIVERS }, (_each, index) => `${share.receiver.originAt(1 + index)}/hangs`);
    await makeDue(
      share,
      [...urls, ...urls].map((url) => ({ projectId: heavy, url, attemptsBefore })),
    );
    await eventually(() => share.receiver.hanging.length >= underWayMax / 2, PATIENCE);
    expect(await counted(share, claimed)).toBe(underWayMax / 2);
    await makeDue(share, [{ projectId: newId(), url: `${share.receiver.origin}/other`, attemptsBefore }]);
    await eventually(() => share.receiver.callsTo('/other').length === 1, PATIENCE);
    expect(await counted(share, `${claimed} AND project_id = '${heavy}'`)).toBeLessThanOrEqual(underWayMax / 2);
  }, 120_000);
});

describe('a project at its share', () => {
  let share: RunningShare;
  /** Resolves the scans that are held. */
  let releaseScans: () => void = () => undefined;

  beforeEach(async () => {
    share = await startOwnShare({ callbacksAtOnce: CALLBACKS_AT_ONCE, receivers: RECEIVERS });
    share.receiver.answers.set('/hangs', [{ status: 503, hangs: true }]);
  });
  afterEach(async () => {
    releaseScans();
    await closed(share);
  });

  /** Resolves when one is held: what the scan before found was tried by then. */
  function holdScans(): Promise<void> {
    const database = share.app.get(Database);
    const query = database.systemQuery.bind(database);
    const held = new Promise<void>((resolve) => (releaseScans = resolve));
    return new Promise((resolve) => {
      jest.spyOn(database, 'systemQuery').mockImplementation(async (sql, params) => {
        if (sql === SELECT_DUE_RECEIVERS) await (resolve(), held);
        return query(sql, params);
      });
    });
  }

  /** One callback for each receiver. Half of them are under way, and the others wait for the share of the project. */
  async function saturated(): Promise<number> {
    const projectId = newId();
    const urls = Array.from({ length: RECEIVERS }, (_each, index) => `${share.receiver.originAt(1 + index)}/hangs`);
    await makeDue(
      share,
      urls.map((url) => ({ projectId, url, attemptsBefore: 0 })),
    );
    const underWay = CALLBACKS_AT_ONCE / 2;
    await eventually(() => share.receiver.hanging.length >= underWay, PATIENCE);
    await holdScans();
    return underWay;
  }

  it('claims for no more receivers than it has places, when many attempts end at once', async () => {
    const underWay = await saturated();
    const claims = jest.spyOn(share.app.get(Database), 'systemQuery').mockClear();
    const ended = share.receiver.hanging.splice(0, RECEIVERS - underWay);
    for (const response of ended) response.writeHead(503).end();
    await eventually(() => share.receiver.callsTo('/hangs').length === RECEIVERS, PATIENCE);
    const asked = claims.mock.calls.flatMap(([sql, params]) => {
      const [, , receivers, , , places] = params as [Date, Date, string[], number[], string[], number[]];
      return sql === CLAIM ? [{ receivers: receivers.length, hasPlaces: receivers.length <= places[0]! }] : [];
    });
    expect(asked.filter(({ hasPlaces }) => !hasPlaces)).toEqual([]);
  }, 120_000);

  it('calls its next receiver when an attempt ends, without a scan', async () => {
    const underWay = await saturated();
    const { hanging } = share.receiver;
    for (let ended = 1; ended <= 3; ended += 1) {
      hanging.shift()!.writeHead(503).end();
      // More than that where a call hung for 15 s.
      await eventually(() => share.receiver.callsTo('/hangs').length >= underWay + ended, PATIENCE);
    }
  }, 120_000);
});
