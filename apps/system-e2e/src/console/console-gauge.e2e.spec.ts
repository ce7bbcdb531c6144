import type { Report } from '@tire/contracts/api';
import { REPOSITORY_ROOT } from '@tire/local-stack';
import { describeWithBrowser, eventually, type Visitor } from '@tire/test-harness';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answer, atTheShop } from './console-shop';
import { settled, slotOf, TREADS, uploaded } from '../reports/reports';
import { command } from '../world';

const MEASURED_WITHIN_MS = 180_000;
/** What the gauge shows more than the photographs. */
const OFFSET_MM = 0.6;
const round = (depthMm: number): number => Number(depthMm.toFixed(2));

/** `calibrate` needs eight photographs with every groove measured by hand. CI exports four. */
const REPORTS = process.env['LONG_FORM'] ? 2 : 1;

describeWithBrowser('gauge values, from the console to a calibrated model', () => {
  const { shop, openReport, checkPage } = atTheShop();
  const reports: Report[] = [];
  let visitor: Visitor;
  let folder: string;

  beforeAll(async () => {
    for (let index = 0; index < REPORTS; index += 1) {
      const { report_id } = await uploaded(shop().api, { template: 'tire_4t_0s' }, TREADS);
      reports.push(await settled(shop().api, report_id, MEASURED_WITHIN_MS));
    }
    folder = await mkdtemp(join(tmpdir(), 'gauge-'));
  }, 2 * MEASURED_WITHIN_MS);
  beforeEach(async () => {
    visitor = await shop().owner();
  });

  const analysisOf = (report: Report, tread: (typeof TREADS)[number]) => slotOf(report, tread).analysis;
  const depthsOf = (report: Report, tread: (typeof TREADS)[number]): readonly number[] => {
    const { result } = analysisOf(report, tread);
    return result && 'individual_depths' in result ? result.individual_depths.individual_remaining_depth : [];
  };
  const readAfter = ({ report_id, analysis_revision }: Report) =>
    eventually(async () => {
      const report = (await shop().api.call('getReport', { report: report_id })).done;
      return report.analysis_revision !== analysis_revision && report.summary_status === 'complete' && report;
    });

  it('a value that a member types decides on the share page', async () => {
    const report = reports[0]!;
    await openReport(visitor, report.report_id);
    await visitor.button('Enter gauge values: Front left, Tread').click();
    await visitor.tab.getByRole('dialog').getByLabel('Groove 1', { exact: true }).fill('1.2');
    await answer(visitor, 'Save').click();
    // It is far from what the photograph shows.
    await answer(visitor, 'Yes, save these values').click();
    await visitor.button('Change gauge values: Front left, Tread').waitFor();
    await visitor.tab.getByText(/^Groove 1: 1\.2 mm \(from the photograph: /).waitFor();
    const after = await readAfter(report);
    expect(analysisOf(after, TREADS[0]!)).toMatchObject({ provenance: 'engine', gauge: [{ groove: 1, depth_mm: 1.2 }] });
    const page = await eventually(async () => {
      const response = await fetch(after.links.share!);
      return response.ok && response.text();
    });
    expect(page).toContain('1.2');
    const content = (await shop().api.call('getContent', { report: report.report_id })).done;
    expect(content.overall?.severity).toBe('critical');
    await checkPage(visitor, 'report-with-gauge');
    reports[0] = after;
  });

  it('an operator gets them with the photographs once the project allows it, and calibrates a model with them', async () => {
    for (const report of reports) {
      let seen = report;
      for (const tread of TREADS) {
        const measured = depthsOf(report, tread).map(
          (depthMm, index) => analysisOf(report, tread).gauge?.find(({ groove }) => groove === index + 1)?.measured_mm ?? depthMm,
        );
        await shop().request(visitor, 'POST', `reports/${report.report_id}/gauge-values`, {
          slot_id: slotOf(report, tread).slot_id,
          analysis_revision: seen.analysis_revision,
          values: measured.map((depthMm, index) => ({ groove: index + 1, depth_mm: round(depthMm + OFFSET_MM) })),
          confirm_unusual: true,
        });
        seen = (await shop().api.call('getReport', { report: report.report_id })).done;
        expect(analysisOf(seen, tread).gauge).toHaveLength(measured.length);
      }
    }
    const to = join(folder, 'exported');
    const args = ['export-gauge', '--project', shop().projectId, '--out', to, '--json'];
    await expect(command('assets', args)).rejects.toThrow('does not allow');
    await shop().request(visitor, 'PATCH', 'training-use', { is_allowed: true });
    const exported = await command<Record<string, number>>('assets', args);
    expect(exported).toMatchObject({ photographs: 4 * REPORTS, incomplete: 0, skipped: 0 });
    const lines = (await readFile(join(to, 'gauge.csv'), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(1 + exported['grooves']!);

    if (!process.env['LONG_FORM']) return;
    const model = join(folder, 'calibrated');
    const tool = ['deploy/typescript-hook.cjs', 'apps/inference/tools/calibrate.ts', to, model, '99.0.0'];
    const { stdout } = await promisify(execFile)(process.execPath, tool, { cwd: REPOSITORY_ROOT });
    const [, scale, offset] = /depth = ([\d.]+) × measured \+ ([\d.]+) mm/.exec(stdout) ?? [];
    // The line that was laid over the measurements, found again from the files alone: the order of the grooves is right.
    expect([Number(scale), Number(offset)]).toEqual([expect.closeTo(1, 2), expect.closeTo(OFFSET_MM, 1)]);
    const manifest = JSON.parse(await readFile(join(model, 'manifest.json'), 'utf8')) as { version: string };
    expect(manifest.version).toBe('99.0.0');
  }, 300_000);
});
