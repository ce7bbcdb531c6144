import { eventually } from '@tire/test-harness';
import { Client } from 'pg';
import { type AssetsPeer, startAssetsPeer } from '../testing/assets.fixture';
import { projectWithWaiting } from '../testing/waiting-slots';
import { startWorld, type World } from '../testing/world';

const WAITING = 8_000;

let assets: AssetsPeer;
let world: World;

beforeAll(async () => {
  assets = await startAssetsPeer();
  world = await startWorld({ assetsUrl: assets.address, workersHold: { treads: 1 } });
});

afterAll(async () => {
  await world?.stop();
  await assets?.close();
});

/** The dispatcher passes the entries of what waited until a vacuum removes them, and it looks ten times a second. */
it.each(['slots', 'reports'])('a vacuum of %s removes the entries of what waited, however few pages changed', async (table) => {
  const projectId = await projectWithWaiting(world, WAITING, 'analyzing');
  const [sizes] = await world.asOwner(
    `SELECT pg_relation_size($1::regclass) / current_setting('block_size')::int AS pages, reloptions FROM pg_class WHERE oid = $1::regclass`,
    [table],
  );
  // By default Postgres leaves the indexes alone where fewer than a fiftieth of the pages have dead rows.
  expect(Number(sizes!['pages'])).toBeGreaterThan(100);
  expect(sizes!['reloptions']).toContain('autovacuum_vacuum_scale_factor=0');
  const owner = new Client({ connectionString: world.ownerUrl });
  await owner.connect();
  const said: string[] = [];
  owner.on('notice', ({ message }) => said.push(message ?? ''));
  // A transaction of the service that began before the update keeps the entries from a vacuum. Then the next one removes them.
  const hasRemoved = async () => {
    await world.asOwner(`UPDATE ${table} SET handover_at = now() WHERE ctid = (SELECT ctid FROM ${table} WHERE project_id = $1 LIMIT 1)`, [
      projectId,
    ]);
    await owner.query(`VACUUM (VERBOSE) ${table}`);
    return said.some((line) => /index scan needed: [1-9]/.test(line));
  };
  await eventually(hasRemoved, { message: 'No vacuum removes the entries' }).finally(() => owner.end());
});
