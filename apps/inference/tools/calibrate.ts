import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { calibrated, crossValidated, under, type Calibration, type CrossValidation } from './gauge/calibration';
import { errorTable, pairsOf, type Compared } from './gauge/errors';
import { intervalFactorOf } from './gauge/interval-factor';
import { gaugeTable, tableLines } from './gauge/table';
import { Manifest } from '../src/models/manifest';
import { loadRepository, type ModelFolder } from '../src/models/repository';
import { comparedWithGauge } from './labelled-images';

/** The model's own line followed by the gauge's line, as one line; the same for the distances of the interval's ends. */
const joined = (thresholds: Record<string, number>, { calibration: { scale, offsetMm }, intervalFactor }: CrossValidation) => ({
  ...thresholds,
  depth_scale: scale * (thresholds['depth_scale'] ?? 1),
  depth_offset_mm: scale * (thresholds['depth_offset_mm'] ?? 0) + offsetMm,
  interval_low_scale: intervalFactor * (thresholds['interval_low_scale'] ?? 1),
  interval_high_scale: intervalFactor * (thresholds['interval_high_scale'] ?? 1),
  interval_high_from_mm: Math.max(0, scale * (thresholds['interval_high_from_mm'] ?? 0) + offsetMm),
  interval_high_slope: intervalFactor * (thresholds['interval_high_slope'] ?? 0),
  interval_offset_mm: intervalFactor * scale * (thresholds['interval_offset_mm'] ?? 0),
});

/** Whether the intervals are too narrow by more than chance in a few images. Repeated narrowing with the same photographs proves nothing. */
const isTooNarrow = ({ intervalFactor }: CrossValidation): boolean => intervalFactor > 1.25;
const SAME: Calibration = { scale: 1, offsetMm: 0 };

function manifestOf({ manifest }: ModelFolder, version: string, judged: CrossValidation, images: number) {
  const { calibration, leftOutMeanAbsoluteMm } = judged;
  const { expected } = manifest.golden;
  const recalibrated = Object.entries(expected).map(([name, value]) => [
    name,
    name.includes('depth_mm') ? Number(calibrated(value, calibration).toFixed(3)) : value,
  ]);
  const on = `${images} photographs with a depth gauge, each under the line fitted without it`;
  return Manifest.parse({
    ...manifest,
    version,
    thresholds: joined(manifest.thresholds, judged),
    training_data: `${manifest.training_data} Depths calibrated on ${images} photographs with a gauge.`,
    measured_accuracy: [
      ...manifest.measured_accuracy,
      { on, metric: 'depth per groove, mean absolute error', value: `${leftOutMeanAbsoluteMm.toFixed(2)} mm` },
    ],
    golden: { ...manifest.golden, expected: Object.fromEntries(recalibrated) },
  });
}

function cardOf(
  version: string,
  before: readonly Compared[],
  { calibration, leftOutMeanAbsoluteMm, intervalFactor }: CrossValidation,
): string {
  const after = before.map((one) => under(one, calibration));
  return [
    '',
    `## Calibrated: ${version}`,
    '',
    `Depths are ${calibration.scale.toFixed(3)} times those of the version before ${calibration.offsetMm < 0 ? '-' : '+'} ${Math.abs(calibration.offsetMm).toFixed(2)} mm, fitted to a depth gauge. ` +
      `A photograph that the line had not seen was off by ${leftOutMeanAbsoluteMm.toFixed(2)} mm on average. The intervals are ${intervalFactor.toFixed(2)} times as wide beside the line. Figures above are those of the version before.`,
    '',
    'Before, on these photographs:',
    '',
    ...tableLines(errorTable(before)),
    '',
    'After, on the same photographs (the line has seen them: the figure above is the honest one):',
    '',
    ...tableLines(errorTable(after)),
    '',
  ].join('\n');
}

const isNewer = (version: string, than: string): boolean => version.localeCompare(than, 'en', { numeric: true }) > 0;

/** Writes the new version beside the old one, complete or not at all. */
async function write(model: ModelFolder, to: string, manifest: Manifest, card: string): Promise<void> {
  const part = join(dirname(to), `.${basename(to)}.part`);
  await rm(part, { recursive: true, force: true });
  await mkdir(dirname(to), { recursive: true });
  await cp(model.folder, part, { recursive: true });
  const old = await readFile(join(part, 'README.md'), 'utf8').catch(() => `# ${manifest.name}\n`);
  await writeFile(join(part, 'README.md'), `${old.trimEnd()}\n${card}`);
  await writeFile(join(part, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(part, to);
}

async function main(): Promise<void> {
  const [folder, to, version, repository = join(__dirname, '../models')] = process.argv.slice(2);
  if (!folder || !to || !version) throw new Error('usage: calibrate FOLDER_WITH_gauge.csv NEW_MODEL_FOLDER VERSION [MODEL_REPOSITORY]');
  const [model] = await loadRepository(repository, ['tire.tread']);
  if (!isNewer(version, model!.manifest.version)) throw new Error(`${version} is not above the current version ${model!.manifest.version}`);
  const before = await comparedWithGauge(model!, folder);
  process.stdout.write(`${gaugeTable(before)}\n`);
  const fitted = crossValidated(before);
  const { scale, offsetMm } = fitted.calibration;
  const table = errorTable(before);
  process.stdout.write(
    `depth = ${scale.toFixed(3)} × measured + ${offsetMm.toFixed(2)} mm; mean absolute error ${table.meanAbsoluteMm.toFixed(2)} mm before, ` +
      `${fitted.leftOutMeanAbsoluteMm.toFixed(2)} mm on photographs that the line had not seen\n`,
  );
  const helps = fitted.leftOutMeanAbsoluteMm < table.meanAbsoluteMm;
  const judged: CrossValidation = helps
    ? fitted
    : { calibration: SAME, leftOutMeanAbsoluteMm: table.meanAbsoluteMm, intervalFactor: intervalFactorOf(before.flatMap(pairsOf)) };
  process.stdout.write(
    `the 90 % interval held for ${(100 * table.covered).toFixed(0)} %; it becomes ${judged.intervalFactor.toFixed(2)} times as wide\n`,
  );
  if (!helps && !isTooNarrow(judged)) throw new Error('the line does not reduce the error; no version was written');
  await write(model!, to, manifestOf(model!, version, judged, table.countExact), cardOf(version, before, judged));
  process.stdout.write(`${to}: ${model!.manifest.name} ${version}\n`);
}

void main();
