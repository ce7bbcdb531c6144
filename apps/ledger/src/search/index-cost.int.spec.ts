import { newId } from '@tire/kernel';
import { copyReport, copyStatement, took } from '../testing/many-reports';
import { creationRequest, startWorld, type World } from '../testing/world';

/** npm run bench:indexes. Absent in every other run: it asserts nothing. */
const REPORTS = Number(process.env['INDEX_BENCH_REPORTS'] ?? 0);
/** The first one warms up, and is not counted. */
const ROUNDS = 8;
const WRITTEN = 2_000;

/** Those of the worklist: the newest indexes of `reports`. */
const INDEXES = ['reports_work', 'reports_work_of_person'];

const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** What the indexes cost the writes. Rounds with and without them take turns, so that other work on the machine meets both. */
(REPORTS > 0 ? describe : describe.skip)(`writes of ${REPORTS} reports with and without the indexes of the worklist`, () => {
  let world: World;
  let definitions: string[];
  let projectId: string;
  let first: string;

  beforeAll(async () => {
    world = await startWorld();
    projectId = newId();
    ({ reportId: first } = await world.create(creationRequest({ projectId })));
    await copyReport(world, first, REPORTS, {
      created_at: `created_at - n * interval '1 second'`,
      created_by: `'user:01978a34-5c00-7000-8000-0000000000' || lpad((n % 100)::text, 2, '0')`,
      standing: `CASE WHEN n % 100 = 7 THEN 'critical' WHEN n % 10 < 3 THEN 'caution' ELSE 'good' END`,
      attention: `CASE WHEN n % 1000 < 3 THEN 'read' ELSE 'handled' END`,
    });
    const found = await world.asOwner('SELECT indexdef FROM pg_indexes WHERE indexname = ANY($1)', [INDEXES]);
    definitions = found.map(({ indexdef }) => String(indexdef));
  }, 600_000);
  afterAll(() => world?.stop());

  async function writes(): Promise<Record<'creating' | 'handling', number>> {
    await world.asOwner('VACUUM ANALYZE reports');
    const copies = await copyStatement(world, first, WRITTEN, {
      created_at: `created_at + n * interval '1 second'`,
      created_by: `'user:new'`,
    });
    const creating = await took(() => world.asOwner(copies));
    const handling = await took(() =>
      world.asOwner(
        `UPDATE reports SET attention = CASE attention WHEN 'handled' THEN 'read' ELSE 'handled' END
          WHERE report_id IN (SELECT report_id FROM reports WHERE project_id = $1 ORDER BY created_at DESC LIMIT ${WRITTEN})`,
        [projectId],
      ),
    );
    return { creating, handling };
  }

  it('takes turns', async () => {
    const measured = { with: [] as Awaited<ReturnType<typeof writes>>[], without: [] as Awaited<ReturnType<typeof writes>>[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      measured.with.push(await writes());
      for (const name of INDEXES) await world.asOwner(`DROP INDEX ${name}`);
      measured.without.push(await writes());
      for (const definition of definitions) await world.asOwner(definition);
    }
    expect(definitions).toHaveLength(INDEXES.length);
    for (const kind of ['creating', 'handling'] as const) {
      const [withThem, without] = [measured.with, measured.without].map((rounds) => median(rounds.slice(1).map((one) => one[kind])));
      const ratio = (withThem! / without!).toFixed(2);
      process.stdout.write(`${kind} ${WRITTEN}: ${withThem!.toFixed(0)} ms with, ${without!.toFixed(0)} ms without, ratio ${ratio}\n`);
    }
  }, 600_000);
});
