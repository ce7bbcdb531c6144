import { AnalysisRevisionSnapshot, Report } from '@tire/contracts/api';
import type { SidewallMeasurement } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { startMeasuring, type Measuring, type Named } from '../testing/measuring.fixture';
import { creationRequest, refusalOf, treadMeasurement, type World } from '../testing/world';

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'];
const [FRONT, OTHER] = ['tire.sidewall.front_left', 'tire.sidewall.front_right'];
const GUESS = { sectionWidthMm: 205, aspectRatioPercent: 55, rimDiameterInch: 16 };
const UNREAD: SidewallMeasurement = {
  quality: { recognized: false },
  guess: GUESS,
  manufactured: { week: 23, year: 2015, ageMonths: 137 },
  brand: 'Hankook',
};
const TREAD = { $case: 'tread' as const, value: treadMeasurement() };
/** Eight bits apart. */
const HASHES = ['00000000000000ff', '0000000000000000'];

describe('guessed sizes', () => {
  let measuring: Measuring;
  let world: World;

  beforeAll(async () => {
    measuring = await startMeasuring();
    ({ world } = measuring);
  });
  afterAll(() => measuring?.stop());

  /** Four treads and two sidewalls. The first sidewall was photographed twice; neither photograph could be read. */
  async function unreadTwice(): Promise<Named> {
    const projectId = newId();
    const { reportId } = await world.create(creationRequest({ projectId, images: [] }));
    const report = { projectId, reportId };
    for (const position of POSITIONS) await measuring.measure(report, `tire.tread.${position}`, TREAD);
    await measuring.measure(report, OTHER!, { $case: 'sidewall', value: { quality: { recognized: false } } });
    for (const hash of HASHES) await measuring.measure(report, FRONT!, { $case: 'sidewall', value: UNREAD }, hash);
    return report;
  }
  const guesses = async (report: Named) => (await world.ledger.listSizeGuesses(report)).guesses;
  const confirm = (report: Named, size = GUESS, slotId = FRONT!) => world.ledger.confirmSize({ ...report, slotId, size });
  const analysisOf = ({ slots }: Report, slotId = FRONT) => slots.find(({ slot_id }) => slot_id === slotId)!.analysis;

  it('are in nothing that the ledger serves but the list for members', async () => {
    const report = await unreadTwice();
    expect(await guesses(report)).toEqual([{ slotId: FRONT, size: GUESS }]);
    const { analysis_revision: analysisRevision } = await world.report(report.projectId, report.reportId);
    const { projectId } = report;
    const answers = [
      await world.ledger.getReports({ keys: [report], acceptsPart: true }).then(({ answers: [one] }) => one!.reportJson.toString()),
      await world.ledger
        .getAnalysisRevision({ ...report, analysisRevision: analysisRevision! })
        .then(({ snapshotJson }) => snapshotJson.toString()),
      JSON.stringify(await world.ledger.getReportHistory(report)),
      JSON.stringify(await world.ledger.listReports({ projectId, limit: 10 })),
      JSON.stringify(await world.ledger.getContentPointers({ keys: [report] })),
      JSON.stringify(await world.ledger.getPublicationState({ ...report, forChange: false })),
      JSON.stringify(await world.received.analysisEnded.of(report.reportId, 1)),
    ];
    for (const answer of answers) expect(answer).not.toMatch(/guess|section_?width/i);
    // The two that contain results have the rest of what was read.
    for (const answer of answers.slice(0, 2)) expect(answer).toContain('"brand":"Hankook"');
  });

  it('are confirmed by a person: a manual value in a new revision, with what else the engine read', async () => {
    const report = await unreadTwice();
    const before = await world.report(report.projectId, report.reportId);
    expect(await confirm(report)).toEqual({ analysisStatus: 'complete', changed: true });
    const after = await world.report(report.projectId, report.reportId);
    expect(analysisOf(after)).toMatchObject({
      status: 'success',
      provenance: 'manual',
      engine: null,
      result: { size: { section_width: 205, aspect_ratio: 55, rim_diameter: 16 }, manufactured: { year: 2015 }, brand: 'Hankook' },
      quality: { recognized: true, confidence: null },
    });
    expect(analysisOf(after, OTHER)).toEqual(analysisOf(before, OTHER));
    expect(after.analysis_revision! > before.analysis_revision!).toBe(true);
    const { snapshotJson } = await world.ledger.getAnalysisRevision({ ...report, analysisRevision: after.analysis_revision! });
    const snapshot = AnalysisRevisionSnapshot.parse(JSON.parse(snapshotJson.toString()));
    expect(snapshot.slots.find(({ slot_id }) => slot_id === FRONT)?.analysis).toEqual(analysisOf(after));
    const ended = await world.received.analysisEnded.of(report.reportId, 2);
    expect(ended.at(-1)?.analysisRevision).toBe(after.analysis_revision);
    expect((await world.ledger.getReportHistory(report)).moments.slice(-2).map(({ what, slotId }) => [what, slotId])).toEqual([
      ['size_confirmed', FRONT],
      ['analysis_ended', undefined],
    ]);
    expect(await guesses(report)).toEqual([]);
  });

  it('are confirmed once, however often it is requested', async () => {
    const report = await unreadTwice();
    await Promise.allSettled([confirm(report), confirm(report)]);
    const { analysis_revision: revision } = await world.report(report.projectId, report.reportId);
    expect(await confirm(report)).toEqual({ analysisStatus: 'complete', changed: false });
    expect((await world.report(report.projectId, report.reportId)).analysis_revision).toBe(revision);
    const { moments } = await world.ledger.getReportHistory(report);
    expect(moments.filter(({ what }) => what === 'size_confirmed')).toHaveLength(1);
  });

  it('are confirmed while another slot is measured, and in a published report', async () => {
    const report = await unreadTwice();
    await world.publishJudged(report.projectId, report.reportId, 1, {
      publicationStatus: 'published',
      publishedAt: new Date().toISOString(),
    });
    await eventually(async () => (await world.report(report.projectId, report.reportId)).publication_status === 'published');
    await world.ledger.registerImages({ ...report, images: [{ slotId: OTHER!, assetId: newId() }], replace: true });
    const { analysis_revision: before } = await world.report(report.projectId, report.reportId);
    expect(await confirm(report)).toEqual({ analysisStatus: 'processing', changed: true });
    const during = await world.report(report.projectId, report.reportId);
    expect(analysisOf(during)).toMatchObject({ provenance: 'manual', result: { brand: 'Hankook' } });
    expect(during.analysis_revision).toBe(before);
    await measuring.finish(report, OTHER!, { $case: 'sidewall', value: { quality: { recognized: false } } });
    const after = await world.report(report.projectId, report.reportId);
    expect(after.analysis_revision! > before!).toBe(true);
    expect(analysisOf(after)).toEqual(analysisOf(during));
    expect(after.publication_status).toBe('published');
  });

  it('are not confirmed in a report that is gone or was entered by hand', async () => {
    const report = await unreadTwice();
    await refusalOf(world.ledger.discardReport(report));
    expect((await refusalOf(confirm(report))).code).toBe('report_discarded');
    const projectId = newId();
    const tires = POSITIONS.map((position) => ({ position, grooveDepthsMm: [6], size: GUESS }));
    const byHand = await world.create(creationRequest({ projectId, templateKey: 'tire_4t_4s', images: [], entered: { tires } }));
    const refusal = await refusalOf(confirm({ projectId, reportId: byHand.reportId }));
    expect(refusal).toEqual({ code: 'validation_error', param: 'size' });
  });

  it('are refused where another size, slot or project is named, or the report is gone', async () => {
    const report = await unreadTwice();
    const invalid = { code: 'validation_error', param: 'size' };
    expect(await refusalOf(confirm(report, { ...GUESS, aspectRatioPercent: 60 }))).toEqual(invalid);
    expect(await refusalOf(confirm(report, GUESS, OTHER))).toEqual(invalid);
    expect(await refusalOf(confirm(report, GUESS, 'tire.tread.front_left'))).toEqual(invalid);
    for (const stranger of [
      { ...report, projectId: newId() },
      { ...report, reportId: newId() },
    ]) {
      expect((await refusalOf(confirm(stranger))).code).toBe('not_found');
      expect((await refusalOf(world.ledger.listSizeGuesses(stranger))).code).toBe('not_found');
    }
    await measuring.measure(report, FRONT!, { $case: 'sidewall', value: { ...UNREAD, guess: undefined } });
    expect(await refusalOf(confirm(report))).toEqual(invalid);
  });
});
