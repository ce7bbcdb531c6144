import { POSITIONS } from '@tire/kernel';
import type { Report } from '@tire/contracts/api';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { upload, type PartnerClient } from './client';
import { measured } from './measurement-table';
import type { Sample } from './samples';

const IMAGE_FILE = /\.(jpe?g|png)$/i;

interface ImageFile {
  readonly file: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Measures each photograph of a folder as a tread and as a sidewall. The result shows which of the two it is. */
export async function measuredImages(client: PartnerClient, folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => IMAGE_FILE.test(file)).sort();
  if (files.length === 0) throw new Error(`${folder} holds no photograph: JPEG or PNG, .jpg, .jpeg or .png`);
  const lines: string[] = [];
  for (let first = 0; first < files.length; first += POSITIONS.length) {
    const few = await Promise.all(
      files
        .slice(first, first + POSITIONS.length)
        .map(async (file) => ({ file, bytes: new Uint8Array(await readFile(join(folder, file))) })),
    );
    const report = await reportOf(client, few);
    lines.push(...few.map(({ file }, i) => lineOf(file, report, POSITIONS[i]!)));
  }
  return lines.join('\n');
}

/** Creates a report for up to four photographs. If there are fewer, the last one fills the other tires. */
async function reportOf(client: PartnerClient, files: readonly ImageFile[]): Promise<Report> {
  const { report_id, upload_targets = [] } = await client.create({ plate_number: '56다 7890' });
  const samples = upload_targets.map(({ slot }): Sample => {
    const { file, bytes } = files[Math.min(POSITIONS.indexOf(slot.position), files.length - 1)]!;
    return { slot, path: `/${file}`, bytes };
  });
  await Promise.all(upload_targets.map((target) => upload(target, samples)));
  const images = upload_targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot }));
  await client.json('POST', `/reports/${report_id}/images`, { images });
  return client.finished(report_id);
}

function lineOf(file: string, { slots }: Report, position: string): string {
  const [tread, sidewall] = ['tread', 'sidewall'].map((type) =>
    slots.find(({ slot }) => slot.position === position && slot.image_type === type)!,
  );
  const shown = [tread!, sidewall!].filter(({ analysis }) => analysis.result && !analysis.error).map(measured);
  return `    ${file.padEnd(26)} ${shown.length > 0 ? shown.join('; ') : `${measured(tread!)}; ${measured(sidewall!)}`}`;
}
