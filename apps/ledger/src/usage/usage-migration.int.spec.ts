import { newId } from '@tire/kernel';
import { DataSource } from 'typeorm';
import { Usage1763820000000 } from '../migrations/1763820000000-usage';
import { creationRequest, startWorld, type World } from '../testing/world';

const DAY_MS = 86_400_000;
const SLOT = 'tire.tread.front_left';

describe('the migration that counts what is there', () => {
  let world: World;
  let source: DataSource;

  beforeAll(async () => {
    world = await startWorld();
    const role = new URL(world.databaseUrl).username;
    const extra = { options: `-c app.runtime_role=${role}` };
    source = await new DataSource({ type: 'postgres', url: world.ownerUrl, extra }).initialize();
  });
  afterAll(async () => {
    await source?.destroy();
    await world?.stop();
  });

  const day = (offset: number) => new Date(world.clock.now().getTime() + offset * DAY_MS).toISOString().slice(0, 10);
  const usage = async (projectId: string) => (await world.ledger.getUsage({ projectId, fromDay: day(-2), toDay: day(0) })).days;
  const create = async (projectId: string) => (await world.create(creationRequest({ projectId }))).reportId;

  it('lets reports be read and made meanwhile, counts each once, and none that was imported', async () => {
    const [projectId, imported, yesterday] = [newId(), newId(), day(-1)];
    const reportId = await create(projectId);
    await world.publishFetched(projectId, reportId, SLOT, 'image_unreachable');
    await world.settled();
    await world.asOwner(`UPDATE reports SET legacy = true WHERE report_id = '${await create(imported)}'`);
    await world.asOwner(
      `UPDATE reports SET created_at = created_at - interval '1 day' WHERE project_id IN ('${projectId}', '${imported}')`,
    );
    await world.asOwner(`UPDATE report_history SET at = at - interval '1 day' WHERE project_id = '${projectId}'`);
    const [migration, runner] = [new Usage1763820000000(), source.createQueryRunner()];
    await migration.down(runner);
    await runner.startTransaction();
    await migration.up(runner);
    world.clock.setTo(new Date());
    await create(projectId);
    expect(await world.report(projectId, reportId)).toMatchObject({ report_id: reportId });
    await runner.commitTransaction();
    await runner.release();
    expect(await usage(projectId)).toEqual([
      { day: yesterday, reports: 1, images: 4, failures: { image_unreachable: 1 } },
      { day: day(0), reports: 1, images: 4, failures: {} },
    ]);
    expect(await usage(imported)).toEqual([]);
  });
});
