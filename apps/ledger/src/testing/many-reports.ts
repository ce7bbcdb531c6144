import type { World } from './world';

/** Copies a report, and analyzes the table. */
export async function copyReport(world: World, reportId: string, count: number, over: Record<string, string>): Promise<void> {
  await world.asOwner(await copyStatement(world, reportId, count, over));
  await world.asOwner('ANALYZE reports');
}

/** `over` gives columns as SQL expressions of `n`, which counts from 1. */
export async function copyStatement(world: World, reportId: string, count: number, over: Record<string, string>): Promise<string> {
  const columns = await world.asOwner(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'reports' AND is_generated = 'NEVER'`,
  );
  const names = columns.map(({ name }) => String(name));
  const given: Record<string, string> = { report_id: 'gen_random_uuid()', ...over };
  return `INSERT INTO reports (${names.join()}) SELECT ${names.map((name) => given[name] ?? name).join()}
       FROM reports, generate_series(1, ${count}) n WHERE report_id = '${reportId}'`;
}

export async function took(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
