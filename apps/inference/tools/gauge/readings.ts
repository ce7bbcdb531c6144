/** Gauge readings of each image, in the order of the grooves across the upright image. */
export type Readings = ReadonlyMap<string, readonly number[]>;

const HEAD = 'file,groove,depth_mm';
const DEEPEST_MM = 25;

export class ReadingsFault extends Error {
  constructor(line: number, reason: string) {
    super(`gauge.csv, line ${line}: ${reason}`);
    this.name = 'ReadingsFault';
  }
}

/** Rows `file,groove,depth_mm`. The grooves of an image are numbered 1, 2, 3 and so on without a gap; rows may be in any order. */
export function readingsOf(csv: string): Readings {
  const [head, ...lines] = csv.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (head?.replaceAll(' ', '') !== HEAD) throw new ReadingsFault(1, `must be ${HEAD}`);
  const files = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const { file, groove, depthMm } = rowOf(line, index + 2);
    const depths = files.get(file) ?? [];
    if (depths[groove - 1] !== undefined) throw new ReadingsFault(index + 2, `groove ${groove} of ${file} is there twice`);
    depths[groove - 1] = depthMm;
    files.set(file, depths);
  }
  for (const [file, depths] of files) {
    const missing = Array.from(depths).findIndex((depthMm) => depthMm === undefined);
    if (missing >= 0) throw new ReadingsFault(lines.length, `${file} has groove ${depths.length} and no groove ${missing + 1}`);
  }
  return files;
}

function rowOf(line: string, number: number): { file: string; groove: number; depthMm: number } {
  const cells = line.split(',').map((cell) => cell.trim());
  if (cells.length !== 3 || !cells[0]) throw new ReadingsFault(number, `must be ${HEAD}`);
  const [file, groove, depthMm] = [cells[0], Number(cells[1]), Number(cells[2])];
  if (!Number.isInteger(groove) || groove < 1 || groove > 9) throw new ReadingsFault(number, `groove must be 1 to 9, is ${cells[1]}`);
  if (!cells[2] || !(depthMm >= 0 && depthMm <= DEEPEST_MM))
    throw new ReadingsFault(number, `depth_mm must be 0 to ${DEEPEST_MM}, is ${cells[2]}`);
  return { file, groove, depthMm };
}
